/**
 * The conversations that there are: the Space that is chosen or made, its list, changing one of them; and the private one.
 *
 * Of private conversations there is one at a time in a tab, in the server's memory and in this page's, nowhere else. It is the
 * open one when `state.conversation` is PRIVATE; it begins on the server with its first message.
 */

import { call } from "./api.js";
import { $, announce, ask, doing, drawRows, h, options } from "./dom.js";
import { PRIVATE, conversation, isPrivate, refresh, spaceNamed, state, subscribe, update } from "./state.js";
import { texts } from "./texts.js";

export const titleOf = (one) => one.title || texts.untitled;
export const addressOf = (id) => (id === null ? "#/" : id === PRIVATE ? "#/private" : `#/c/${id}`);
export const spaceAddress = (id, tab = "conversations") => `#/space/${id}/${tab}`;

let deleting = null; // the conversation that is being deleted in this tab

/** Whether a conversation is gone that was not deleted in this tab: then what was typed here is not to go with it. */
export const deletedElsewhere = (id) => Number.isInteger(id) && id !== deleting && !state.conversations.some((one) => one.id === id);

export function setUpConversations() {
  $("new-conversation").addEventListener("click", begin);
  $("edit-conversation").addEventListener("click", openDialog);
  $("title").addEventListener("dblclick", renameHere);
  $("conversation-dialog").addEventListener("close", save);
  $("conversation-delete").addEventListener("click", remove);
  subscribe((changed) => {
    if (["conversations", "spaces", "space", "conversation", "screen"].some((name) => changed.has(name))) draw();
  });
  setUpSpaces();
  setUpPrivate();
}

/** Open a conversation that has not begun: it is made when the first message is sent. */
export function begin() {
  history.pushState(null, "", addressOf(null)); // at once: a change of the hash would be told only later
  update({ conversation: null, message: null });
  $("text").focus();
}

/** Leave the open conversation, which is not there any more; a screen that is shown in its place stays. */
export function leaveDeleted() {
  if (state.screen === null) history.replaceState(null, "", addressOf(null));
  update({ conversation: null, message: null });
}

function draw() {
  const shown = state.space === null ? state.conversations : state.conversations.filter((one) => one.space === state.space);
  drawRows($("conversations"), shown, (one) => `${one.id} ${one.space} ${state.space} ${spaceNamed(one.space)} ${one.title}`, row);
  for (const link of $("conversations").querySelectorAll("a")) {
    if (state.screen === null && link.hash === addressOf(state.conversation)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (shown.length === 0) {
    $("conversations").replaceChildren(h("li", { class: "dim small" }, state.space === null ? texts.nothingYet : texts.nothingInSpace));
  }
  const open = conversation();
  $("title").textContent = open ? titleOf(open) : isPrivate() ? texts.privateTitle : texts.newConversation;
  $("title").title = open ? texts.renameHint : "";
  $("edit-conversation").hidden = !open;
}

function row(one) {
  const tag = one.space !== null && state.space === null ? h("span", { class: "tag" }, spaceNamed(one.space)) : null;
  return h("li", {}, h("a", { href: addressOf(one.id) }, h("span", { class: "cut" }, titleOf(one)), tag));
}

/** Rename the open conversation where its title stands: Enter or leaving keeps the new one, Esc the old. */
export function renameHere() {
  const open = conversation();
  if (!open || $("title-edit") || $("chat").hidden) return;
  const field = h("input", { id: "title-edit", autocomplete: "off", maxlength: "300", "aria-label": texts.titleField });
  field.value = open.title;
  let settled = false; // leaving after Enter does not save twice
  const close = async (keep) => {
    if (settled) return;
    settled = true;
    const title = field.value.trim();
    const inside = document.activeElement === field;
    field.remove();
    $("title").hidden = false;
    if (inside) $("title").focus();
    if (keep && title !== open.title) await change(open, { title }, texts.renamed(title || texts.untitled));
  };
  field.addEventListener("blur", () => close(true));
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.stopPropagation(); // Esc does not stop a reply
    close(event.key === "Enter");
  });
  $("title").hidden = true;
  $("title").after(field);
  field.select();
}

async function change(open, edit, said) {
  await doing(async () => {
    await call("PATCH", `/conversations/${open.id}`, edit);
    await refresh("conversations");
    announce(said);
  });
}

function openDialog() {
  const open = conversation();
  if (!open) return;
  $("conversation-title").value = open.title;
  const spaces = state.spaces.map((space) => [String(space.id), space.name]);
  options($("conversation-space"), [["", texts.noSpace], ...spaces], open.space === null ? "" : String(open.space));
  $("conversation-dialog").returnValue = "";
  $("conversation-dialog").showModal();
  $("conversation-title").select();
}

async function save() {
  const open = conversation();
  if ($("conversation-dialog").returnValue !== "save" || !open) return;
  const chosen = $("conversation-space").value;
  const edit = { title: $("conversation-title").value.trim(), space: chosen === "" ? null : Number(chosen) };
  if (edit.space === open.space) delete edit.space;
  await change(open, edit, texts.saved);
}

async function remove() {
  const open = conversation();
  $("conversation-dialog").close();
  const answers = [["", texts.cancel, ""], ["yes", texts.remove, "danger"]];
  if (!open || (await ask(texts.deleteConversationAsk, texts.deleteConversationText, answers)) !== "yes") return;
  deleting = open.id;
  await doing(async () => {
    await call("DELETE", `/conversations/${open.id}`);
    if (state.conversation === open.id) begin(); // unless word of it came first
    $("text").focus();
    await refresh("conversations", "facts");
  });
  deleting = null;
}

function setUpSpaces() {
  $("space").addEventListener("change", () => choose($("space").value === "" ? null : Number($("space").value)));
  $("new-space").addEventListener("click", openSpaceDialog);
  $("edit-space").addEventListener("click", () => { location.hash = spaceAddress(state.space, "settings"); });
  $("space-dialog").querySelector("form").addEventListener("submit", create);
  subscribe((changed) => {
    if (changed.has("spaces") || changed.has("space")) drawSpaces();
  });
}

/** Work in a Space from now on, null for none. */
export function choose(space) {
  update({ space });
}

function drawSpaces() {
  if (state.space !== null && !state.spaces.some((space) => space.id === state.space)) {
    update({ space: null });
    return;
  }
  const spaces = state.spaces.map((space) => [String(space.id), space.name]);
  options($("space"), [["", texts.allConversations], ...spaces], state.space === null ? "" : String(state.space));
  $("edit-space").hidden = state.space === null;
}

function openSpaceDialog() {
  $("space-name").value = $("space-instructions").value = $("space-error").textContent = "";
  $("space-dialog").showModal();
  $("space-name").focus();
}

async function create(event) {
  event.preventDefault(); // the dialog stays open when the name is taken
  try {
    const made = await call("POST", "/spaces", { name: $("space-name").value, instructions: $("space-instructions").value });
    await refresh("spaces");
    choose(made.id);
    $("space-dialog").close();
  } catch (error) {
    $("space-error").textContent = error.message;
    $("space-name").focus();
  }
}

const talk = { key: null, messages: [] };

export const privateBegun = () => talk.key !== null;
export const privateMessages = () => talk.messages;

/** The address of the private conversation on the server. */
export const privatePath = () => `/private/${talk.key}`;

function setUpPrivate() {
  $("private-end").addEventListener("click", endPrivate);
  addEventListener("pagehide", () => forget(true));
  subscribe((changed) => {
    if (changed.has("conversation") || changed.has("screen")) drawPrivate();
  });
}

/** Begin on the server, unless it has begun. */
export async function beginPrivate() {
  if (talk.key === null) talk.key = (await call("POST", "/private")).key;
  drawPrivate();
  return PRIVATE;
}

function drawPrivate() {
  $("private-note").hidden = !isPrivate();
  $("private-end").hidden = $("private-place").hidden = !privateBegun();
  const unbegun = state.conversation === null || (isPrivate() && !privateBegun());
  $("private-label").hidden = !unbegun;
  $("private").checked = isPrivate();
  $("just-write-label").hidden = isPrivate();
  const link = $("private-place").querySelector("a");
  if (isPrivate() && state.screen === null) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

function endPrivate() {
  forget();
  announce(texts.privateEnded);
  begin();
}

function forget(leaving = false) {
  if (talk.key === null) return;
  fetch(`/api${privatePath()}`, { method: "DELETE", keepalive: leaving }).catch(() => {});
  talk.key = null;
  talk.messages.length = 0;
}
