/** What can be done with a message: refer to it, copy, edit, remember, see why, delete, go to another version. */

import { call } from "./api.js";
import { announce, button, copyText, doing, h, iconButton, notice } from "./dom.js";
import { insert, stampOf } from "./box.js";
import { timeOf } from "./messages.js";
import { refresh } from "./state.js";
import { texts } from "./texts.js";

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
