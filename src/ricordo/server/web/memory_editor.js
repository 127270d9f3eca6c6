/** The memory editor (F1): adding, searching, editing, deleting and clearing facts, in one component wherever facts are shown.
 *
 * What it lists is on the server; here are only the rows in view, so that ten thousand are as quick as ten.
 */

import { call } from "./api.js";
import { announce, ask, h, iconButton, notice, options } from "./dom.js";
import { memorySource } from "./memory_source.js";
import { idOf, keyOf, rowElement } from "./memory_rows.js";
import { styled } from "./screens.js";
import { refresh, state, subscribe } from "./state.js";
import { texts } from "./texts.js";
import { memoryTexts as words } from "./texts_memory.js";
import { windowed } from "./windowed.js";

const AFTER = 150; // milliseconds without a key
const FACTS = [["pinned", "fact", "note"]];
const SHOWN = ["facts", "conversations", "spaces", "settings"]; // what a row shows changes with these

/**
 * Make an editor. It lives from `show` to `end`.
 * @param {{ id: string, homes: () => Array<[string, string, object]>, sieve: () => { home: object|null, within?: boolean },
 *   kinds?: () => string[][], filters?: Node[], scroller?: HTMLElement, label?: string }} how
 *   `id` begins the ids of its fields; `homes` are where a fact may be added: key, label, home, the usual one first; `kinds` are
 *   the lists that are shown one after the other; `filters` stand beside the search; `scroller` is what scrolls, else the list's own box
 */
export function memoryEditor({ id, homes, sieve, kinds = () => FACTS, filters = [], scroller, label = words.filterLabel }) {
  const home = h("select", { id: `${id}-home`, autocomplete: "off", onchange: () => { chosen = home.value; drawSwitch(); } });
  const homeField = h("label", { class: "field" }, h("span", {}, words.factHome), home);
  const text = h("input", { id: `${id}-text`, class: "grow", autocomplete: "off", "aria-label": words.factLabel, placeholder: words.factHint });
  const adds = h("button", { id: `${id}-add` }, words.add);
  const off = h("p", { id: `${id}-off`, class: "dim small", hidden: true });
  const form = h("form", { class: "stack tight adding", autocomplete: "off", onsubmit: add }, homeField, h("div", { class: "row tight" }, text, adds), off);
  const filter = h("input", { id: `${id}-filter`, type: "search", class: "grow", autocomplete: "off", "aria-label": label, placeholder: label, oninput: typed });
  const figure = h("p", { id: `${id}-count`, class: "dim small", role: "status" });
  const clears = h("button", { type: "button", class: "quiet danger", hidden: true, onclick: clear });
  const list = h("ul", { id: `${id}s`, class: "plain memory-list", role: "list" });
  const box = h("div", { class: "memory-scroll" }, list);
  const none = h("p", { class: "none dim", hidden: true });
  const element = h("div", { class: "memory-editor" }, form, h("div", { class: "row tight filters" }, filter, ...filters),
    h("div", { class: "row between" }, figure, clears), none, box);
  const source = memorySource(() => view?.draw(), fail);
  let view = null;
  let chosen = null; // the home that the person picked for new facts
  let timer = null;
  let loading = null; // the last load, which a change of the state began
  let quiet = null; // ends listening to changes
  let before = ""; // what was asked for last: another question begins another list

  const heard = (changed) => {
    if (["conversation", "space", "spaces", "settings", "conversations"].some((name) => changed.has(name))) drawHomes();
    if (SHOWN.some((name) => changed.has(name))) loading = load();
  };

  function drawHomes() {
    const entries = homes();
    options(home, entries, entries.some(([key]) => key === chosen) ? chosen : entries[0]?.[0]);
    homeField.hidden = entries.length < 2;
    form.hidden = entries.length === 0;
    drawSwitch();
  }

  const homeNow = () => homes().find(([key]) => key === home.value)?.[2];

  /** Adding follows the switches (F1): where a memory is off, nothing can be added to it. */
  function drawSwitch() {
    const to = homeNow();
    const space = to?.kind === "space" && state.spaces.find((one) => one.id === to.space);
    const reason = to?.kind === "global" && !state.settings?.global_memories ? words.globalOff : space && !space.memory ? words.spaceOff : "";
    off.textContent = reason;
    off.hidden = reason === "";
    text.disabled = adds.disabled = reason !== "";
    for (const field of [text, adds]) {
      if (reason) field.setAttribute("aria-describedby", off.id);
      else field.removeAttribute("aria-describedby");
    }
  }

  async function add(event) {
    event.preventDefault();
    const said = text.value.trim();
    text.focus(); // now, not when it is saved: the person may be elsewhere by then
    if (!said) return;
    text.value = ""; // now as well: the next one may be typed meanwhile
    await act(async () => {
      const to = homeNow();
      try {
        await call("POST", "/facts", { text: said, home: to, pinned: to.kind === "conversation" });
      } catch (error) {
        text.value = [said, text.value].filter(Boolean).join(" "); // nothing typed is lost
        throw error;
      }
      announce(words.saved);
    });
  }

  function typed() {
    clearTimeout(timer);
    timer = setTimeout(load, AFTER);
  }

  const question = () => ({ home: null, ...sieve(), text: filter.value.trim() });

  /** Fetch what is listed anew. */
  async function load() {
    const by = question();
    const name = JSON.stringify([by, kinds()]);
    const another = name !== before;
    const rows = another ? [] : [...list.children].filter((item) => !item.classList.contains("away")).map((item) => item.index);
    try {
      const first = rows.length ? Math.min(...rows) : 0;
      const stop = rows.length ? Math.max(...rows) + 1 : 40;
      if (!(await source.load(kinds(), by, first, stop)) || view === null) return;
      before = name;
      view.show(source.total(), another);
      drawEnds(by);
    } catch (error) {
      fail(error);
    }
  }

  function drawEnds(by) {
    const count = source.total();
    const groups = kinds();
    const facts = groups.flat().every((kind) => FACTS[0].includes(kind));
    figure.textContent = facts ? words.count(count) : words.countRows(count);
    clears.hidden = !facts || count === 0;
    clears.textContent = by.text ? words.clearShown(count) : words.clearAll;
    none.hidden = count > 0;
    none.textContent = count > 0 ? "" : by.text ? words.noneFound : facts ? words.noFacts : words.noRows;
  }

  /** Delete all facts that are listed, after a confirmation (F2). */
  async function clear() {
    const by = question();
    const count = source.total();
    const where = by.text ? words.clearFound(by.text) : words.clearEvery;
    const answers = [["", texts.cancel, ""], ["yes", texts.remove, "danger"]];
    if ((await ask(words.clearAsk(count), words.clearText(where), answers)) !== "yes") return;
    await act(async () => {
      const { deleted } = await call("POST", "/memory/clear", { ...by, kinds: kinds().flat(), expected: count });
      announce(words.cleared(deleted));
      filter.focus();
    });
  }

  /** Do what changes the list, then show it anew. */
  async function act(work) {
    try {
      await work();
    } catch (error) {
      fail(error);
    }
    await refresh("facts").catch(() => {}); // which loads what is listed
    await loading;
  }

  function makeRow(row, index) {
    const item = rowElement(row, act);
    if (kinds().length > 1 && source.begins(index)) item.prepend(h("h3", { class: "group" }, words.kinds[row.kind]));
    return item;
  }

  return {
    element,

    /** Begin to show the list, once the element is in the page. */
    async show() {
      view ??= windowed(list, scroller ?? box, {
        rowAt: source.rowAt,
        idOf,
        keyOf: (row, index) => `${kinds().length > 1 && source.begins(index)} ${keyOf(row)}`,
        make: makeRow,
        want: source.want,
        emptied: () => filter.focus(),
      });
      quiet ??= subscribe(heard);
      drawHomes();
      await load();
    },

    /** Show what another filter lets through. */
    load() {
      drawHomes();
      return load();
    },

    /** Put the focus where one begins. */
    focus: () => (adds.disabled || form.hidden ? filter : text).focus(),

    /** Let go of what was listed. */
    end() {
      quiet?.();
      view?.end();
      quiet = view = null;
      list.replaceChildren();
      before = "";
    },
  };
}

function fail(error) {
  if (error.kind !== "VaultLocked") notice(error.message, { error: true });
}

/** Show the global memories in a dialog (Settings → Features). */
export async function openGlobalMemories() {
  await styled("memory.css");
  const everywhere = { kind: "global" };
  const editor = memoryEditor({ id: "global-fact", homes: () => [["global", words.homeGlobal, everywhere]], sieve: () => ({ home: everywhere }) });
  const closes = iconButton("close", texts.close, () => dialog.close());
  const dialog = h("dialog", { id: "global-memories", "aria-labelledby": "global-memories-title" },
    h("div", { class: "row between" }, h("h2", { id: "global-memories-title" }, words.manageGlobal), closes), editor.element);
  dialog.addEventListener("close", () => {
    editor.end();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  const shown = editor.show();
  editor.focus();
  await shown;
}
