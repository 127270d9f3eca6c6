/** The open conversation: showing it, and replies as they come. A reply goes on coming while another conversation is shown. */

import { call, events } from "./api.js";
import { $, announce, button, drawRows, notice, setBlock } from "./dom.js";
import { dayLine, dayOf, fill, messageElement, offer, say } from "./messages.js";
import { lookAhead, showMeter } from "./meter.js";
import { refresh, state, subscribe, update } from "./state.js";
import { texts } from "./texts.js";

/**
 * What stands below the stored messages, by conversation: a reply that is coming, or the sentence saying why none came.
 * @type {Map<number, {item: HTMLElement, asked: any, kept: any, coming: boolean, ending: AbortController, stored: () => void}>}
 */
const tails = new Map();
let page = { messages: [], earlier: false };
let latest = 0; // counts the fetches, so that a slow one does not overwrite a newer one

export function setUpChat() {
  $("earlier").addEventListener("click", () => show(page.messages[0].id));
  subscribe((changed) => {
    if (changed.has("conversation")) open();
  });
}

export const replying = () => tails.get(state.conversation)?.coming ?? false;

/** Stop the reply that is coming here; what came of it stays. */
export async function stop() {
  if (replying()) await call("POST", `/conversations/${state.conversation}/stop`);
}

function open() {
  page = { messages: [], earlier: false };
  $("messages").replaceChildren();
  $("earlier").hidden = true;
  $("welcome").hidden = state.conversation !== null;
  if (state.conversation !== null) show();
  if (state.inside) lookAhead();
}

/** Fetch and show the newest messages, or those before one. */
export async function show(before = null) {
  const id = state.conversation;
  const turn = ++latest;
  try {
    const fetched = await call("GET", `/conversations/${id}/messages${before ? `?before=${before}` : ""}`);
    if (id !== state.conversation || turn !== latest) return;
    if (before) fetched.messages.push(...page.messages);
    page = fetched;
    const asked = tails.get(id)?.asked;
    if (asked) include(asked); // stored after this was fetched
    draw(before);
  } catch (error) {
    if (error.kind === "NotFound") location.hash = "#/";
    else if (error.kind !== "VaultLocked") notice(error.message, { error: true });
  }
}

function draw(before) {
  const list = $("messages");
  const tail = tails.get(state.conversation);
  const rows = [];
  for (const message of page.messages) {
    if (message.id === tail?.kept?.id) continue;
    if (rows.at(-1)?.day !== dayOf(message.at)) rows.push({ day: dayOf(message.at) });
    rows.push({ day: dayOf(message.at), message, last: message === page.messages.at(-1) && !tail });
  }
  const below = list.querySelector(`[data-id="${before}"]`);
  const top = below?.getBoundingClientRect().top;
  drawRows(list, rows, ({ day, message, last }) => (message ? keyOf(message, last) : day), ({ day, message, last }) => {
    if (!message) return dayLine(day);
    const item = messageElement(message);
    offer(item, message, last ? lastActions(message) : []);
    return item;
  });
  if (tail) list.append(tail.item);
  $("earlier").hidden = !page.earlier;
  if (below) $("scroll").scrollTop += below.getBoundingClientRect().top - top;
  else if (!before) $("scroll").scrollTop = $("scroll").scrollHeight;
}

const keyOf = (message, last) => `${message.id} ${message.status} ${message.text.length} ${last}`;

function lastActions(message) {
  return [button(message.role === "user" ? texts.askReply : texts.tryAgain, retry, "quiet strong")];
}

/** Put a message at the end of the page, unless it is there. */
function include(message) {
  if (!page.messages.some((one) => one.id === message.id)) page.messages.push(message);
}

/** Send a message and follow its reply; `stored` is called when the vault has it. Resolves to whether it has. */
export const send = (id, text, stored) => followReply(id, `/conversations/${id}/reply`, { text }, stored);

/** Ask for another reply to the last message. */
export function retry() {
  const id = state.conversation;
  const last = page.messages.at(-1);
  if (last?.role === "model") page.messages.pop();
  $("text").focus();
  return followReply(id, `/conversations/${id}/retry`);
}

/** Keep an entry without a reply; resolves to whether it was stored. */
export async function keep(id, text, stored) {
  try {
    await call("POST", `/conversations/${id}/entries`, { text });
    stored();
    tails.delete(id);
    if (state.conversation === id) await show();
    announce(texts.entryKept);
    refresh("conversations");
    return true;
  } catch (error) {
    notice(error.message, { error: true });
    return false;
  }
}

async function followReply(id, path, body, stored = () => {}) {
  const item = messageElement({ role: "model", text: "" });
  const tail = { item, asked: null, kept: null, coming: true, ending: new AbortController(), stored };
  tails.set(id, tail);
  item.setAttribute("aria-busy", "true");
  say(item, texts.waiting);
  if (id === state.conversation) draw();
  update({ replying: tails.size });
  try {
    for await (const [name, data] of events(path, body, tail.ending.signal)) take(id, tail, name, data);
    if (tail.coming) throw new Error(texts.noAnswer);
  } catch (error) {
    if (error.name === "AbortError") return tail.asked !== null;
    if (tail.asked || !body) fail(id, tail, { reason: error.message, kept: null });
    else {
      tail.coming = false;
      tails.delete(id);
      item.remove();
      notice(error.message, { error: true });
    }
  }
  update({ replying: tails.size });
  refresh("conversations").catch(() => {}); // for its place in the list
  return tail.asked !== null;
}

function take(id, tail, name, data) {
  const { item } = tail;
  if (name === "stored") {
    tail.asked = data;
    tail.stored();
    refresh("conversations").catch(() => {}); // for its title
    if (id === state.conversation) {
      include(data);
      draw();
    }
  } else if (name === "meter") {
    if (id === state.conversation) showMeter(data);
  } else if (name === "thought") say(item, texts.thinking);
  else if (name === "blocks") {
    say(item, "");
    for (const [index, html] of data) setBlock(item.querySelector(".body"), index, html);
    bringIntoView(item);
  } else if (name === "done") finish(id, tail, data);
  else if (name === "failed") fail(id, tail, data);
}

function finish(id, tail, message) {
  const { item } = tail;
  tail.coming = false;
  tails.delete(id);
  item.removeAttribute("aria-busy");
  item.dataset.id = message.id;
  item.rowKey = keyOf(message, true);
  fill(item, message);
  offer(item, message, lastActions(message));
  if (id === state.conversation) {
    include(message);
    draw(message.id);
    bringIntoView(item);
    lookAhead();
  }
  announce(message.status === "complete" ? texts.replyComplete : texts.replyStopped);
}

function fail(id, tail, { reason, kept }) {
  const { item } = tail;
  Object.assign(tail, { coming: false, kept });
  item.removeAttribute("aria-busy");
  item.classList.add("failed");
  if (kept) {
    if (id === state.conversation) include(kept);
    fill(item, kept);
    offer(item, kept);
  }
  say(item, reason);
  item.querySelector(".actions").prepend(button(texts.tryAgain, retry, "strong"));
  announce(reason);
  bringIntoView(item);
}

/** Keep the newest text in view, unless the reader has scrolled up. */
function bringIntoView(item, always = false) {
  const box = $("scroll");
  if (item.isConnected && (always || box.scrollHeight - box.scrollTop - box.clientHeight < 160)) box.scrollTop = box.scrollHeight;
}
