/** A Space's page with its three tabs: conversations, memory, settings (S1). The address names the Space and the tab. */

import { call } from "./api.js";
import { announce, ask, button, doing, h, notice, options, screenBar } from "./dom.js";
import { addressOf, begin, choose, spaceAddress, titleOf } from "./conversations.js";
import { memoryEditor } from "./memory_editor.js";
import { refresh, state, subscribe } from "./state.js";
import { texts } from "./texts.js";
import { memoryTexts as words } from "./texts_memory.js";

const TABS = Object.keys(words.tabs);
let shown = null; // { element, id, tab, editor, quiet, form }

/** Show the page of a Space, at one of its tabs. */
export async function show(element, [, id, tab = TABS[0]]) {
  const space = state.spaces.find((one) => one.id === Number(id));
  leave(element);
  if (!space) {
    element.replaceChildren(screenBar(texts.space), h("p", { class: "dim" }, words.noSuchSpace));
    return;
  }
  if (state.space !== space.id) choose(space.id); // commands and new conversations belong to the Space that is looked at
  shown = { element, id: space.id, tab };
  const panel = h("div", { id: "space-panel", role: "tabpanel", "aria-labelledby": `space-tab-${tab}`, tabindex: tab === "conversations" ? null : "-1" });
  element.replaceChildren(screenBar(space.name), tabs(), panel);
  shown.quiet = subscribe(follow);
  await { conversations: drawTalks, memory: drawMemory, settings: drawSettings }[tab](panel);
}

/** Let go of what is shown. */
export function leave(element) {
  shown?.quiet?.();
  shown?.editor?.end();
  shown = null;
  element.replaceChildren();
}

const spaceShown = () => state.spaces.find((one) => one.id === shown?.id);

function follow(changed) {
  const space = spaceShown();
  if (!space) return;
  shown.element.querySelector("h2").textContent = space.name;
  if (shown.tab === "conversations" && changed.has("conversations")) drawTalks(shown.element.querySelector("#space-panel"));
  if (shown.tab === "settings" && changed.has("spaces") && !shown.form.touched) fill(space);
}

/** The tabs: one is in the order of Tab, the arrow keys go to the others. */
function tabs() {
  const row = h("div", { class: "tabs", role: "tablist", "aria-label": words.tabsLabel });
  for (const name of TABS) {
    const here = name === shown.tab;
    row.append(h("button", { type: "button", role: "tab", id: `space-tab-${name}`, "aria-selected": String(here), "aria-controls": here ? "space-panel" : null,
      tabindex: here ? "0" : "-1", onclick: () => go(name) }, words.tabs[name]));
  }
  row.addEventListener("keydown", (event) => {
    const at = TABS.indexOf(shown.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + TABS.length, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(TABS[to % TABS.length]);
  });
  return row;
}

/** Go to a tab: the page is the same place in the browser's history, and the focus stays on its tab. */
async function go(tab) {
  if (tab === shown.tab) return;
  const { element, id } = shown;
  history.replaceState(null, "", spaceAddress(id, tab));
  const drawn = show(element, [null, id, tab]);
  element.querySelector(`#space-tab-${tab}`).focus();
  await doing(() => drawn);
}

function drawTalks(panel) {
  const inside = state.conversations.filter((one) => one.space === shown.id);
  const rows = inside.map((one) => h("li", {}, h("a", { href: addressOf(one.id) }, h("span", { class: "cut" }, titleOf(one)),
    h("span", { class: "small dim" }, `${words.messagesCount(one.messages)} · ${one.updated.slice(0, 10)}`))));
  panel.replaceChildren(button(words.startHere, begin, "primary"),
    inside.length ? h("ul", { class: "plain talks" }, ...rows) : h("p", { class: "dim none" }, words.inSpaceNone));
}

async function drawMemory(panel) {
  const home = { kind: "space", space: shown.id };
  const editor = memoryEditor({ id: "space-fact", homes: () => [["space", words.homeSpace(spaceShown()?.name ?? ""), home]], sieve: () => ({ home }),
    scroller: shown.element });
  shown.editor = editor;
  panel.replaceChildren(editor.element);
  await editor.show();
}

function drawSettings(panel) {
  const name = h("input", { id: "edit-space-name", required: true, autocomplete: "off", maxlength: 300 });
  const instructions = h("textarea", { id: "edit-space-instructions", rows: 5, autocomplete: "off", maxlength: 20000 });
  const memory = h("input", { id: "edit-space-memory", type: "checkbox", autocomplete: "off", "aria-describedby": "edit-space-memory-note" });
  const reach = h("select", { id: "edit-space-reach", autocomplete: "off" });
  const error = h("p", { class: "error", role: "alert" });
  options(reach, Object.entries(texts.reaches), "conversation");
  const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);
  const form = h("form", { class: "stack space-settings", autocomplete: "off", onsubmit: save, oninput: () => { form.touched = true; } },
    field(words.name, name), field(words.instructions, instructions),
    h("div", {}, h("label", { class: "check" }, memory, h("span", {}, words.memorySwitch)), h("p", { id: "edit-space-memory-note", class: "dim small under" }, words.memoryNote)),
    field(words.reach, reach), error,
    h("div", { class: "row between" }, button(words.deleteSpace, remove, "danger"), h("button", { class: "primary" }, words.saveSpace)));
  form.fields = { name, instructions, memory, reach, error };
  shown.form = form;
  panel.replaceChildren(form);
  fill(spaceShown());
}

function fill({ name, instructions, memory, reach }) {
  const { fields } = shown.form;
  fields.name.value = name;
  fields.instructions.value = instructions;
  fields.memory.checked = memory;
  fields.reach.value = reach;
}

async function save(event) {
  event.preventDefault();
  const { form, id } = shown;
  const { name, instructions, memory, reach, error } = form.fields;
  try {
    await call("PATCH", `/spaces/${id}`, { name: name.value, instructions: instructions.value, memory: memory.checked, reach: reach.value });
    form.touched = false;
    error.textContent = "";
    await refresh("spaces");
    notice(words.spaceSaved);
  } catch (failure) {
    error.textContent = failure.message;
    name.focus();
  }
}

async function remove() {
  const space = spaceShown();
  const answers = [["", texts.cancel, ""], ["keep", texts.moveOut, ""], ["delete", texts.deleteThemToo, "danger"]];
  const answer = await ask(texts.deleteSpaceAsk(space.name), texts.deleteSpaceText, answers);
  if (!answer) return;
  await doing(async () => {
    await call("DELETE", `/spaces/${space.id}?keep_conversations=${answer === "keep"}`);
    begin();
    announce(words.removed);
    await refresh("spaces", "conversations", "facts");
  });
}
