/** A long list of which only the rows in view are in the page. Rows may be of any height: each is measured when it is first shown.
 *
 * The one rule: what is in view stays where it is, whatever changes above it. So the first row in view is held in its place.
 */

import { h } from "./dom.js";

const AROUND = 700; // pixels above and below the view that are made ready
const MOST = 300; // rows at once, should the list be given all the room that it wants
const CHUNK = 100; // rows whose heights are added up together

/**
 * @param {HTMLElement} list holds the rows; @param {HTMLElement} scroller what it stands in and scrolls
 * @param {{ rowAt: (index: number) => any, keyOf: (row: any) => string, make: (row: any) => HTMLElement,
 *   idOf: (row: any) => string, want: (first: number, stop: number) => void, emptied: () => void }} source `rowAt` is null for what has not come yet,
 *   which `want` asks for; `emptied` is told that the focus was in the last row, which is gone; a row that is being edited (`.editing`) stays the same element while its `idOf` does
 */
export function windowed(list, scroller, source) {
  let total = 0;
  let guess = 0; // height of a row that was not measured
  let heights = new Float32Array(0); // 0: not measured
  let chunks = []; // { sum, count } of the measured
  let wanted = null; // { index, control }: what gets the focus as soon as it is there
  let frame = 0;

  const later = () => {
    frame ||= requestAnimationFrame(draw);
  };
  scroller.addEventListener("scroll", later, { passive: true });
  let width = 0;
  const watch = new ResizeObserver(() => {
    if (list.clientWidth !== width) remeasure();
    width = list.clientWidth;
    later();
  });
  watch.observe(scroller);
  list.addEventListener("keydown", step);

  /** Make room for the heights of so many rows; `known` are those that are measured. */
  function reserve(count, known = new Float32Array(0)) {
    total = count;
    heights = new Float32Array(count);
    chunks = Array.from({ length: Math.ceil(count / CHUNK) }, () => ({ sum: 0, count: 0 }));
    known.subarray(0, count).forEach((height, index) => height && measure(index, height));
  }

  /** Forget all heights, as when the list becomes wider; the row in view stays there. */
  function remeasure() {
    const index = held()?.item.index ?? 0;
    const before = offsetOf(index);
    reserve(total);
    scroller.scrollTop += offsetOf(index) - before;
  }

  function measure(index, height) {
    const chunk = chunks[Math.floor(index / CHUNK)];
    if (heights[index] === 0) chunk.count += 1;
    chunk.sum += height - heights[index];
    heights[index] = height;
  }

  const sizeOf = (number) => {
    const size = Math.min(CHUNK, total - number * CHUNK);
    return chunks[number].sum + (size - chunks[number].count) * guess;
  };

  /** Return where a row begins, in pixels from the first one. */
  function offsetOf(index) {
    let offset = 0;
    const last = Math.floor(index / CHUNK);
    for (let number = 0; number < last && number < chunks.length; number += 1) offset += sizeOf(number);
    for (let row = last * CHUNK; row < index && row < total; row += 1) offset += heights[row] || guess;
    return offset;
  }

  /** Return the row at a place, and where that row begins. */
  function indexAt(place) {
    let offset = 0;
    let number = 0;
    while (number < chunks.length - 1 && offset + sizeOf(number) <= place) offset += sizeOf(number++);
    let row = number * CHUNK;
    while (row < total - 1 && offset + (heights[row] || guess) <= place) offset += heights[row++] || guess;
    return Math.min(row, Math.max(0, total - 1));
  }

  /** Return where the first row begins, from the top of what is in view. */
  const startOf = () => list.getBoundingClientRect().top - scroller.getBoundingClientRect().top;

  function held() {
    const top = scroller.getBoundingClientRect().top;
    for (const item of list.children) {
      const box = item.getBoundingClientRect();
      if (box.bottom > top && !item.classList.contains("away")) return { item, top: box.top };
    }
    return null;
  }

  function draw() {
    frame = 0;
    if (!list.isConnected || !scroller.clientHeight) return;
    guess ||= 84;
    const start = startOf();
    const first = Math.max(0, indexAt(-start - AROUND));
    const stop = total ? Math.min(total, first + MOST, indexAt(scroller.clientHeight - start + AROUND) + 1) : 0;
    source.want(first, stop);
    const hold = held();
    place(first, stop);
    settle(first, stop);
    if (hold?.item.isConnected && !hold.item.classList.contains("away")) {
      const moved = hold.item.getBoundingClientRect().top - hold.top;
      if (Math.abs(moved) >= 1) scroller.scrollTop += moved;
    }
    focusWanted();
  }

  function idAt(index) {
    const row = source.rowAt(index);
    return row === null ? null : source.idOf(row);
  }

  /** Put the rows into the list; those that are the same as before stay the same elements. */
  function place(first, stop) {
    const before = new Map([...list.children].map((item) => [item.rowKey, item]));
    const edited = list.querySelector(".editing");
    const focused = list.contains(document.activeElement) ? document.activeElement.closest("li") : null;
    const control = focused && document.activeElement.dataset.does;
    const now = [];
    for (let index = first; index < stop; index += 1) {
      const row = source.rowAt(index);
      const key = row === null ? `blank ${index}` : source.keyOf(row, index);
      let item = row !== null && edited?.rowId === source.idOf(row) ? edited : before.get(key);
      if (!item) {
        item = row === null ? h("li", { class: "blank", "aria-busy": "true" }) : source.make(row, index);
        item.rowKey = key;
        item.rowId = row === null ? null : source.idOf(row);
      }
      item.index = index;
      item.classList.remove("away");
      item.style.top = "";
      if (row === null) item.style.height = `${guess}px`;
      now.push(item);
    }
    // A row that is being used stays, out of sight, until the focus has left it.
    const stays = () => focused.classList.contains("editing") || (focused.index < total && idAt(focused.index) === focused.rowId);
    if (focused && !now.some(({ rowId }) => rowId === focused.rowId) && stays()) {
      focused.classList.add("away");
      focused.style.top = `${offsetOf(focused.index)}px`;
      if (focused.index < first) now.unshift(focused);
      else now.push(focused);
    }
    const staying = new Set(now);
    for (const item of [...list.children]) if (!staying.has(item)) item.remove();
    now.forEach((item, at) => {
      if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
      item.setAttribute("aria-setsize", String(total));
      item.setAttribute("aria-posinset", String(item.index + 1));
    });
    // The row that had the focus is another element now, or gone: then its neighbour gets it.
    if (focused && !staying.has(focused)) {
      const at = now.find(({ rowId }) => rowId === focused.rowId)?.index ?? Math.min(focused.index, total - 1);
      wanted = { index: Math.max(0, at), control };
    }
  }

  /** Measure the rows that are there and leave room for those that are not. */
  function settle(first, stop) {
    let sum = 0;
    let count = 0;
    for (const item of list.children) {
      if (item.rowId === null || item.classList.contains("away")) continue;
      const height = item.getBoundingClientRect().height;
      measure(item.index, height);
      sum += height;
      count += 1;
    }
    if (guess === 84 && count) guess = sum / count;
    list.style.paddingTop = `${offsetOf(first)}px`;
    list.style.paddingBottom = `${offsetOf(total) - offsetOf(stop)}px`;
  }

  function step(event) {
    const item = event.target.closest("li");
    if (!item || event.target.matches("textarea, input") || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowDown: item.index + 1, ArrowUp: item.index - 1, Home: 0, End: total - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focus(to, event.target.dataset.does);
  }

  /** Give the focus to the same control of another row, as soon as that has come; the row is brought into view. */
  function focus(index, control) {
    if (!total) return;
    wanted = { index: Math.min(Math.max(0, index), total - 1), control };
    const top = startOf() + offsetOf(wanted.index);
    const height = heights[wanted.index] || guess;
    if (top < 0 || top + height > scroller.clientHeight) scroller.scrollTop += top < 0 ? top - 60 : top + height - scroller.clientHeight + 20;
    draw();
  }

  function focusWanted() {
    const elsewhere = document.activeElement !== document.body && !list.contains(document.activeElement);
    if (wanted && (elsewhere || total === 0)) {
      wanted = null;
      if (!elsewhere) source.emptied();
    }
    const item = wanted && [...list.children].find((each) => each.index === wanted.index && each.rowId !== null);
    if (!item) return;
    const control = item.querySelector(`[data-does="${wanted.control}"]`) ?? item.querySelector("[data-does]");
    wanted = null;
    control?.focus();
    item.scrollIntoView({ block: "nearest" });
  }

  return {
    /** Show a list of so many rows; from its beginning when it is another list. */
    show(count, another) {
      if (another || count !== total) reserve(count, another ? undefined : heights);
      if (another) scroller.scrollTop = Math.min(scroller.scrollTop, Math.max(0, scroller.scrollTop + startOf()));
      draw();
    },
    draw,
    end() {
      watch.disconnect();
      scroller.removeEventListener("scroll", later);
    },
  };
}
