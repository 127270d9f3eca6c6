/** Drafts: what is written and not sent, and what is given along with it. They lie in the vault, not in the browser's storage;
 * those of a private conversation lie nowhere.
 */

import { PRIVATE } from "./state.js";

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
