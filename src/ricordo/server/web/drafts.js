/** Drafts: what is written and not sent. They lie in the vault, not in the browser's storage; a private one lies nowhere. */

import { call } from "./api.js";
import { PRIVATE } from "./state.js";

let drafts = new Map(); // conversation id → what is in its box
let putting = Promise.resolve(); // one after the other, so that an older one never overtakes

/** Fetch the drafts; called before the message box is shown. */
export async function loadDrafts() {
  drafts = new Map((await call("GET", "/drafts")).map(({ conversation, text }) => [conversation, text]));
}

export const draftOf = (id) => drafts.get(id) ?? "";

/** Keep a draft: what is in the box, and in the vault also what waits to be sent, so that a reload loses neither. */
export function keepDraft(id, text, waiting = [], leaving = false) {
  drafts.set(id, text);
  if (id === PRIVATE) return Promise.resolve();
  const body = JSON.stringify({ conversation: id, text: [...waiting, text].filter((each) => each.trim()).join("\n\n") });
  const keepalive = body.length < 60_000; // browsers take no more than 64 kB of it; the tab may be closing
  const put = () => fetch("/api/draft", { method: "PUT", keepalive, headers: { "content-type": "application/json" }, body }).catch(() => {});
  if (leaving) return put();
  putting = putting.then(put);
  return putting;
}
