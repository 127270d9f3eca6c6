/** Everything out and in: backups and exports; imports stand in imports.js, erasing in erase.js, restoring in restore.js. */

import { ask, button, h } from "./dom.js";
import { importPart } from "./imports.js";
import { follow } from "./progress.js";
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
