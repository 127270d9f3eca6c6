/** The message box: sending, just writing, waiting for a reply to end, commands, drafts. Nothing that was typed is lost. */

import { call } from "./api.js";
import { enclose, enclosed, fit, setUpBox, write, written } from "./box.js";
import { $, announce, doing, notice } from "./dom.js";
import { editLast } from "./chat.js";
import { addressOf, beginPrivate, choose, deletedElsewhere, privateBegun } from "./conversations.js";
import { keep, replying, send, stop, whenEnded } from "./replies.js";
import { PRIVATE, isPrivate, refresh, spaceHere, state, subscribe, update } from "./state.js";
import { texts } from "./texts.js";
import { dequeue, draftOf, enqueue, forget, hurry, keepDraft as putDraft, keepGiven, putGiven, setUpQueue, settled, underway, unsentTexts, waitingIn } from "./unsent.js";

const DRAFT_AFTER = 800; // milliseconds without a key
const COMMAND = /^\/[\p{L}][^\s/]*(\s|$)/u; // the same rule as ricordo.commands
let shown = null; // the conversation whose draft is in the box
let timer = null;
let sending = false;

export function setUpComposer() {
  const box = $("text");
  box.addEventListener("input", () => {
    fit();
    drawButton();
    later();
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "ArrowUp" && box.value === "") {
      event.preventDefault();
      editLast();
    }
  });
  $("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    if (replying()) doing(stop);
    else submit();
  });
  $("send-next").addEventListener("click", () => {
    submit();
    box.focus();
  });
  $("just-write").addEventListener("change", drawButton);
  $("private").addEventListener("change", togglePrivate);
  addEventListener("pagehide", () => { keepDraft(); hurry(); });
  setUpBox(keepGiven);
  setUpQueue({ edit: takeBack, send: () => flush(state.conversation), changed: (id) => { keepGiven(id); if (id === shown) later(); } });
  whenEnded((id, well) => well && flush(id));
  subscribe((changed) => {
    if (changed.has("conversation")) swapDraft();
    if (changed.has("conversation") || changed.has("replying")) drawButton();
  });
}

/** Put a text into the box, for the person to go on from. */
export function suggest(text) {
  write(text);
  $("text").focus();
  drawButton();
  later();
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(keepDraft, DRAFT_AFTER);
}

function drawButton() {
  const coming = replying();
  $("send").textContent = coming ? texts.stop : $("just-write").checked && !isPrivate() ? texts.keep : texts.send;
  $("send").classList.toggle("stop", coming);
  $("send-next").hidden = !coming || !written().trim();
}

/** Keep what is in the box as the draft of its conversation; resolves once the vault has it. */
export function keepDraft() {
  if (timer !== null && state.inside) {
    clearTimeout(timer);
    timer = null;
    putText(shown);
  }
  return settled();
}

const putText = (id) => putDraft(id, id === shown ? written() : draftOf(id), unsentTexts(id));

/** Show the draft of the conversation that is open now; what was typed in one that is gone comes along. */
function swapDraft() {
  const [text, files] = deletedElsewhere(shown) ? [written(), enclosed(shown)] : ["", []];
  keepDraft();
  shown = state.conversation;
  write([draftOf(shown), text].filter(Boolean).join("\n\n"));
  showOutcome("");
  if (text) later();
  if (!files.length) return;
  enclose(shown, [...enclosed(shown), ...files]);
  keepGiven(shown);
}

/** Make the conversation that has not begun a private one, or an ordinary one again; what is written stays in the box. */
export function togglePrivate() {
  if ($("chat").hidden || (state.conversation !== null && (!isPrivate() || privateBegun()))) return;
  const [from, to] = isPrivate() ? [PRIVATE, null] : [null, PRIVATE];
  const [text, files] = [written(), enclosed(from)];
  clearTimeout(timer);
  timer = null;
  write("");
  enclose(from, []);
  forget(from); // of a private one nothing stays in the vault
  history.replaceState(null, "", addressOf(to));
  update({ conversation: to });
  enclose(to, files);
  keepGiven(to);
  announce(to === PRIVATE ? texts.privateOn : texts.privateOff);
  suggest(text);
}

async function submit() {
  const text = written();
  if (sending || (!text.trim() && !enclosed().length)) {
    if (!sending && !replying()) flush(state.conversation);
    return;
  }
  sending = true; // Enter twice does not send twice
  try {
    if (COMMAND.test(text)) await command(text);
    else await deliver({ text, attachments: enclosed(), justWrite: $("just-write").checked && !isPrivate() });
  } catch (error) {
    notice(error.message, { error: true });
  } finally {
    sending = false;
  }
}

/** Send what is in the box, or let it wait behind the reply that is coming. */
async function deliver(one) {
  showOutcome("");
  const draft = state.conversation;
  if (replying() || waitingIn(draft).length) {
    takeOut(one);
    enqueue(draft, one);
    announce(replying() ? texts.queued : "");
    flush(draft);
    return;
  }
  const id = draft ?? (await beginHere(one.text));
  if (id === PRIVATE) await beginPrivate();
  takeOut(one);
  const storing = post(id, one, draft); // from here on it is the reply that is waited for
  sending = false;
  await storing;
}

/** Send what waits, unless a reply is coming. */
function flush(id) {
  if (replying(id) || !waitingIn(id).length) return;
  post(id, dequeue(id), id);
}

/** Hand a message to the vault; where it does not arrive it comes back. `draft` is where it lay until then. */
async function post(id, { text, attachments, justWrite }, draft) {
  underway.set(id, { text, attachments });
  const stored = () => {
    underway.delete(id);
    putGiven(id);
    if (draft !== id) forget(draft); // not before: until then the draft is the only copy
    putText(id); // at once, so that a reload does not bring back what was sent
  };
  if (await (justWrite ? keep(id, text, attachments, stored) : send(id, text, attachments, stored))) return;
  underway.delete(id);
  if (state.conversation === id && !written() && !enclosed().length) {
    enclose(id, attachments);
    suggest(text);
  } else enqueue(id, { text, attachments, justWrite }, true);
  putGiven(id);
  if (draft === id) return;
  putText(id);
  forget(draft);
}

/** Take a waiting message into the box again; what is in the box waits in its place. */
function takeBack(one) {
  if (written().trim() || enclosed().length) enqueue(state.conversation, { text: written(), attachments: enclosed(), justWrite: false });
  enclose(state.conversation, one.attachments);
  keepGiven(state.conversation);
  suggest(one.text);
}

/** Begin a conversation in the active Space; the vault titles it after its first line, `sent`. The box goes along as it is. */
async function beginHere(sent) {
  const made = await call("POST", "/conversations", { space: state.space });
  await refresh("conversations");
  history.replaceState(null, "", addressOf(made.id));
  const typed = writtenAfter(sent);
  const files = enclosed(null);
  update({ conversation: made.id }); // which puts the new conversation's draft into the box
  write(`${sent}${typed}`);
  enclose(null, []);
  enclose(made.id, files);
  return made.id;
}

/** What was typed in the moment that sending took: the box still held what was sent, `sent`. */
const writtenAfter = (sent) => (written().startsWith(sent) ? written().slice(sent.length) : written());

/** Take out of the box what goes off; what was added meanwhile stays. */
function takeOut({ text, attachments = [] }) {
  clearTimeout(timer);
  timer = null;
  write(writtenAfter(text));
  enclose(state.conversation, enclosed().filter((file) => !attachments.includes(file)));
  drawButton();
  if (written()) later();
}

async function command(text) {
  if (isPrivate()) return showOutcome(texts.privateNoCommand, true);
  try {
    const outcome = await call("POST", "/commands", { text, space: spaceHere() });
    takeOut({ text });
    putText(state.conversation);
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
