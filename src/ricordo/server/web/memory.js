/** The panel beside the conversation: the memory editor over all facts, or over those of here. It is loaded when first opened. */

import { $, doing, h, options } from "./dom.js";
import { styled } from "./screens.js";
import { conversation, spaceHere, spaceNamed, state, subscribe } from "./state.js";

let editor = null;
let scope = null; // the select of what is listed

$("memory-close").addEventListener("click", () => showMemory(false));
subscribe((changed) => {
  if (editor && ["conversation", "conversations", "spaces", "space"].some((name) => changed.has(name))) drawScopes();
});

/** Open or close the panel; the focus goes along. */
export async function showMemory(open) {
  if ($("chat").hidden) {
    location.hash = "#/memory"; // a screen has no room for it
    return;
  }
  $("memory").hidden = !open;
  $("toggle-memory").setAttribute("aria-expanded", String(open));
  if (!open) {
    editor?.end();
    $("toggle-memory").focus();
    return;
  }
  const from = document.activeElement;
  await doing(async () => {
    (await import("./recent.js")).look();
    editor ??= await made();
    if ($("memory").hidden) return; // closed meanwhile
    const shown = editor.show();
    if (document.activeElement === from) editor.focus(); // loading takes a moment, and the person may be elsewhere by then
    await shown;
  });
}

async function made() {
  const [{ memoryEditor }, { memoryTexts: words }] = await Promise.all([import("./memory_editor.js"), import("./texts_memory.js"), styled("memory.css")]);
  scope = h("select", { id: "fact-scope", autocomplete: "off", "aria-label": words.scopeLabel, onchange: () => editor.load() });
  const made = memoryEditor({ id: "fact", homes: () => places(words), filters: [scope], sieve: () => ({ home: here(scope.value) }) });
  scope.words = words;
  drawScopes();
  $("memory-editor").replaceChildren(made.element);
  return made;
}

/** The homes that there are here, the usual one first: the Space, else global where that is on, else the conversation. */
function places(words) {
  const found = [["global", words.homeGlobal, here("global")]];
  if (conversation()) found[state.settings?.global_memories ? "push" : "unshift"](["conversation", words.homeConversation, here("conversation")]);
  if (spaceHere() !== null) found.unshift(["space", words.homeSpace(spaceNamed(spaceHere())), here("space")]);
  return found;
}

function here(kind) {
  if (kind === "space") return { kind, space: spaceHere() };
  if (kind === "conversation") return { kind, conversation: state.conversation };
  return kind === "global" ? { kind } : null;
}

function drawScopes() {
  const { words } = scope;
  const before = scope.value;
  const entries = [["all", words.scopeAll], ...places(words).map(([key, label]) => [key, key === "global" ? words.scopeGlobal : label])];
  options(scope, entries, entries.some(([key]) => key === before) ? before : "all");
}
