/** The facts panel: adding, editing in place, pinning, deleting. Rows stay the same elements while they are being edited. */

import { call } from "./api.js";
import { $, announce, drawRows, h, iconButton, notice, options } from "./dom.js";
import { titleOf } from "./conversations.js";
import { look } from "./recent.js";
import { conversation, refresh, spaceHere, spaceNamed, state, subscribe } from "./state.js";
import { texts } from "./texts.js";

let chosen = null; // the home that the person picked for new facts, here

export function setUpMemory() {
  $("toggle-memory").addEventListener("click", () => showMemory($("memory").hidden));
  $("memory-close").addEventListener("click", () => showMemory(false));
  $("add-fact").addEventListener("submit", add);
  $("fact-home").addEventListener("change", () => {
    chosen = $("fact-home").value;
    drawSwitch();
  });
  $("fact-filter").addEventListener("input", draw);
  $("fact-scope").addEventListener("change", draw);
  options($("fact-scope"), [["all", texts.scopeAll], ["here", texts.scopeHere], ["pinned", texts.scopePinned]], "all");
  subscribe((changed) => {
    if (changed.has("conversation") || changed.has("space")) chosen = null;
    if (["conversation", "conversations", "spaces", "space", "settings"].some((name) => changed.has(name))) drawHomes();
    if (["facts", "conversation", "conversations", "spaces", "space"].some((name) => changed.has(name))) draw();
  });
}

/** Open or close the panel; the focus goes along. */
export function showMemory(open) {
  $("memory").hidden = !open;
  $("toggle-memory").setAttribute("aria-expanded", String(open));
  look();
  ($("memory").hidden ? $("toggle-memory") : $("fact-add").disabled ? $("fact-filter") : $("fact-text")).focus();
}

function drawHomes() {
  const here = conversation();
  const space = spaceHere();
  const homes = [["global", texts.homeGlobal]];
  if (space !== null) homes.unshift(["space", texts.homeSpace(spaceNamed(space))]);
  if (here) homes.push(["conversation", texts.homeConversation]);
  const usual = space !== null ? "space" : state.settings?.global_memories || !here ? "global" : "conversation";
  options($("fact-home"), homes, homes.some(([key]) => key === chosen) ? chosen : usual);
  drawSwitch();
}

/** Adding follows the switches (F1): where a memory is off, nothing can be added to it. */
function drawSwitch() {
  const home = $("fact-home").value;
  const space = state.spaces.find((one) => one.id === spaceHere());
  const reason = home === "global" && !state.settings?.global_memories ? texts.globalOff
    : home === "space" && space && !space.memory ? texts.spaceOff : "";
  $("fact-off").textContent = reason;
  $("fact-off").hidden = reason === "";
  $("fact-text").disabled = $("fact-add").disabled = reason !== "";
}

function chosenHome() {
  const kind = $("fact-home").value;
  return { kind, ...(kind === "space" && { space: spaceHere() }), ...(kind === "conversation" && { conversation: state.conversation }) };
}

async function add(event) {
  event.preventDefault();
  const text = $("fact-text").value.trim();
  $("fact-text").focus(); // now, not when it is saved: the person may be elsewhere by then
  if (!text) return;
  await doing(async () => {
    const home = chosenHome();
    await call("POST", "/facts", { text, home, pinned: home.kind === "conversation" });
    $("fact-text").value = "";
    await refresh("facts");
    announce(texts.factSaved);
  });
}

function isHere({ home }) {
  return home.kind === "global" || (home.kind === "space" && home.space === spaceHere())
    || (home.kind === "conversation" && home.conversation === state.conversation);
}

function draw() {
  const words = $("fact-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const scope = $("fact-scope").value;
  const shown = state.facts.filter((fact) => words.every((word) => fact.text.toLowerCase().includes(word))
    && (scope === "all" || (scope === "pinned" ? fact.pinned : fact.shared || isHere(fact))));
  const list = $("facts");
  list.querySelector(".none")?.remove();
  const edited = list.querySelector("textarea")?.closest("li");
  drawRows(list, shown, (fact) => (edited?.fact.id === fact.id ? edited.rowKey : JSON.stringify([fact, placeOf(fact)])), row);
  if (shown.length === 0) list.append(h("li", { class: "none dim" }, state.facts.length ? texts.noFactsFound : texts.noFacts));
  $("fact-count").textContent = state.facts.length ? texts.factCount(shown.length) : "";
}

function placeOf({ home, shared }) {
  if (shared) return texts.shareFact;
  if (home.kind === "global") return texts.inGlobal;
  if (home.kind === "space") return spaceNamed(home.space);
  const source = state.conversations.find((one) => one.id === home.conversation);
  return source ? titleOf(source) : texts.untitled;
}

function row(fact) {
  const item = h("li", { class: fact.pinned ? "fact pinned" : "fact" });
  item.fact = fact;
  const place = fact.home.kind === "conversation" && !fact.shared
    ? h("a", { href: `#/c/${fact.home.conversation}`, class: "cut" }, placeOf(fact)) : h("span", { class: "cut" }, placeOf(fact));
  item.append(
    h("button", { type: "button", class: "fact-text", "aria-label": texts.editFact(fact.text), onclick: () => edit(item) }, fact.text),
    h("span", { class: "row tags small dim" },
      h("span", { class: fact.origin === "user" ? "yours" : "" }, fact.origin === "user" ? texts.yours : texts.learned),
      place, h("time", { datetime: fact.updated }, fact.updated.slice(0, 10))),
    h("span", { class: "row controls" },
      iconButton("pin", fact.pinned ? texts.unpinFact : texts.pinFact, () => pin(fact), { "aria-pressed": String(fact.pinned) }),
      iconButton("trash", texts.deleteFact(fact.text), () => remove(item))),
  );
  return item;
}

/** Edit a fact in place: Enter or leaving saves, Esc cancels. */
function edit(item) {
  const text = item.querySelector(".fact-text");
  const field = h("textarea", { rows: 2, "aria-label": texts.editFactLabel, autocomplete: "off" });
  field.value = item.fact.text;
  let settled = false; // leaving the field after Enter must not save again
  const settle = async (save, refocus) => {
    if (settled) return;
    settled = true;
    const changed = save && field.value.trim() && field.value.trim() !== item.fact.text;
    field.replaceWith(text);
    if (refocus) text.focus();
    if (!changed) return;
    await doing(async () => {
      await call("PATCH", `/facts/${item.fact.id}`, { text: field.value });
      await refresh("facts");
      announce(texts.factSaved);
    });
    if (refocus) putFocus(rowOf(item.fact.id)?.querySelector(".fact-text"));
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) event.preventDefault();
    else if (event.key !== "Escape") return;
    event.stopPropagation();
    settle(event.key === "Enter", true);
  });
  field.addEventListener("blur", () => settle(true, false));
  text.replaceWith(field);
  field.focus();
}

const rowOf = (id) => [...$("facts").children].find((item) => item.fact?.id === id);

async function pin(fact) {
  await doing(async () => {
    await call("PATCH", `/facts/${fact.id}`, { pinned: !fact.pinned });
    await refresh("facts");
  });
  putFocus(rowOf(fact.id)?.querySelector(".controls button"));
}

async function remove(item) {
  const neighbour = item.nextElementSibling ?? item.previousElementSibling;
  await doing(async () => {
    await call("DELETE", `/facts/${item.fact.id}`);
    await refresh("facts");
    announce(texts.factDeleted);
  });
  putFocus(neighbour?.querySelector(".controls button:last-child") ?? $("fact-filter"));
}

/** Give the focus back that was lost with a row, unless the person has gone elsewhere meanwhile. */
function putFocus(element) {
  if (document.activeElement === document.body) element?.focus();
}

async function doing(work) {
  try {
    await work();
  } catch (error) {
    notice(error.message, { error: true });
  }
}
