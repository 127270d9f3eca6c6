/** Messages that wait for the reply that is coming: shown over the box, taken back or sent on when it has come. */

import { $, announce, button, h } from "./dom.js";
import { replying } from "./replies.js";
import { state, subscribe } from "./state.js";
import { texts } from "./texts.js";

/** @typedef {{ text: string, attachments: Array<{ name: string, text: string }>, justWrite: boolean }} Waiting */

/** @type {Map<number | string, Waiting[]>} by conversation */
const queues = new Map();
let act = { edit: () => {}, send: () => {}, changed: () => {} };

/** @param {{ edit: (one: Waiting) => void, send: () => void, changed: (id: number | string) => void }} actions what is done with one, and what is told of a change */
export function setUpQueue(actions) {
  act = actions;
  subscribe((changed) => {
    if (changed.has("conversation") || changed.has("replying")) draw();
  });
}

export const waitingIn = (id) => queues.get(id) ?? [];

/** Let a message wait; `first` for one that was to be sent and could not be. */
export function enqueue(id, one, first = false) {
  if (!queues.has(id)) queues.set(id, []);
  if (first) queues.get(id).unshift(one);
  else queues.get(id).push(one);
  told(id);
}

/** Take the next one out. */
export function dequeue(id) {
  const one = waitingIn(id).shift();
  told(id);
  return one;
}

function told(id) {
  draw();
  act.changed(id);
}

function take(one) {
  const list = waitingIn(state.conversation);
  list.splice(list.indexOf(one), 1);
  told(state.conversation);
}

function draw() {
  const list = waitingIn(state.conversation);
  $("queue").hidden = list.length === 0;
  $("queue").replaceChildren(...list.map((one, at) => h("li", {},
    h("span", { class: "small dim" }, replying() || at > 0 ? texts.waits : texts.held),
    h("span", { class: "cut grow" }, [one.text.trim().split("\n")[0], ...one.attachments.map(({ name }) => `＋ ${name}`)].filter(Boolean).join(" ")),
    replying() || at > 0 ? null : button(texts.sendNow, () => act.send(), "quiet strong"),
    button(texts.edit, () => {
      take(one);
      act.edit(one);
    }, "quiet"),
    button(texts.withdraw, () => {
      take(one);
      announce(texts.withdrawn);
      $("text").focus();
    }, "quiet"))));
}
