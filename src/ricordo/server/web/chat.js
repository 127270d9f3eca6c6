/** The open conversation: fetching a stretch of it, drawing it, opening it at a message. */

import { call } from "./api.js";
import { $, announce, button, drawRows, notice, painted } from "./dom.js";
import { leaveDeleted, privateMessages } from "./conversations.js";
import { dayLine, dayOf, messageElement, offer, startEdit } from "./messages.js";
import { retry, tailOf, watch } from "./replies.js";
import { PRIVATE, conversation, isPrivate, state, subscribe } from "./state.js";
import { texts } from "./texts.js";

const none = () => ({ messages: [], earlier: false, later: false });
let page = none(); // `at`: the message that it was opened at, while there is more after what is shown
let latest = 0; // counts the fetches, so that a slow one does not overwrite a newer one
let busy = 0; // openings at a message and fetches of what is shown that are under way
let running = Promise.resolve(); // resolves when those have ended
let due = null; // the fetch of what is shown that follows them, if one was asked for

export function setUpChat() {
  $("earlier").addEventListener("click", () => show({ before: page.messages[0].id }));
  $("later").addEventListener("click", () => show({ after: page.messages.at(-1).id }));
  watch({ include, cutAt, dropReply, draw, show, toEnd, finished, showMeter });
  subscribe((changed) => {
    if (changed.has("conversation")) open();
    else if (changed.has("message") && state.message) alone(() => openAt(state.message));
    else if (changed.has("conversations") && Number.isInteger(state.conversation) && !conversation()) show(); // deleted elsewhere, or only just begun
  });
}

function open() {
  page = none();
  $("messages").replaceChildren();
  $("earlier").hidden = $("later").hidden = true;
  $("welcome").hidden = state.conversation !== null;
  if (state.conversation !== null) state.message ? alone(() => openAt(state.message)) : show({}, true);
  if (isPrivate()) showMeter(null);
  else if (state.inside) lookAhead();
}

/** Show what was sent or, once what was drawn is painted, what would be. */
const showMeter = async (meter) => (await import("./meter.js")).showMeter(meter);
const lookAhead = () => painted().then(async () => (await import("./meter.js")).lookAhead());

/** Show a message with what stands around it; one of another version brings that version along. */
async function openAt(message) {
  if (!(await show({ around: message }, true)) || page.messages.some((one) => one.id === message)) return;
  try {
    if ((await call("POST", `/messages/${message}/show`)).conversation !== state.conversation) return;
    announce(texts.otherVersionShown);
    await show({ around: message }, true);
  } catch (error) {
    notice(error.message, { error: true });
  }
}

/**
 * Show the conversation anew, or more of it: before, after or around a message. Resolves to whether that is shown now. Word of
 * changes may come by the dozen: what is shown is fetched anew once at a time, and never while something else is being fetched.
 */
export function show(where = null, opening = false) {
  const first = where?.before || where?.after ? running : null; // more is put beside what is shown, which is to be there
  if (where) return alone(async () => (await first, fetchAndDraw(where, opening)));
  if (!busy) return alone(() => fetchAndDraw(asShown(), false));
  due ??= running.then(() => {
    due = null;
    return show();
  });
  return due;
}

/** Do some work that what is shown must not be fetched anew in. */
function alone(work) {
  busy += 1;
  const done = work().finally(() => { busy -= 1; });
  running = Promise.allSettled([running, done]);
  return done;
}

async function fetchAndDraw(where, opening) {
  const id = state.conversation;
  const turn = ++latest;
  if (id === null) return false;
  if (id === PRIVATE) {
    page = { ...none(), messages: privateMessages() };
    draw();
    return true;
  }
  try {
    const fetched = await call("GET", `/conversations/${id}/messages?${new URLSearchParams(where)}`);
    if (id !== state.conversation || turn !== latest) return false;
    page = joined(fetched, where);
    const asked = tailOf(id)?.asked;
    if (asked && !page.later) include(asked); // stored after this was fetched
    draw(where, opening);
    return true;
  } catch (error) {
    if (error.kind === "NotFound") leaveDeleted();
    else if (error.kind !== "VaultLocked") notice(error.message, { error: true });
    return false;
  }
}

/** What to ask for to show as much of the conversation as there is on the page. */
const asShown = () => ({ ...(page.later ? { around: page.at } : {}), limit: Math.min(Math.max(page.messages.length, 100), 1000) });

function joined(fetched, { before, after, around }) {
  if (before) return { ...fetched, messages: [...fetched.messages, ...page.messages], later: page.later, at: page.at };
  if (after) return { ...fetched, messages: [...page.messages, ...fetched.messages], earlier: page.earlier, at: page.at };
  return { ...fetched, at: around };
}

function draw({ before, around } = {}, opening = false) {
  const list = $("messages");
  const box = $("scroll");
  const tail = tailOf(state.conversation);
  const rows = [];
  for (const message of page.messages) {
    if (message.id === tail?.kept?.id) continue;
    if (rows.at(-1)?.day !== dayOf(message.at)) rows.push({ day: dayOf(message.at), begins: message });
    rows.push({ day: dayOf(message.at), message, last: message === page.messages.at(-1) && !tail && !page.later });
  }
  const below = list.querySelector(`[data-id="${before}"]`);
  const top = below?.getBoundingClientRect().top;
  const atEnd = opening || tail?.coming || box.scrollHeight - box.scrollTop - box.clientHeight < 160;
  drawRows(list, rows, ({ day, message, last }) => (message ? keyOf(message, last) : day), ({ begins, message, last }) => {
    if (begins) return dayLine(begins);
    const item = messageElement(message);
    offer(item, message, last ? lastActions(message) : []);
    return item;
  });
  if (tail && !page.later) list.append(tail.item);
  $("earlier").hidden = !page.earlier;
  $("later").hidden = !page.later;
  if (below) box.scrollTop += below.getBoundingClientRect().top - top;
  else if (around && opening) pointAt(list.querySelector(`[data-id="${around}"]`));
  else if (atEnd && !page.later) box.scrollTop = box.scrollHeight;
}

/** Bring the message that was asked for into view, mark it, and go on from there. */
function pointAt(item) {
  for (const other of document.querySelectorAll("#messages .sought")) other.classList.remove("sought");
  if (!item) return;
  item.classList.add("sought");
  item.tabIndex = -1;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "center" });
}

const keyOf = (message, last) =>
  `${message.id} ${message.status} ${message.text.length} ${message.versions?.join()} ${last}`;

function lastActions(message) {
  return [button(message.role === "user" ? texts.askReply : texts.tryAgain, retry, "quiet strong")];
}

/** Put a message at the end of the page, unless it is there. */
function include(message) {
  const messages = message.conversation ? page.messages : privateMessages();
  if (!messages.some((one) => one.id === message.id)) messages.push(message);
}

/** Take a message and what follows it off the page: another version takes its place. */
function cutAt(id, message) {
  const at = id === state.conversation ? page.messages.findIndex((one) => one.id === message) : -1;
  if (at >= 0) page.messages.splice(at);
}

/** Show the end of the conversation, where what is written now will stand. */
const toEnd = () => (page.later ? show({}, true) : null);

/** Take the last reply off the page: another one comes. */
function dropReply() {
  if (page.messages.at(-1)?.role === "model") page.messages.pop();
}

/** Take a reply in that is whole now; its element stays the one that it streamed into. */
function finished(id, item, message) {
  item.rowKey = keyOf(message, true);
  offer(item, message, lastActions(message));
  if (id === PRIVATE) include(message);
  if (id !== state.conversation) return;
  if (id !== PRIVATE) include(message);
  draw({ before: message.id });
  lookAhead();
}

/** Edit the last message of the person that is shown. */
export function editLast() {
  const message = page.messages.findLast((one) => one.role === "user");
  const item = message && $("messages").querySelector(`[data-id="${message.id}"]`);
  if (item && message.conversation) startEdit(item, message);
}

/** How many messages follow one; Infinity where not all of them are on the page. */
export const following = (message) => (page.later ? Infinity : page.messages.length - 1 - page.messages.findIndex((one) => one.id === message.id));
