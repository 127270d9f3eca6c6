/** Drafts: what is written and not sent, and what is given along with it. They lie in the vault, not in the browser's storage;
 * those of a private conversation lie nowhere.
 */

import { call } from "./api.js";
import { PRIVATE } from "./state.js";

/** @typedef {{ name: string, media_type: string, text: string }} File */

const drafts = new Map(); // conversation id → what is in its box
/** @type {Map<number | string | null, File[]>} */
const files = new Map(); // conversation id → what is given along with that
const kept = new Map(); // conversation id → the files that the vault has of it
let putting = Promise.resolve(); // one after the other, so that an older one never overtakes

/** Fetch the drafts; called before the message box is shown. */
export async function loadDrafts() {
  for (const { conversation, text, attachments } of await call("GET", "/drafts")) {
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
export function keepDraft(id, text, waiting = [], leaving = false) {
  drafts.set(id, text);
  if (id === PRIVATE) return settled();
  const edit = { conversation: id, text: [...waiting, text].filter((each) => each.trim()).join("\n\n") };
  if (leaving) return put(edit);
  putting = putting.then(() => put(edit));
  return putting;
}

/** Keep in the vault what is given along, unless it has just that. */
export function keepFiles(id, list) {
  const before = kept.get(id) ?? [];
  if (id === PRIVATE || (list.length === before.length && list.every((file, at) => file === before[at]))) return;
  kept.set(id, list);
  putting = putting.then(() => put({ conversation: id, attachments: list }));
}

/** Resolves once the vault has all that it was given to keep. */
export const settled = () => putting;

function put(edit) {
  const body = JSON.stringify(edit);
  const keepalive = body.length < 60_000; // browsers take no more than 64 kB of it; the tab may be closing
  return fetch("/api/draft", { method: "PUT", keepalive, headers: { "content-type": "application/json" }, body }).catch(() => {});
}
