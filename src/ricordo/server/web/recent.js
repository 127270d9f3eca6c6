/** The memory panel's end: what the model changed lately, each with Undo, and the turns it could not read, with Try again.
 * Loaded with the panel.
 */

import { call, tellOthers } from "./api.js";
import { $, announce, button, doing, drawRows, h, notice } from "./dom.js";
import { refresh, subscribe } from "./state.js";
import { texts } from "./texts.js";
import { dropToast } from "./toast.js";

const SHOWN = 50;
let latest = 0; // counts the fetches, so that a slow one does not overwrite a newer one

$("recent").addEventListener("toggle", look);
$("try-unread").addEventListener("click", () => thenLook(() => call("POST", "/changes/unread/retry")));
// A turn that could not be read changes its conversation; an undo, an edit and what is learned change the facts.
subscribe((changed) => (changed.has("facts") || changed.has("conversations")) && look());

/** Fetch what is shown here anew, if anything is. */
export async function look() {
  if ($("memory").hidden) return;
  const turn = ++latest;
  try {
    const [unread, changes] = await Promise.all([
      call("GET", "/changes/unread"), $("recent").open ? call("GET", `/changes?limit=${SHOWN}`) : []]);
    if (turn !== latest) return;
    const here = [$("unread"), $("changes")].some((part) => part.contains(document.activeElement));
    $("unread").hidden = unread.length === 0;
    $("unread-text").textContent = unread.length ? texts.unread(unread.length, unread[0].reason) : "";
    draw(changes);
    // The button that was pressed went with its row, or is hidden now.
    if (here && !document.activeElement?.closest("#unread:not([hidden]), #changes")) $("recent").querySelector("summary").focus();
  } catch (error) {
    if (error.kind !== "VaultLocked") notice(error.message, { error: true });
  }
}

function draw(changes) {
  const list = $("changes");
  list.querySelector(".none")?.remove();
  drawRows(list, changes, ({ id, undone }) => `${id} ${undone}`, row);
  if (changes.length === 0) list.append(h("li", { class: "none dim" }, texts.noChanges));
}

function row(change) {
  const { kind, before, after, at, undone } = change;
  const words = h("div", { class: "said" }, h("strong", {}, texts.changed[kind]),
    before && h(kind === "updated" ? "del" : "span", {}, before.text), after && h("span", {}, after.text),
    h("time", { class: "small dim", datetime: at }, at.slice(0, 16).replace("T", " ")));
  const end = undone ? h("span", { class: "small dim" }, texts.undoneAlready)
    : button(texts.undo, () => thenLook(() => undo(change)), "small");
  if (!undone) end.setAttribute("aria-label", texts.undoThis((after ?? before).text));
  return h("li", { class: "fact row" }, words, end);
}

async function undo(change) {
  await call("POST", `/changes/${change.id}/undo`);
  tellOthers("undone", { change: change.id });
  dropToast(change.id);
  announce(texts.undone((change.after ?? change.before).text));
  await refresh("facts");
}

/** Do something that changes what is shown here; what goes wrong is a notice. */
async function thenLook(work) {
  await doing(work);
  await look();
}
