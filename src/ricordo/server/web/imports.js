/** Bringing in what was written elsewhere: choose, look through it, bring it in; and the list of imports, each to be learned from or undone. */

import { call } from "./api.js";
import { $, ask, button, doing, drawRows, h, options } from "./dom.js";
import { follow } from "./progress.js";
import { refresh, subscribe } from "./state.js";
import { importTexts as texts } from "./texts_imports.js";

const READ = /\.(zip|json|jsonl|ndjson|md|markdown|mdown|txt|text|xz|gz)$/i;
let latest = 0; // counts the fetches, so that a slow one does not overwrite a newer one

/** The whole part, with its heading where it has one. Used by the settings and by the first run. */
export function importPart(title = null) {
  const place = h("div", { class: "outcome-place stack tight" });
  const kind = h("select", { id: "import-kind", autocomplete: "off" });
  options(kind, Object.entries(texts.kinds), "");
  const files = chooser(texts.chooseFiles, { multiple: true, accept: ".zip,.json,.jsonl,.ndjson,.md,.markdown,.txt,.text,.xz,.gz" });
  const folder = chooser(texts.chooseFolder, { webkitdirectory: true });
  for (const { input } of [files, folder]) {
    input.addEventListener("change", () => {
      const chosen = [...input.files].filter((file) => READ.test(file.name) || input === files.input);
      if (chosen.length) lookThrough(place, chosen, kind.value);
      else place.replaceChildren(h("p", { class: "error", role: "alert" }, texts.nothingToRead));
    });
  }
  const list = h("ul", { id: "imports", class: "plain stack tight", "aria-label": texts.list });
  const made = h("div", { class: "stack tight" }, title, h("p", { class: "dim small" }, texts.note),
    h("div", { class: "row wrap" }, files.pressed, folder.pressed, h("label", { class: "row beside" }, h("span", { class: "small dim" }, texts.kind), kind)),
    files.input, folder.input, place, list);
  queueMicrotask(draw);
  return made;
}

/** Draw the list anew when something was imported, undone, or read by the model, here or elsewhere. */
subscribe((changed) => (changed.has("imports") || changed.has("conversations")) && draw());

function chooser(label, attributes) {
  const input = h("input", { type: "file", hidden: true, autocomplete: "off", ...attributes });
  const pressed = button(label, () => {
    input.value = ""; // so that the same file can be chosen again
    input.click();
  });
  return { input, pressed };
}

/** Files as the server takes them: each after a line that names it. */
function handed(files) {
  const lines = files.map((file) => [`${JSON.stringify({ name: file.webkitRelativePath || file.name, size: file.size })}\n`, file]);
  return new Blob(lines.flat(), { type: "application/octet-stream" });
}

async function lookThrough(place, files, kind) {
  const body = handed(files);
  const asked = kind ? `&kind=${kind}` : "";
  const seen = await follow(place, texts.looking, `/data/import?preview=true${asked}`, body);
  if (!seen) return;
  const some = seen.messages + seen.facts + seen.conversations > 0;
  const go = button(texts.go, () => bring(place, body, seen.format), "primary");
  say(place, h("p", { class: "small", role: "status" }, some ? texts.preview(seen) : texts.previewNone(seen)),
    seen.already_there ? texts.alreadyThere(seen.already_there) : null, ...odd(seen),
    h("div", { class: "row" }, some ? go : null, button(texts.cancel, () => place.replaceChildren())));
  if (some) go.focus();
}

async function bring(place, body, kind) {
  const done = await follow(place, texts.bringing, `/data/import?kind=${kind}`, body);
  if (!done) return;
  await refresh("settings", "spaces", "conversations", "facts");
  const link = done.conversation ? h("a", { href: `#/c/${done.conversation}` }, texts.openIt) : null;
  say(place, h("p", { class: "small", role: "status" }, texts.done(done)), ...odd(done),
    done.import_id ? texts.only : null, done.server && done.server !== "embedded" ? texts.server(done.server) : null,
    link && h("div", { class: "row" }, link));
}

function say(place, ...lines) {
  place.replaceChildren(...lines.filter(Boolean).map((line) => (typeof line === "string" ? h("p", { class: "small" }, line) : line)));
}

function odd({ undated, left_out, unreadable }) {
  const listed = unreadable.slice(0, 10).map((one) => h("li", {}, one));
  return [
    undated ? texts.undated(undated) : null,
    left_out.length ? texts.leftOut(left_out) : null,
    unreadable.length ? texts.unreadable(unreadable.length) : null,
    unreadable.length ? h("ul", { class: "small dim" }, ...listed) : null,
  ];
}

async function draw() {
  if (!$("imports")) return;
  const turn = ++latest;
  const made = await call("GET", "/data/imports").catch(() => null);
  const list = $("imports");
  if (!made || !list || turn !== latest) return;
  drawRows(list, made, (one) => JSON.stringify(one), row);
}

function row(one) {
  const about = h("div", { class: "about-import" }, h("div", {}, one.name), h("div", { class: "small dim" }, texts.about(one)));
  const learn = one.turns && (one.learning || one.turns_read < one.turns)
    ? button(one.learning ? texts.pause : one.turns_read ? texts.goOn : texts.learn, () => doing(() => learnFrom(one)), "small") : null;
  const undo = button(texts.undo, () => takeBack(one), "small");
  undo.setAttribute("aria-label", texts.undoNamed(one.name));
  learn?.setAttribute("aria-label", `${learn.textContent}: ${one.name}`);
  return h("li", { class: "boxed row wrap" }, about, learn, undo);
}

async function learnFrom(one) {
  await call("PUT", `/data/imports/${one.id}/learning`, { on: !one.learning });
  await draw();
  $("imports").querySelector("button")?.focus();
}

async function takeBack(one) {
  await doing(async () => {
    const going = await call("GET", `/data/imports/${one.id}`);
    const answer = await ask(texts.undoAsk(one.name), texts.undoText(going), [["", texts.cancel, ""], ["go", texts.undoGo(going.messages), "danger"]]);
    if (answer !== "go") return;
    const gone = await call("DELETE", `/data/imports/${one.id}`);
    const where = $("imports")?.previousElementSibling;
    if (where) say(where, h("p", { class: "small", role: "status", tabindex: "-1" }, texts.undone(gone)));
    await refresh("spaces", "conversations", "facts");
    await draw();
    where?.firstElementChild?.focus();
  });
}
