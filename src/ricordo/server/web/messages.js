/** Messages on the page: the person's as they typed them, replies as the server rendered them, each with what can be done. */

import { call } from "./api.js";
import { announce, ask, button, h, notice, setBlock } from "./dom.js";
import { refresh, state } from "./state.js";
import { texts } from "./texts.js";
import { showWhy } from "./why.js";

const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** The day of a message as its writer lived it: times come with the writer's own clock in them. */
export const dayOf = (at) => DAY.format(new Date(`${at.slice(0, 10)}T12:00:00Z`));
export const timeOf = (at) => at.slice(11, 16);

/** Make the element of a message, or of a reply that is only coming (`message` has no id then). */
export function messageElement(message) {
  const mine = message.role === "user";
  const body = h("div", { class: "body" });
  const item = h(
    "li",
    { class: `message ${message.role}`, "data-id": message.id ?? null },
    h("h3", { class: "sr" }, mine ? texts.you : texts.model),
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
  if (message.role === "user") body.textContent = message.text;
  else {
    const blocks = message.blocks ?? [];
    blocks.forEach((html, index) => setBlock(body, index, html));
    while (body.children.length > blocks.length) body.lastElementChild.remove();
  }
  const notes = { stopped: texts.replyStopped, error: texts.replyBroken };
  say(item, notes[message.status] ?? "");
  if (message.at) item.querySelector("h3").textContent = `${message.role === "user" ? texts.you : texts.model}, ${timeOf(message.at)}`;
}

/** Say under a message how it went. */
export function say(item, text) {
  item.querySelector(".note").textContent = text;
}

/** Offer what can be done with a message; `more` are buttons that only the last one has. */
export function offer(item, message, more = []) {
  item.querySelector(".actions").replaceChildren(
    h("time", { datetime: message.at }, timeOf(message.at)),
    ...more,
    button(texts.copy, () => copy(message), "quiet"),
    button(texts.rememberThis, () => remember(message), "quiet"),
    ...(message.role === "user" ? [] : [button(texts.why, () => showWhy(message), "quiet")]),
    button(texts.remove, () => remove(message), "quiet"),
  );
}

export const dayLine = (day) => h("li", { class: "day" }, h("span", {}, day));

async function copy(message) {
  await navigator.clipboard.writeText(message.text);
  announce(texts.copied);
}

async function remember(message) {
  try {
    await call("POST", `/messages/${message.id}/pin`);
    await refresh("facts");
    notice(texts.remembered);
  } catch (error) {
    notice(error.message, { error: true });
  }
}

async function remove(message) {
  const answers = [["", texts.cancel, ""], ["yes", texts.remove, "danger"]];
  if ((await ask(texts.deleteMessageAsk, texts.deleteMessageText, answers)) !== "yes") return;
  try {
    const { facts } = await call("DELETE", `/messages/${message.id}`);
    await refresh("conversations", "facts");
    const learned = state.facts.filter((fact) => facts.includes(fact.id));
    if (learned.length === 0) return;
    const list = learned.map((fact) => `• ${fact.text}`).join("\n");
    const choices = [["", texts.keepFacts, ""], ["yes", texts.deleteFacts, "danger"]];
    if ((await ask(texts.factsOfMessageAsk, list, choices)) !== "yes") return;
    for (const fact of learned) await call("DELETE", `/facts/${fact.id}`);
    await refresh("facts");
  } catch (error) {
    notice(error.message, { error: true });
  }
}
