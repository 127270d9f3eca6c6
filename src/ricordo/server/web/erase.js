/** Erasing, in a dialog of its own: what goes and what stays is said, and a typed word confirms it (V6). */

import { call } from "./api.js";
import { announce, button, h, notice } from "./dom.js";
import { dataTexts as texts } from "./texts_data.js";

const KINDS = {
  data: { word: "remove", title: texts.eraseDataTitle, text: texts.eraseDataText, go: texts.eraseDataGo },
  everything: { word: "reset", title: texts.eraseAllTitle, text: texts.eraseAllText, go: texts.eraseAllGo },
};

/** @param {"data"|"everything"} what */
export function openErase(what) {
  const { word, title, text, go } = KINDS[what];
  const typed = h("input", { id: "erase-word", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const wrong = h("p", { class: "error", role: "alert" });
  const pressed = h("button", { class: "danger strong-danger", disabled: true }, go);
  const cancel = button(texts.cancel, () => dialog.close());
  const form = h("form", { method: "dialog", class: "stack", autocomplete: "off" },
    h("h2", { id: "erase-title" }, title), h("p", {}, text),
    h("label", { class: "field" }, h("span", {}, texts.typeWord(word)), typed), wrong, h("div", { class: "row end-row" }, cancel, pressed));
  const dialog = h("dialog", { "aria-labelledby": "erase-title" }, form);
  typed.addEventListener("input", () => { pressed.disabled = typed.value.trim().toLowerCase() !== word; });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (pressed.disabled) return;
    pressed.disabled = cancel.disabled = true;
    pressed.textContent = texts.erasing;
    try {
      await call("POST", "/data/erase", { what, word: typed.value });
      dialog.close();
      if (what === "everything") {
        location.hash = "";
        location.reload();
      } else {
        announce(texts.erased);
        notice(texts.erased);
      }
    } catch (error) {
      wrong.textContent = error.message;
      pressed.textContent = go;
      pressed.disabled = cancel.disabled = false;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  typed.focus();
}
