/** The Memory screen (F4): everything the vault holds by kind, with filters by kind, home and words. */

import { h, screenBar } from "./dom.js";
import { titleOf } from "./conversations.js";
import { memoryEditor } from "./memory_editor.js";
import { state, subscribe } from "./state.js";
import { memoryTexts as words } from "./texts_memory.js";

const KINDS = ["pinned", "fact", "note", "summary", "excerpt"];
let kind = "all";
let place = ""; // "" for the whole vault, "global", "space 3", "conversation 12"
let editor = null;
let quiet = null;

/** Show the screen; it is as it was left. */
export async function show(element) {
  if (editor) return; // shown already
  const where = h("select", { id: "memories-where", autocomplete: "off", "aria-label": words.whereLabel, onchange: () => {
    place = where.value;
    editor.load();
  } });
  const note = h("p", { id: "kind-note", class: "dim small" }, words.kindNotes[kind]);
  const chips = h("fieldset", { class: "kinds", "aria-describedby": "kind-note" }, h("legend", { class: "sr" }, words.kindLabel), ...["all", ...KINDS].map((each) => chip(each, note)));
  editor = memoryEditor({ id: "memory-row", homes, filters: [where], label: words.filterAll, scroller: element,
    kinds: () => (kind === "all" ? KINDS.map((each) => [each]) : [[kind]]), sieve: () => ({ home: homeOf(place), within: true }) });
  drawPlaces(where);
  quiet = subscribe((changed) => (changed.has("spaces") || changed.has("conversations")) && drawPlaces(where));
  element.replaceChildren(screenBar(words.screenTitle), h("div", { class: "stack" }, chips, note, editor.element));
  await editor.show();
}

/** Let go of what is shown. */
export function leave(element) {
  quiet?.();
  editor?.end();
  editor = quiet = null;
  element.replaceChildren();
}

function chip(each, note) {
  const radio = h("input", { type: "radio", name: "memories-kind", value: each, autocomplete: "off", onchange: () => {
    kind = each;
    note.textContent = words.kindNotes[each];
    editor.load();
  } });
  radio.checked = kind === each;
  return h("label", {}, radio, words.kinds[each]);
}

/** Where a fact may be added: the home that is looked at, if it is one, else any list. */
function homes() {
  if (kind === "summary" || kind === "excerpt") return [];
  const lists = [["global", words.homeGlobal, { kind: "global" }], ...state.spaces.map(({ id, name }) => [`space ${id}`, words.homeSpace(name), { kind: "space", space: id }])];
  const talk = state.conversations.find(({ id }) => place === `conversation ${id}`);
  if (talk) return [[place, titleOf(talk), homeOf(place)]];
  return place === "" ? lists : lists.filter(([key]) => key === place);
}

function homeOf(name) {
  const [sort, id] = name.split(" ");
  if (sort === "space") return { kind: "space", space: Number(id) };
  if (sort === "conversation") return { kind: "conversation", conversation: Number(id) };
  return sort === "global" ? { kind: "global" } : null;
}

function drawPlaces(where) {
  const option = (value, label) => h("option", { value }, label);
  const group = (label, rows) => (rows.length ? h("optgroup", { label }, ...rows) : null);
  where.replaceChildren(...[
    option("", words.whereAll), option("global", words.whereGlobal),
    group(words.whereSpaces, state.spaces.map(({ id, name }) => option(`space ${id}`, name))),
    group(words.whereConversations, state.conversations.map((one) => option(`conversation ${one.id}`, titleOf(one)))),
  ].filter(Boolean));
  where.value = place;
  if (where.selectedIndex < 0) where.value = place = "";
}
