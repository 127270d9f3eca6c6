/** Messages on the page: the person's as they typed them with what they gave along, replies as the server rendered them. */

import { button, copyText, h, setBlock } from "./dom.js";
import { texts } from "./texts.js";

const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** The day of a message as its writer lived it: times come with the writer's own clock in them. */
export const dayOf = (at) => DAY.format(new Date(`${at.slice(0, 10)}T12:00:00Z`));
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
