/** The message box: sending, just writing, commands, and drafts, which lie in the vault and not in the browser's storage. */

import { call } from "./api.js";
import { $, announce, notice } from "./dom.js";
import { addressOf } from "./conversations.js";
import { keep, replying, send, stop } from "./chat.js";
import { refresh, spaceHere, state, subscribe, update } from "./state.js";
import { choose } from "./spaces.js";
import { texts } from "./texts.js";

const DRAFT_AFTER = 800; // milliseconds without a key
const COMMAND = /^\/[\p{L}][^\s/]*(\s|$)/u; // the same rule as ricordo.commands
let drafts = new Map(); // conversation id → what is written but not sent
let shown = null; // the conversation whose draft is in the box
let timer = null;
let sending = false;

export function setUpComposer() {
  const box = $("text");
  box.addEventListener("input", () => {
    fit();
    clearTimeout(timer);
    timer = setTimeout(keepDraft, DRAFT_AFTER);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (replying()) announce(texts.waitForReply);
    else submit();
  });
  $("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    if (replying()) stop().catch((error) => notice(error.message, { error: true }));
    else submit();
  });
  $("just-write").addEventListener("change", drawButton);
  addEventListener("pagehide", keepDraft);
  subscribe((changed) => {
    if (changed.has("conversation")) swapDraft();
    if (changed.has("conversation") || changed.has("replying")) drawButton();
  });
}

/** Fetch the drafts; called before the message box is shown. */
export async function loadDrafts() {
  drafts = new Map((await call("GET", "/drafts")).map(({ conversation, text }) => [conversation, text]));
}

/** Put a text into the box, for the person to go on from. */
export function suggest(text) {
  write(text);
  $("text").focus();
  timer = setTimeout(keepDraft, DRAFT_AFTER);
}

function write(text) {
  $("text").value = text;
  fit();
}

function fit() {
  const box = $("text");
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}

function drawButton() {
  const coming = replying();
  $("send").textContent = coming ? texts.stop : $("just-write").checked ? texts.keep : texts.send;
  $("send").classList.toggle("stop", coming);
}

/** Keep what is in the box as the draft of its conversation. `keepalive`: the tab may be closing. */
export function keepDraft() {
  if (timer === null || !state.inside) return Promise.resolve();
  clearTimeout(timer);
  timer = null;
  drafts.set(shown, $("text").value);
  return putDraft(shown, $("text").value);
}

async function putDraft(conversation, text) {
  const body = JSON.stringify({ conversation, text });
  const keepalive = body.length < 60_000; // browsers take no more than 64 kB of it
  await fetch("/api/draft", { method: "PUT", keepalive, headers: { "content-type": "application/json" }, body }).catch(() => {});
}

function swapDraft() {
  keepDraft();
  shown = state.conversation;
  write(drafts.get(shown) ?? "");
  showOutcome("");
}

async function submit() {
  const text = $("text").value;
  if (!text.trim() || sending) return;
  sending = true; // Enter twice does not send twice
  try {
    if (COMMAND.test(text)) await command(text);
    else await deliver(text);
  } catch (error) {
    notice(error.message, { error: true });
  } finally {
    sending = false;
  }
}

async function deliver(text) {
  showOutcome("");
  const justWrite = $("just-write").checked;
  const draftOf = state.conversation;
  const id = draftOf ?? (await beginHere());
  clearBox();
  const stored = () => dropDraft(draftOf); // not before: until then the draft is the only copy
  const storing = justWrite ? keep(id, text, stored) : send(id, text, stored);
  sending = false; // from here on it is the reply that is waited for
  if (!(await storing) && state.conversation === id && !$("text").value) suggest(text);
}

/** Begin a conversation in the active Space; the vault titles it after its first line. */
async function beginHere() {
  const made = await call("POST", "/conversations", { space: state.space });
  await refresh("conversations");
  history.replaceState(null, "", addressOf(made.id));
  update({ conversation: made.id });
  return made.id;
}

function clearBox() {
  clearTimeout(timer);
  timer = null;
  write("");
}

function dropDraft(conversation) {
  if (drafts.delete(conversation)) putDraft(conversation, "");
}

async function command(text) {
  try {
    const outcome = await call("POST", "/commands", { text, space: spaceHere() });
    clearBox();
    dropDraft(state.conversation);
    showOutcome(outcome.text);
    if (outcome.space !== spaceHere()) choose(outcome.space);
    refresh("facts").catch(() => {}); // not waited for: the next command may come at once
  } catch (error) {
    showOutcome(error.message, true);
  }
}

function showOutcome(text, error = false) {
  const place = $("outcome");
  place.textContent = text;
  place.hidden = text === "";
  place.classList.toggle("error", error);
}
