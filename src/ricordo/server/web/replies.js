/** Sending, and replies as they come. A reply goes on coming while another conversation is shown. */

import { call, events } from "./api.js";
import { $, announce, button, notice, setBlock } from "./dom.js";
import { privatePath } from "./conversations.js";
import { fill, messageElement, offer, say } from "./messages.js";
import { PRIVATE, isPrivate, refresh, state, update } from "./state.js";
import { texts } from "./texts.js";

/**
 * What stands below the stored messages, by conversation: a reply that is coming, or the sentence saying why none came.
 * @type {Map<number | string, { item: HTMLElement, asked: any, kept: any, coming: boolean, ending: AbortController, stored: () => void }>}
 */
const tails = new Map();
/** What shows the conversation: it takes messages in, cuts them off, draws. */
let view = null;
let ended = () => {};

/** @param {Record<"include" | "cutAt" | "dropReply" | "draw" | "show" | "toEnd" | "finished" | "showMeter", Function>} watching is told what comes */
export function watch(watching) {
  view = watching;
}

/** @param {(id: number | string, well: boolean) => void} callback is told when a reply has ended, and whether it went well */
export function whenEnded(callback) {
  ended = callback;
}

export const tailOf = (id) => tails.get(id);
export const replying = (id = state.conversation) => tails.get(id)?.coming ?? false;

const pathOf = (id) => (id === PRIVATE ? privatePath() : `/conversations/${id}`);

/** Stop the reply that is coming here; what came of it stays. */
export async function stop() {
  if (replying()) await call("POST", `${pathOf(state.conversation)}/stop`);
}

/** Send a message and follow its reply; `stored` is called when the vault has it. Resolves to whether it has. */
export const send = (id, text, attachments, stored) => follow(id, `${pathOf(id)}/reply`, { text, attachments }, stored);

/** Say something in place of a message, and follow the reply. Resolves to whether it was stored. */
export const edit = (message, text, attachments, stored) => {
  const closed = () => {
    view.cutAt(message.conversation, message.id);
    stored();
  };
  return follow(message.conversation, `/messages/${message.id}/edit`, { text, attachments }, closed, true);
};

/** Ask for another reply to the last message. */
export function retry() {
  const id = state.conversation;
  view.dropReply();
  $("text").focus();
  return follow(id, `${pathOf(id)}/retry`, undefined, () => {}, true);
}

/** Keep an entry without a reply; resolves to whether it was stored. */
export async function keep(id, text, attachments, stored) {
  try {
    await call("POST", `/conversations/${id}/entries`, { text, attachments });
    stored();
    tails.delete(id);
    if (state.conversation === id) await view.show({}, true);
    announce(texts.entryKept);
    refresh("conversations");
    ended(id, true);
    return true;
  } catch (error) {
    notice(error.message, { error: true });
    return false;
  }
}

async function follow(id, path, body, stored, anew = false) {
  const item = messageElement({ role: "model", text: "" });
  const tail = { item, asked: null, kept: null, coming: true, ending: new AbortController(), stored, anew };
  tails.set(id, tail);
  item.setAttribute("aria-busy", "true");
  say(item, texts.waiting);
  if (id === state.conversation) view.draw();
  update({ replying: tails.size });
  if (id === state.conversation) await view.toEnd();
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
  if (id !== PRIVATE) refresh("conversations").catch(() => {}); // for its place in the list
  if (tail.asked || !body) ended(id, !tails.has(id));
  return tail.asked !== null;
}

function take(id, tail, name, data) {
  const { item } = tail;
  if (name === "stored") {
    tail.asked = data;
    tail.stored();
    if (id !== PRIVATE) refresh("conversations").catch(() => {}); // for its title
    if (id === state.conversation) {
      view.include(data);
      view.draw();
    } else if (id === PRIVATE) view.include(data);
  } else if (name === "meter") {
    if (id === state.conversation) view.showMeter(data);
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
  fill(item, message);
  view.finished(id, item, message);
  if (id === state.conversation) {
    bringIntoView(item);
    if (tail.anew && !isPrivate()) view.show(); // for its other versions
  }
  announce(message.status === "complete" ? texts.replyComplete : texts.replyStopped);
}

function fail(id, tail, { reason, kept }) {
  const { item } = tail;
  Object.assign(tail, { coming: false, kept });
  item.removeAttribute("aria-busy");
  item.classList.add("failed");
  if (kept) {
    if (id === state.conversation || id === PRIVATE) view.include(kept);
    fill(item, kept);
    offer(item, kept);
  }
  say(item, reason);
  item.querySelector(".actions").prepend(button(texts.tryAgain, retry, "strong"));
  announce(reason);
  bringIntoView(item);
}

/** Keep the newest text in view, unless the reader has scrolled up. */
function bringIntoView(item) {
  const box = $("scroll");
  if (item.isConnected && box.scrollHeight - box.scrollTop - box.clientHeight < 160) box.scrollTop = box.scrollHeight;
}
