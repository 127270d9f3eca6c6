/** Editing a message of one's own in its place: sent again, it begins another version; the old one stays reachable. */

import { $, button, h } from "./dom.js";
import { following } from "./chat.js";
import { edit, replying } from "./replies.js";
import { texts } from "./texts.js";

/** Open the form in a message's element; the focus goes into it and comes back to where it was left. */
export function startEdit(item, message) {
  if (item.querySelector("form")) return item.querySelector("textarea").focus();
  const box = h("textarea", { rows: "1", maxlength: "2000000", autocomplete: "off", "aria-label": texts.editLabel });
  box.value = message.text;
  const after = following(message);
  const note = h("p", { class: "dim small", hidden: after === 0 }, texts.editNote(after));
  const form = h("form", { class: "editing stack tight", autocomplete: "off" }, box, note, h("div", { class: "row end-row" },
    button(texts.cancel, () => close()), h("button", { class: "primary" }, texts.send)));
  const close = () => {
    form.remove();
    item.classList.remove("edited");
    $("text").focus();
  };
  const fit = () => {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!box.value.trim() || replying()) return;
    for (const each of form.querySelectorAll("button, textarea")) each.disabled = true; // not twice
    if (await edit(message, box.value, message.attachments, close)) return;
    for (const each of form.querySelectorAll("button, textarea")) each.disabled = false; // what was typed is still there
  });
  box.addEventListener("input", fit);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation(); // it does not stop a reply
      close();
    } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  item.classList.add("edited");
  item.querySelector(".body").after(form);
  fit();
  box.focus();
}
