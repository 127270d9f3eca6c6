/** *What did the model see?*: for one reply what was sent, what was found and dropped, and why, in a dialog. Loaded when first asked for. */

import { call } from "./api.js";
import { $, doing, h } from "./dom.js";
import { addressOf } from "./conversations.js";
import { dayLink } from "./messages.js";
import { texts as common } from "./texts.js";
import { whyTexts as texts } from "./texts_why.js";

const PARTS = ["facts", "references", "window"]; // what was sent beside what was recalled

/** Show how a reply came about; where that is not known, say so. */
export async function showWhy(message) {
  await doing(async () => {
    const told = await call("GET", `/messages/${message.id}/trace`);
    if ($("why-dialog").open) return;
    $("why").replaceChildren(...sections(told));
    $("why-dialog").showModal();
    $("why-dialog").scrollTop = 0;
  });
}

// What was shown is forgotten when the dialog closes; a link in it closes it, too.
$("why-dialog").addEventListener("close", () => $("why").replaceChildren());
$("why").addEventListener("click", (event) => event.target.closest("a") && $("why-dialog").close());

function sections(told) {
  const sent = told.layers.filter((layer) => layer.tokens > 0 && !["reply room", "free"].includes(layer.name));
  const used = sent.reduce((sum, layer) => sum + layer.tokens, 0);
  return [
    h("p", { class: "dim small" }, texts.whyWhen(told.at.slice(0, 16).replace("T", " "), told.model)),
    section(texts.whyLayers(used, told.window_tokens), track(sent), h("ul", { class: "plain layers" }, ...sent.map(layer))),
    section(texts.whyFound, searched(told.searches), found(told.candidates)),
    ...PARTS.filter((part) => told[part].length > 0).map((part) => folded(texts.whyParts[part](told[part].length), told[part].map(mention))),
    folded(texts.whySteps, [...told.steps.map(step), ...timings(told.timings), tokens(told.usage)]),
  ];
}

const section = (title, ...content) => h("section", { class: "stack tight" }, h("h3", {}, title), ...content);
const folded = (title, rows) => h("details", {}, h("summary", {}, title), h("ul", { class: "plain stack tight" }, ...rows));

function track(layers) {
  return h("div", { class: "track", "aria-hidden": "true" }, ...layers.map(({ name, tokens }) => {
    const part = h("span", { "data-layer": name });
    part.style.flexGrow = tokens;
    return part;
  }));
}

const layer = ({ name, tokens }) =>
  h("li", { class: "row" }, h("i", { "aria-hidden": "true", "data-layer": name }), h("span", { class: "grow" }, common.layers[name] ?? name), h("span", { class: "dim" }, common.tokens(tokens)));

function searched(searches) {
  if (searches === null) return h("p", { class: "dim small" }, texts.whySearchesGone);
  if (searches.length === 0) return h("p", { class: "dim small" }, texts.whyNoSearch);
  return h("p", { class: "small dim" }, texts.whySearched, ...searches.flatMap((text, at) => [at ? ", " : "", h("q", {}, text)]));
}

function found(candidates) {
  if (candidates.length === 0) return h("p", { class: "dim small" }, texts.whyNothing);
  return h("ul", { class: "plain stack tight" }, ...candidates.map((each) =>
    h("li", { class: `candidate ${each.fate === "sent" ? "sent" : ""}` },
      h("strong", { class: "small" }, texts.fates[each.fate]), " ", ...named(each.found),
      h("p", { class: "dim small" }, texts.whyBecause(each)))));
}

const mention = (each) => h("li", { class: "small" }, ...named(each));

/** When something was written, as a way to it, and its beginning; of what was deleted only that it was. */
function named({ kind, id, state, text, at, author, conversation }) {
  if (state === "deleted") return [h("span", { class: "dim" }, texts.whyDeleted(kind))];
  const changed = state === "changed" ? h("span", { class: "dim small" }, ` ${texts.whyChanged}`) : null;
  return [...(kind === "message" ? written(id, at, author, conversation) : [learned(at, author, conversation)]), " ", h("span", {}, text), changed];
}

/** Who wrote a message, as a way to it, and when, as a way to that day of the diary. */
function written(id, at, author, conversation) {
  const to = h("a", { class: "small", href: `${addressOf(conversation)}/m/${id}` }, texts.whyWrote(author));
  return [to, h("span", { class: "dim small" }, texts.whyOn, dayLink(at, at.slice(0, 10)))];
}

function learned(at, author, conversation) {
  const when = texts.whyWritten(author, at.slice(0, 10));
  return conversation ? h("a", { class: "small", href: addressOf(conversation) }, when) : h("span", { class: "dim small" }, when);
}

const step = ({ name, seconds, reason }) => h("li", { class: "small" }, texts.whyStep(name, seconds), h("span", { class: "dim" }, ` ${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`));
const timings = (times) => Object.entries(times).map(([name, seconds]) => h("li", { class: "small" }, texts.whyTime(name, seconds)));
const tokens = (usage) => h("li", { class: "small" }, texts.whyTokens(usage));
