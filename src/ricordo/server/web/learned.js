/** Deleting a message: what goes with it is said first, and what was learned from it is the person's to decide about (S4). */

import { call } from "./api.js";
import { ask } from "./dom.js";
import { texts } from "./texts.js";

const SHOWN = 6; // facts that are named; there are rarely more

/** Ask, with the facts and notes that were learned from a message, and delete it, those too when told so. `note` says what
 * deleting means here. Resolves to whether it was deleted. */
export async function deleteMessage(id, deleted = async () => {}, note = texts.deleteMessageText) {
  const facts = await call("GET", `/messages/${id}/facts`);
  const answers = [["", texts.cancel, ""], ["message", facts.length ? texts.deleteKeepFacts : texts.remove, "danger"]];
  if (facts.length) answers.push(["all", texts.deleteWithFacts(facts.length), "danger"]);
  const named = facts.slice(0, SHOWN).map((fact) => `• ${fact.text}`);
  if (facts.length > SHOWN) named.push(texts.andMore(facts.length - SHOWN));
  const said = [note, ...(facts.length ? ["", texts.learnedFrom, ...named] : [])].join("\n");
  const answer = await ask(texts.deleteMessageAsk, said, answers);
  if (!answer) return false;
  await call("DELETE", `/messages/${id}`);
  if (answer === "all") for (const fact of facts) await call("DELETE", `/facts/${fact.id}`);
  await deleted();
  return true;
}
