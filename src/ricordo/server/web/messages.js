/**
 * Messages on the page: the person's as they typed them with what they gave along, replies as the server rendered them; and what
 * can be done with one: refer to it, copy, edit, remember, see why, delete, go to another version.
 */

import { call } from "./api.js";
import { $, announce, button, copyText, doing, h, iconButton, notice, setBlock } from "./dom.js";
import { refresh } from "./state.js";
import { texts } from "./texts.js";

let named = null; // how a day is named: made with the first one, as it takes longer than all else that a page without messages does

/** The day of a message as its writer lived it: times come with the writer's own clock in them. */
export function dayOf(at) {
  named ??= new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return named.format(new Date(`${at.slice(0, 10)}T12:00:00Z`));
}

export const timeOf = (at) => at.slice(11, 16);

/** Where the diary shows a day, also that of a moment: both begin with the date. */
export const dayAddress = (at) => `#/diary/${at.slice(0, 10)}`;
export const dayLink = (at, text = dayOf(at)) => h("a", { href: dayAddress(at), title: texts.toDiary }, text);

/** Make the element of a message, or of a reply that is only coming (`message` has no id then). */
export function messageElement(message) {
  const mine = message.role === "user";
  const body = h("div", { class: "body" });
  const item = h(
    "li",
    { class: `message ${message.role}`, "data-id": message.id ?? null },
    h("h3", { class: "sr" }, mine ? texts.you : texts.model),
    mine && message.attachments?.length ? h("ul", { class: "plain chips" }, ...message.attachments.map(given)) : null,
    body,
    h("p", { class: "note" }),
    h("div", { class: "actions" }),
  );
  fill(item, message);
  return item;
}

/** Put what a message holds into its element. */
export function fill(item, message) {
  const body = item.querySelector(".body");
  if (message.role === "user") {
    body.textContent = message.text;
    body.hidden = message.text.trim() === "";
  } else {
    const blocks = message.blocks ?? [];
    blocks.forEach((html, index) => setBlock(body, index, html));
    while (body.children.length > blocks.length) body.lastElementChild.remove();
    for (const code of body.querySelectorAll("pre")) if (!code.closest(".code")) copyable(code);
  }
  const notes = { stopped: texts.replyStopped, error: texts.replyBroken };
  say(item, notes[message.status] ?? "");
  if (message.at) item.querySelector("h3").textContent = `${message.role === "user" ? texts.you : texts.model}, ${timeOf(message.at)}`;
}

/** Say under a message how it went. */
export function say(item, text) {
  item.querySelector(".note").textContent = text;
}

/** The line over the messages of one day; it leads to the diary, in which a private conversation does not stand. */
export const dayLine = ({ at, conversation }) => h("li", { class: "day" }, conversation ? dayLink(at) : h("span", {}, dayOf(at)));

/** How large a text is, in words. */
export const sizeOf = (text) => texts.size(new Blob([text]).size);

/** Something given along with a message: its name, and its text when it is opened. */
function given({ name, text }) {
  const shown = h("pre", { tabindex: "0" });
  const details = h("details", { class: "chip" }, h("summary", {}, h("span", { class: "cut" }, name), h("span", { class: "dim" }, sizeOf(text))), shown);
  details.addEventListener("toggle", () => { shown.textContent = text; }, { once: true });
  return h("li", {}, details);
}

/** Let a block of code be copied by a button of its own. */
function copyable(code) {
  const around = h("div", { class: "code" });
  code.replaceWith(around);
  around.append(button(texts.copyCode, () => copyText(code.textContent.replace(/\n$/, "")), "quiet small"), code);
}

/** Offer what can be done with a message; `more` are buttons that only the last one has. A private one can only be copied. */
export function offer(item, message, more = []) {
  const stored = message.conversation > 0;
  const mine = message.role === "user";
  item.querySelector(".actions").replaceChildren(
    ...[
      stored ? stamp(message) : h("time", { datetime: message.at }, timeOf(message.at)),
      message.versions?.length > 1 ? versions(message) : null,
      ...more,
      button(texts.copy, () => copyText(message.text), "quiet"),
      stored && mine ? button(texts.edit, () => startEdit(item, message), "quiet") : null,
      stored ? button(texts.rememberThis, () => remember(message), "quiet") : null,
      stored && !mine ? button(texts.why, () => why(message), "quiet") : null,
      stored ? button(texts.remove, () => remove(message), "quiet") : null,
    ].filter((each) => each !== null),
  );
}

/** The time of a message, which puts a reference to it into the message box. */
function stamp(message) {
  const time = h("time", { datetime: message.at }, timeOf(message.at));
  return h("button", { type: "button", class: "quiet stamp", title: texts.refer, "aria-label": texts.referTo(timeOf(message.at)), onclick: () => insert(stampOf(message.at)) }, time);
}

/** Put words in at the cursor, apart from those around it, and go on writing there. */
function insert(words) {
  const box = $("text");
  const before = box.value.slice(0, box.selectionStart);
  const after = box.value.slice(box.selectionEnd);
  const added = `${before === "" || /\s$/.test(before) ? "" : " "}${words}${/^\s/.test(after) ? "" : " "}`;
  box.focus();
  box.setRangeText(added, box.selectionStart, box.selectionEnd, "end");
  box.dispatchEvent(new Event("input")); // so that its height and its draft follow
}

/** The stamp of a moment as direct references are read: [2026-08-02 14:05] (R6). */
const stampOf = (at) => `[${at.slice(0, 10)} ${at.slice(11, 16)}]`;

/** Which version of a message is shown, and the way to those beside it. */
function versions({ id, versions: all }) {
  const at = all.indexOf(id);
  const to = (place, icon, label) => iconButton(icon, label, () => goTo(all[place]), { disabled: place < 0 || place >= all.length });
  return h("span", { class: "versions", role: "group", "aria-label": texts.versions },
    to(at - 1, "before", texts.versionBefore), h("span", { class: "small dim" }, texts.versionOf(at + 1, all.length)), to(at + 1, "after", texts.versionAfter));
}

async function goTo(version) {
  await doing(async () => {
    await call("POST", `/messages/${version}/show`);
    const { show } = await import("./chat.js");
    await show();
    const item = document.querySelector(`#messages [data-id="${version}"]`);
    const { length } = item?.querySelectorAll(".versions button:enabled") ?? [];
    if (length) item.querySelector(".versions button:enabled").focus();
    announce(texts.otherVersionShown);
  });
}

/** Open the form in which a message is edited, in its place. */
export async function startEdit(item, message) {
  await doing(async () => (await import("./editing.js")).startEdit(item, message));
}

async function remember(message) {
  await doing(async () => {
    await call("POST", `/messages/${message.id}/pin`);
    await refresh("facts");
    notice(texts.remembered);
  });
}

async function remove(message) {
  await doing(async () => (await import("./learned.js")).deleteMessage(message.id, () => refresh("conversations", "facts")));
}

async function why(message) {
  await doing(async () => (await import("./why.js")).showWhy(message));
}
