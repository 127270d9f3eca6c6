/** A day of the diary: its entries in slices, their replies when asked for, and the same day of other years. */

import { call } from "./api.js";
import { button, drawRows, h, notice, setBlock } from "./dom.js";
import { longName, shortName } from "./calendar.js";
import { dayAddress, timeOf } from "./messages.js";
import { texts as common } from "./texts.js";
import { diaryTexts as texts } from "./texts_diary.js";

const LONG = 4000; // letters of an entry that are shown at once
const BEGINNING = 180; // letters of an entry of another year

const messageAddress = ({ conversation, id }) => `#/c/${conversation}/m/${id}`;

/** Fetch a day from its first entry on, as many as were shown of it already; and the same day of other years. */
export async function fetchDay(day, shown = 0) {
  const limit = Math.min(Math.max(shown, 50), 200);
  const [found, others] = await Promise.all([call("GET", `/diary/days/${day}?limit=${limit}`), call("GET", `/diary/days/${day}/other-years`)]);
  return { ...found, others };
}

/** Draw a day's entries into a list; those that stand there already stay as they are. */
export function drawEntries(list, entries) {
  drawRows(list, entries, ({ message, replied, title }) => `${message.id} ${replied} ${title}`, entryElement);
}

/** Fetch and show what comes after the entries shown; the focus goes on to the first of it. */
export async function showMore(list, found) {
  const more = await call("GET", `/diary/days/${found.day}?skip=${found.entries.length}`);
  const next = found.entries.length;
  found.total = more.total;
  const there = new Set(found.entries.map(({ message }) => message.id)); // something may have been written or deleted meanwhile
  found.entries.push(...more.entries.filter(({ message }) => !there.has(message.id)));
  drawEntries(list, found.entries);
  list.children[next]?.querySelector("a").focus();
}

function entryElement({ message, title, replied }) {
  const text = h("p", { class: "lines" }, message.text.slice(0, LONG));
  const item = h(
    "li",
    { class: "entry" },
    h("h4", {}, timeElement(message.at), h("a", { href: messageAddress(message), class: "cut" }, title || common.untitled)),
    text,
  );
  const actions = h("div", { class: "row" });
  if (message.text.length > LONG) {
    const rest = button(texts.rest, () => {
      text.textContent = message.text;
      rest.remove();
      item.querySelector("a").focus();
    }, "quiet strong");
    actions.append(rest);
  }
  if (message.attachments.length > 0) {
    item.append(h("p", { class: "dim small" }, texts.enclosed(message.attachments.map(({ name }) => name))));
  }
  if (replied) actions.append(replyButton(item, message));
  if (actions.firstChild) item.append(actions);
  return item;
}

/** The time of an entry; none for one that came with a date alone, which is kept as noon. */
function timeElement(at) {
  return /T12:00:00(?:Z|[+-])/.test(at) ? null : h("time", { datetime: at }, timeOf(at));
}

function replyButton(item, message) {
  const toggle = button(texts.showReply, async () => {
    const shown = item.querySelector(".body");
    if (shown) shown.remove();
    else if (!(await showReply(item, message))) return;
    toggle.textContent = shown ? texts.showReply : texts.hideReply;
    toggle.setAttribute("aria-expanded", String(!shown));
  }, "quiet");
  toggle.setAttribute("aria-expanded", "false");
  return toggle;
}

/** Show the reply to an entry below it; returns whether there was one. */
async function showReply(item, message) {
  try {
    const reply = await call("GET", `/diary/entries/${message.id}/reply`);
    if (!reply || item.querySelector(".body")) return false;
    const body = h("div", { class: "body" });
    reply.blocks.forEach((html, index) => setBlock(body, index, html));
    item.append(body);
    return true;
  } catch (error) {
    notice(error.message, { error: true });
    return false;
  }
}

/** Show the same day of other years, each with how it begins. */
export function drawOtherYears(list, { day, others }) {
  const none = () => h("li", { class: "dim small" }, texts.noOtherYear(shortName(day)));
  const keyOf = (other) => `${day} ${JSON.stringify(other)}`;
  drawRows(list, others.length ? others : [null], keyOf, (other) => (other ? otherYear(other, day) : none()));
}

function otherYear({ day, total, entries }, from) {
  const text = entries[0]?.message.text.trim() ?? "";
  return h(
    "li",
    {},
    h("a", { href: dayAddress(day) }, longName(day)),
    h("span", { class: "dim small" }, ` ${texts.away(day.slice(0, 4) - from.slice(0, 4))}`),
    h("p", {}, `${text.slice(0, BEGINNING)}${text.length > BEGINNING ? "…" : ""}`),
    total > 1 ? h("p", { class: "dim small" }, texts.andMore(total - 1)) : null,
  );
}
