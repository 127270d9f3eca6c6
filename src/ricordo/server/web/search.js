/** Search over all messages and facts, loaded when first opened. The words go in the body of a request: they stand in no address. */

import { call } from "./api.js";
import { $, h } from "./dom.js";
import { addressOf, titleOf } from "./conversations.js";
import { dayLink } from "./messages.js";
import { state } from "./state.js";
import { texts } from "./texts.js";

const AFTER = 200; // milliseconds without a key
const AROUND = 60; // letters of context before what was found
const LENGTH = 240; // letters of a piece
let timer = null;
let latest = 0;

$("search-text").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(find, AFTER);
});
$("search-dialog").addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event);
  else if (event.key === "Enter" && event.target === $("search-text")) {
    event.preventDefault();
    $("found").querySelector(".hit")?.click();
  }
});
$("found").addEventListener("click", (event) => event.target.closest("a") && $("search-dialog").close());

export function openSearch() {
  $("search-dialog").showModal();
  $("search-text").select();
}

function clear() {
  $("search-count").textContent = "";
  $("found").replaceChildren();
}

async function find() {
  const text = $("search-text").value.trim();
  const turn = ++latest;
  if (!text) return clear();
  try {
    const found = await call("POST", "/search", { text, limit: 60 });
    if (turn !== latest) return;
    const words = wordsOf(text);
    $("found").replaceChildren(...groups(found).map((group) => section(group, words)));
    $("search-count").textContent = texts.foundCount(found.length);
  } catch (error) {
    $("search-count").textContent = error.message;
  }
}

/** Put hits together by conversation, facts apart; the group with the best hit comes first. */
function groups(found) {
  const all = new Map();
  for (const hit of found) {
    const key = hit.kind === "fact" ? "facts" : hit.message.conversation;
    if (!all.has(key)) all.set(key, []);
    all.get(key).push(hit);
  }
  return [...all];
}

function section([key, hits], words) {
  const from = state.conversations.find((one) => one.id === key);
  const title = key === "facts" ? texts.foundFacts : from ? titleOf(from) : texts.untitled;
  const heading = h("h3", { class: "small" }, h("span", { class: "cut" }, title), h("span", { class: "dim" }, texts.someFound(hits.length)));
  return h("li", {}, heading, h("ul", { class: "plain" }, ...hits.map((hit) => h("li", {}, row(hit, words)))));
}

function row(hit, words) {
  if (hit.kind === "fact") {
    const { home, text } = hit.fact;
    const to = home.kind === "conversation" ? addressOf(home.conversation) : "#/memory";
    return h("a", { class: "hit", href: to }, h("span", { class: "piece" }, ...marked(text, words)));
  }
  const { id, conversation, at, text, role } = hit.message;
  const best = beginning(text, hit, words);
  const piece = `${best > 0 ? "…" : ""}${text.slice(best, best + LENGTH).trim()}${text.length > best + LENGTH ? "…" : ""}`;
  return h("div", {},
    h("p", { class: "small dim" }, `${role === "user" ? texts.you : texts.model} · `, dayLink(at)),
    h("a", { class: "hit", href: `${addressOf(conversation)}/m/${id}` }, h("span", { class: "piece" }, ...marked(piece, words))));
}

/** Where to begin to show a text: a little before the first word found in its best piece. */
function beginning(text, { start, stop }, words) {
  const first = hits(text.slice(start, stop), words)[0];
  const from = start + (first ? first[0] : 0);
  if (from <= AROUND * 2) return 0;
  const space = text.indexOf(" ", from - AROUND);
  return space < 0 || space > from ? from : space + 1;
}

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const wordsOf = (text) => (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 || /[^a-z]/.test(word));

/** Whether a word of a text is one that was looked for, endings aside, as the search has it. */
function same(word, sought) {
  if (word === sought || (sought.length > 2 && word.startsWith(sought))) return true;
  const stem = Math.max(4, Math.min(word.length, sought.length) - 3);
  return word.slice(0, stem) === sought.slice(0, stem) && Math.abs(word.length - sought.length) <= 4 && sought.length >= 4;
}

/** The places of found words in a text, as [start, stop]. */
function hits(text, words) {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    .filter(([word]) => words.some((sought) => same(folded(word), sought)))
    .map((match) => [match.index, match.index + match[0].length]);
}

function marked(text, words) {
  const parts = [];
  let done = 0;
  for (const [start, stop] of hits(text, words)) {
    parts.push(text.slice(done, start), h("mark", {}, text.slice(start, stop)));
    done = stop;
  }
  return [...parts, text.slice(done)];
}

function move(event) {
  const links = [...$("found").querySelectorAll(".hit")];
  const next = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
  event.preventDefault();
  (next < 0 ? $("search-text") : links[Math.min(next, links.length - 1)])?.focus();
}
