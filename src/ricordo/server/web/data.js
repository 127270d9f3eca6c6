/** Everything out and in: backups, exports, imports; erasing stands in erase.js, restoring in restore.js, both loaded when wanted. */

import { call } from "./api.js";
import { ask, button, h } from "./dom.js";
import { follow } from "./progress.js";
import { refresh } from "./state.js";
import { dataTexts as texts } from "./texts_data.js";

/** The whole section. */
export function dataSection() {
  return h("div", { class: "stack parts" },
    part(h("h4", {}, texts.backupTitle), texts.backupNote, backup(),
      button(texts.restore, async () => (await import("./restore.js")).openRestore())),
    part(h("h4", {}, texts.exportTitle), texts.exportNote,
      button(texts.exportJson, () => exportAs("json")), button(texts.exportMarkdown, () => exportAs("zip"))),
    importPart(h("h4", {}, texts.importTitle)),
    part(h("h4", {}, texts.eraseTitle), texts.eraseNote,
      button(texts.eraseData, async () => (await import("./erase.js")).openErase("data"), "danger"),
      button(texts.eraseAll, async () => (await import("./erase.js")).openErase("everything"), "danger")));
}

/** A part: its heading, a sentence, and its buttons in a row; `place` below is for what comes of them. */
function part(title, note, ...buttons) {
  const place = h("div", { class: "outcome-place stack tight" });
  for (const each of buttons) each.place = place;
  return h("div", { class: "stack tight" }, title, h("p", { class: "dim small" }, note), h("div", { class: "row wrap" }, ...buttons), place);
}

function say(place, ...lines) {
  place.replaceChildren(...lines.filter(Boolean).map((line) => (typeof line === "string" ? h("p", { class: "small", role: "status" }, line) : line)));
}

function backup() {
  const pressed = button(texts.backup, async () => {
    pressed.disabled = true;
    const ready = await follow(pressed.place, texts.backingUp, "/data/backup");
    if (ready) {
      download("/api/data/backup");
      say(pressed.place, texts.backedUp(ready));
    }
    pressed.disabled = false;
  });
  return pressed;
}

function download(address) {
  const link = h("a", { href: address, download: "", hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

async function exportAs(kind) {
  const answer = await ask(texts.exportAsk, texts.exportText, [["", texts.cancel, ""], ["go", texts.exportGo, "danger"]]);
  if (answer === "go") download(`/api/data/export.${kind}`);
}

/** The import of a diary: choose, look through it, import, undo; and of a whole export. Used by the first run as well. */
export function importPart(title = null) {
  const folder = chooser(texts.importFolder, { webkitdirectory: true });
  const files = chooser(texts.importFiles, { multiple: true, accept: ".md,.markdown,.txt,.text,.jsonl,.ndjson,.xz,.gz" });
  const whole = chooser(texts.importJson, { accept: ".json,application/json" });
  const made = part(title, `${texts.importNote} ${texts.importJsonNote}`, folder.pressed, files.pressed, whole.pressed);
  const place = folder.pressed.place;
  for (const { input } of [folder, files]) input.addEventListener("change", () => input.files.length && lookThrough(place, [...input.files]));
  whole.input.addEventListener("change", () => whole.input.files.length && importJson(place, [...whole.input.files]));
  made.append(folder.input, files.input, whole.input);
  return made;
}

function chooser(label, attributes) {
  const input = h("input", { type: "file", hidden: true, autocomplete: "off", ...attributes });
  const pressed = button(label, () => {
    input.value = ""; // so that the same file can be chosen again
    input.click();
  });
  return { input, pressed };
}

/** Files as the server takes them: each after a line that names it. */
export function handed(files) {
  const lines = files.map((file) => [`${JSON.stringify({ name: file.webkitRelativePath || file.name, size: file.size })}\n`, file]);
  return new Blob(lines.flat(), { type: "application/octet-stream" });
}

async function lookThrough(place, files) {
  const body = handed(files);
  const seen = await follow(place, texts.looking, "/data/import/diary?preview=true", body);
  if (!seen) return;
  const go = button(texts.importGo, () => importDiary(place, body), "primary");
  say(place, seen.entries ? texts.preview(seen) : texts.previewNone, seen.already_there && texts.alreadyThere(seen.already_there), ...odd(seen),
    h("div", { class: "row" }, seen.entries ? go : null, button(texts.cancel, () => place.replaceChildren())));
  if (seen.entries) go.focus();
}

async function importDiary(place, body) {
  const done = await follow(place, texts.importing, "/data/import/diary", body);
  if (!done) return;
  const link = h("a", { href: `#/c/${done.conversation}` }, texts.openIt);
  const undo = button(texts.undoImport, async () => {
    const { entries } = await call("DELETE", `/data/imports/${done.import_id}`);
    say(place, texts.undone(entries));
    await refresh("conversations");
  });
  say(place, texts.imported(done.entries_added), ...odd(done), texts.importedOnly, h("div", { class: "row" }, link, done.import_id ? undo : null));
  await refresh("conversations");
}

function odd({ undated, unreadable }) {
  const listed = unreadable.slice(0, 10).map((one) => h("li", {}, one));
  return [undated && texts.undated(undated), unreadable.length && texts.unreadable(unreadable.length), unreadable.length && h("ul", { class: "small dim" }, ...listed)];
}

async function importJson(place, files) {
  const done = await follow(place, texts.importing, "/data/import/json", handed(files));
  if (!done) return;
  await refresh("settings", "spaces", "conversations", "facts");
  say(place, texts.restoredJson(done), done.server === "embedded" ? null : texts.restoredServer(done.server));
}
