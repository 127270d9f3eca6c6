/** The start, the address of what is shown, the keys, and what happens when the vault is locked or changes elsewhere. */

import { call, follow, onShut, setUpChanges, tellOthers } from "./api.js";
import { setUpChat, show } from "./chat.js";
import { keepDraft, setUpComposer, suggest, togglePrivate } from "./composer.js";
import { begin, renameHere, setUpConversations } from "./conversations.js";
import { $, button, fillTexts, h, painted } from "./dom.js";
import { replying, stop } from "./replies.js";
import { showScreen } from "./screens.js";
import { PRIVATE, beginning, refresh, refreshSoon, state, subscribe, update } from "./state.js";
import { texts } from "./texts.js";
import { takeDrafts } from "./unsent.js";

const TOUCH_EVERY = 60_000; // milliseconds: reading and typing keep the vault open, without a request a key
const EVERYTHING = ["settings", "spaces", "conversations", "facts"];
let touched = 0;
let opener = null; // of the rail

async function start() {
  fillTexts();
  setUpConversations();
  setUpChat();
  setUpComposer();
  setUpChanges(heard);
  onShut(leave);
  $("toggle-memory").addEventListener("click", toggleMemory);
  $("lock").addEventListener("click", lock);
  $("open-search").addEventListener("click", openSearch);
  $("open-settings").addEventListener("click", openSettings);
  $("skip").addEventListener("click", (event) => { event.preventDefault(); (document.querySelector(".screen:not([hidden]) h2") ?? $("text")).focus(); });
  addEventListener("click", ({ target }) => { const by = target.closest(".rail-open"); if (by) showRail(true, by); });
  $("rail-close").addEventListener("click", () => showRail(false));
  for (const list of ["places", "conversations", "edit-space"]) $(list).addEventListener("click", () => showRail(false));
  subscribe((changed) => {
    if (changed.has("settings")) document.documentElement.dataset.theme = state.settings?.appearance ?? "system";
  });
  subscribe((changed) => {
    if (!changed.has("conversation")) return;
    showRail(false);
    showScreen(location.hash); // one that begins tells of no change of the address
  });
  $("examples").replaceChildren(...texts.examples.map((text) => h("li", {}, button(`${text.trim()} …`, () => suggest(text)))));
  $("keys").replaceChildren(...texts.keyTable.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]));
  addEventListener("hashchange", route);
  addEventListener("keydown", press);
  for (const name of ["keydown", "pointerdown"]) addEventListener(name, touch, { passive: true });
  addEventListener("visibilitychange", () => !document.hidden && state.inside && refresh(...EVERYTHING).catch(() => {}));
  await look(beginning);
  document.documentElement.dataset.ready = "";
}

/** Show the page for the vault as it is. */
async function look(asked = call("GET", "/start")) {
  try {
    const { vault, content } = await asked;
    if (content) enter(vault, content);
    else (await import("./door.js")).showDoor(vault, entered);
  } catch (error) {
    $("door").hidden = false;
    $("door-error").textContent = error.message;
  }
}

async function entered() {
  await look();
  tellOthers("entered"); // the other tabs share the session
}

function enter({ told }, { drafts, ...content }) {
  takeDrafts(drafts);
  update(content); // drawn while it is not inside yet, so that what would be sent is asked for once, by the route
  update({ inside: true });
  $("door").hidden = true;
  $("app").hidden = false;
  route();
  $("text").focus();
  painted().then(() => {
    follow(told);
    // What changed while this tab was being made, another tab may have been told of, when nobody listened here.
    call("GET", "/vault").then((now) => now.told !== told && heard("changed", { what: "everything" })).catch(() => {});
  });
}

/** Blank the page at once, then load it anew: so nothing of the vault stays in it, nor in the memory of its scripts. */
async function leave() {
  if (!state.inside) return;
  update({ inside: false });
  $("app").hidden = true;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  try {
    await fetch("/api/vault");
    location.reload();
  } catch {
    document.body.replaceChildren(h("p", { class: "gone" }, texts.noAnswer)); // the server has ended: there is no page to load
  }
}

async function lock() {
  const kept = keepDraft(); // it reads the message box before that is blank
  $("app").hidden = true; // at once, whatever the server does
  await kept;
  await call("POST", "/vault/lock").catch(() => {});
  tellOthers("locked");
  leave();
}

function heard(name, data) {
  const { what, conversation, changes, change } = data;
  if (!state.inside) {
    if (name === "entered") look();
    return;
  }
  if (name === "locked" || name === "lost") leave();
  else if (name === "learned") {
    toasts().then(({ showChanges }) => showChanges(changes));
    refreshSoon("facts");
  } else if (name === "undone") toasts().then(({ dropToast }) => dropToast(change));
  else if (name === "embedding") import("./meaning.js").then(({ showEmbedding }) => showEmbedding(data));
  else if (what === "messages") {
    if (conversation === state.conversation || conversation === null) if (state.conversation !== null && !replying()) show();
    refreshSoon("conversations");
  } else if (what === "imports") update({ imports: Date.now() });
  else if (EVERYTHING.includes(what)) refreshSoon(what);
  else {
    if (state.conversation !== null && !replying()) show();
    refreshSoon(...EVERYTHING);
  }
}

/** Show the screen that the address names, or the conversation: #/c/12, or #/c/12/m/345 at a message; anything else is one that has not begun. */
function route() {
  if (!state.inside || showScreen(location.hash)) return;
  const [, talk, at] = /^#\/c\/(\d+)(?:\/m\/(\d+))?$/.exec(location.hash) ?? [];
  const conversation = location.hash === "#/private" ? PRIVATE : Number(talk) || null;
  const message = Number(at) || null;
  if (conversation !== state.conversation || conversation === null) update({ conversation, message });
  else update({ message });
}

const toasts = () => import("./toast.js");

async function toggleMemory() {
  (await import("./memory.js")).showMemory($("memory").hidden);
}

async function openSearch() {
  (await import("./search.js")).openSearch();
}

/** To the message box, also from a screen that is shown in the conversation's place. */
function toMessageBox() {
  if ($("chat").hidden) {
    history.pushState(null, "", state.conversation === null ? "#/" : `#/c/${state.conversation}`);
    showScreen(location.hash);
  }
  $("text").focus();
}

function openSettings() {
  location.hash = "#/settings";
  showRail(false);
}

/** Show or hide the rail at narrow width; `by` is the button that opened it. */
function showRail(open, by = opener) {
  if ($("rail").classList.contains("open") === open) return;
  $("rail").classList.toggle("open", open);
  opener = by;
  by.setAttribute("aria-expanded", String(open));
  (open ? $("rail-close") : by).focus();
}

function touch() {
  if (!state.inside || Date.now() - touched < TOUCH_EVERY) return;
  touched = Date.now();
  call("POST", "/vault/touch").catch(() => {});
}

function press(event) {
  if (!state.inside) return;
  const typing = event.target.matches("input, textarea, select");
  const inDialog = document.querySelector("dialog[open]") !== null;
  const name = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.shiftKey ? "Shift+" : ""}${event.key.length === 1 ? event.key.toUpperCase() : event.key}`;
  const actions = {
    "Ctrl+K": openSearch,
    "Ctrl+Shift+O": begin,
    "Shift+Escape": toMessageBox,
    "Ctrl+I": togglePrivate,
    F2: renameHere,
    "Ctrl+J": toggleMemory,
    "Ctrl+.": openSettings,
    "Ctrl+Shift+L": lock,
  };
  if (!typing) {
    actions["Shift+?"] = () => $("keys-dialog").showModal();
    actions["Ctrl+Z"] = () => toasts().then(({ undoLast }) => undoLast());
  }
  if (name === "Escape" && !inDialog) {
    if ($("rail").classList.contains("open")) showRail(false);
    else if (replying()) stop();
  }
  const action = actions[name];
  if (!action || (inDialog && name !== "Ctrl+Shift+L")) return;
  event.preventDefault();
  action();
}

start();
