/** What has left the message box and is not yet in the vault as a message: it is kept with the draft until then. */

import { keepDraft, keepFiles } from "./drafts.js";
import { enclosed } from "./enclosed.js";
import { waitingIn } from "./queue.js";

export const underway = new Map(); // conversation → the message that is being handed to the vault

const unsent = (id) => [underway.get(id) ?? [], waitingIn(id)].flat();
export const unsentTexts = (id) => unsent(id).map(({ text }) => text);

/** Keep what is given along, in the box and with all that is not yet sent. */
export const putGiven = (id) => keepFiles(id, [...unsent(id).flatMap(({ attachments }) => attachments), ...enclosed(id)]);

/** The same, once what is being done is done: what moves from the box to what waits is then kept as it is. */
export const keepGiven = (id) => queueMicrotask(() => putGiven(id));

/** Take the draft away that has become a message, or is the draft of another conversation now. */
export function forget(id) {
  keepDraft(id, "");
  keepFiles(id, []);
}
