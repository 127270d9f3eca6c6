/** Search over all messages and facts. The words go in the body of a request, so that they stand in no address. */

import { call } from "./api.js";
import { $, h } from "./dom.js";
import { addressOf, titleOf } from "./conversations.js";
import { dayOf } from "./messages.js";
import { state } from "./state.js";
import { texts } from "./texts.js";

const AFTER = 200; // milliseconds without a key
const AROUND = 60; // letters of context before what was found
let timer = null;
let latest = 0;

export function setUpSearch() {
  $("open-search").addEventListener("click", openSearch);
  $("search-text").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, AFTER);
  });
  $("search-dialog").addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event);
    else if (event.key === "Enter" && event.target === $("search-text")) {
      event.preventDefault();
      $("found").querySelector("a")?.click();
    }
  });
}

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
    const found = await call("POST", "/search", { text, limit: 40 });
    if (turn !== latest) return;
    $("found").replaceChildren(...found.map(row));
    $("search-count").textContent = texts.foundCount(found.length);
  } catch (error) {
    $("search-count").textContent = error.message;
  }
}

function row(hit) {
  if (hit.kind === "fact") {
    const to = hit.fact.home.kind === "conversation" ? addressOf(hit.fact.home.conversation) : location.hash || "#/";
    return result(to, texts.factFound, hit.fact.text);
  }
  const { conversation, at, text } = hit.message;
  const from = state.conversations.find((one) => one.id === conversation);
  const start = Math.max(0, hit.start - AROUND);
  const piece = `${start > 0 ? "…" : ""}${text.slice(start, start + 240).trim()}${text.length > start + 240 ? "…" : ""}`;
  return result(addressOf(conversation), `${from ? titleOf(from) : texts.untitled} · ${dayOf(at)}`, piece);
}

function result(to, where, text) {
  const close = () => $("search-dialog").close();
  return h("li", {}, h("a", { href: to, onclick: close }, h("span", { class: "small dim" }, where), h("span", { class: "piece" }, text)));
}

function move(event) {
  const links = [...$("found").querySelectorAll("a")];
  const next = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
  event.preventDefault();
  (next < 0 ? $("search-text") : links[Math.min(next, links.length - 1)])?.focus();
}
