/**
 * What is written and not sent: drafts, with what is given along; messages that wait for the reply that is coming; and what has
 * left the message box and is not yet in the vault as a message. All of it lies in the vault, not in the browser's storage; what
 * is of a private conversation lies nowhere.
 */

import { $, announce, button, h } from "./dom.js";
import { replying } from "./replies.js";
import { PRIVATE, state, subscribe } from "./state.js";
import { texts } from "./texts.js";

/** @typedef {{ name: string, media_type: string, text: string }} File */

const drafts = new Map(); // conversation id → what is in its box
/** @type {Map<number | string | null, File[]>} */
const files = new Map(); // conversation id → what is given along with that
const kept = new Map(); // conversation id → the files that the vault has of it
const due = new Map(); // conversation id → what the vault is still to be told of its draft
let telling = null; // the vault is told one after the other, so that an older draft never overtakes

/** Take the drafts that the vault has; called before the message box is shown. */
export function takeDrafts(list) {
  for (const { conversation, text, attachments } of list) {
    drafts.set(conversation, text);
    setFiles(conversation, attachments);
    kept.set(conversation, attachments);
  }
}

export const draftOf = (id) => drafts.get(id) ?? "";
export const filesOf = (id) => files.get(id) ?? [];

export function setFiles(id, list) {
  if (list.length) files.set(id, list);
  else files.delete(id);
}

/** Keep a draft: what is in the box, and in the vault also what waits to be sent, so that a reload loses neither. */
export function keepDraft(id, text, waiting = []) {
  drafts.set(id, text);
  tell(id, { text: [...waiting, text].filter((each) => each.trim()).join("\n\n") });
}

/** Keep in the vault what is given along, unless it has just that. */
export function keepFiles(id, list) {
  const before = kept.get(id) ?? [];
  if (list.length === before.length && list.every((file, at) => file === before[at])) return;
  kept.set(id, list);
  tell(id, { attachments: list });
}

/** Resolves once the vault has all that it was given to keep. */
export const settled = () => telling ?? Promise.resolve();

/** Tell the vault at once all that is still due, as when the tab may be closing. */
export function hurry() {
  for (const edit of due.values()) put(edit);
  due.clear();
}

function tell(id, change) {
  if (id === PRIVATE) return;
  due.set(id, { conversation: id, ...due.get(id), ...change });
  telling ??= tellAll();
}

async function tellAll() {
  while (due.size) {
    const [[id, edit]] = due;
    due.delete(id);
    await put(edit);
  }
  telling = null;
}

function put(edit) {
  const body = JSON.stringify(edit);
  const keepalive = body.length < 60_000; // browsers take no more than 64 kB of it; the tab may be closing
  return fetch("/api/draft", { method: "PUT", keepalive, headers: { "content-type": "application/json" }, body }).catch(() => {});
}

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

export const underway = new Map(); // conversation → the message that is being handed to the vault

const unsent = (id) => [underway.get(id) ?? [], waitingIn(id)].flat();
export const unsentTexts = (id) => unsent(id).map(({ text }) => text);

/** Keep what is given along, in the box and with all that is not yet sent. */
export const putGiven = (id) => keepFiles(id, [...unsent(id).flatMap(({ attachments }) => attachments), ...filesOf(id)]);

/** The same, once what is being done is done: what moves from the box to what waits is then kept as it is. */
export const keepGiven = (id) => queueMicrotask(() => putGiven(id));

/** Take the draft away that has become a message, or is the draft of another conversation now. */
export function forget(id) {
  keepDraft(id, "");
  keepFiles(id, []);
}
