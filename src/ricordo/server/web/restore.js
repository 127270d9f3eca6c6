/** Restoring a backup, in a dialog of its own: from the settings, and from the door of a computer that has no vault yet. */

import { button, h } from "./dom.js";
import { dataTexts as texts } from "./texts_data.js";

/** @param {{ anew?: boolean }} [how] `anew`: there is no vault whose place it would take */
export function openRestore({ anew = false } = {}) {
  const file = h("input", { type: "file", accept: ".ricordo", required: true, autocomplete: "off" });
  const passphrase = h("input", { type: "password", autocomplete: "off", required: true, maxlength: 1024 });
  const wrong = h("p", { class: "error", role: "alert" });
  const go = h("button", { class: "primary" }, texts.restoreGo);
  const cancel = button(texts.cancel, () => dialog.close());
  const form = h("form", { method: "dialog", class: "stack", autocomplete: "off" },
    h("h2", { id: "restore-title" }, texts.restoreTitle),
    h("p", { class: "dim" }, anew ? texts.restoreNew : texts.restoreNote), anew ? null : h("p", { class: "warning" }, texts.restoreKept),
    h("label", { class: "field" }, h("span", {}, texts.restoreFile), file),
    h("label", { class: "field" }, h("span", {}, texts.restorePassphrase), passphrase),
    wrong, h("div", { class: "row end-row" }, cancel, go));
  const dialog = h("dialog", { "aria-labelledby": "restore-title" }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = cancel.disabled = true;
    go.textContent = texts.restoring;
    try {
      await send(file.files[0], passphrase.value);
      passphrase.value = "";
      location.hash = "";
      location.reload(); // to the door: the restored vault is locked
    } catch (error) {
      wrong.textContent = error.message;
      go.textContent = texts.restoreGo;
      go.disabled = cancel.disabled = false;
      passphrase.select();
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

async function send(file, passphrase) {
  const body = new Blob([`${JSON.stringify({ passphrase })}\n`, file], { type: "application/octet-stream" });
  const response = await fetch("/api/data/restore", { method: "POST", headers: { "content-type": "application/octet-stream" }, body });
  if (!response.ok) throw new Error((await response.json()).error.message);
}
