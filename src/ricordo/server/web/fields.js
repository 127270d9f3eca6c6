/** Fields of the settings: each is saved by itself as soon as it is changed, says so quietly, and shows what is wrong beside it. */

import { call } from "./api.js";
import { announce, h } from "./dom.js";
import { state, subscribe, update } from "./state.js";
import { settingsTexts as texts } from "./texts_settings.js";

const SAVED_FOR = 2500; // milliseconds that *Saved* stands there
const drawn = new Map(); // name → redraw, of the fields that are shown

subscribe((changed) => {
  if (changed.has("settings") && state.settings) for (const redraw of drawn.values()) redraw();
});

/** Forget the fields that were shown. */
export function forgetFields() {
  drawn.clear();
}

/** Save settings at once; throws what is wrong with them. */
export async function save(values) {
  update({ settings: await call("PATCH", "/settings", values) });
}

/** A switch, with a sentence under it. */
export function check(name, label, note) {
  const input = h("input", { type: "checkbox", role: "switch", autocomplete: "off" });
  const line = h("label", { class: "check" }, input, h("span", {}, label));
  return kept(name, input, [line, h("p", { class: "dim small under", id: `about-${name}` }, note)], {
    read: () => input.checked,
    show: (value) => { input.checked = value; },
  });
}

export const text = (name, label, hint, attributes = {}) => typed(name, label, h("input", { autocomplete: "off", placeholder: hint, ...attributes }));
export const area = (name, label) => typed(name, label, h("textarea", { rows: 3, autocomplete: "off", maxlength: 20000 }));

export function number(name, label, attributes) {
  const input = h("input", { type: "number", step: 1, required: true, autocomplete: "off", ...attributes });
  return typed(name, label, input, { read: () => Number(input.value) });
}

/** One of several, as a list to choose from. */
export function choice(name, label, entries) {
  return typed(name, label, h("select", { autocomplete: "off" }, ...entries.map(([value, said]) => h("option", { value }, said))));
}

/** A secret: what is kept never comes here, only whether there is one. */
export function secret(name, label, isSet) {
  const input = h("input", { type: "password", autocomplete: "new-password" });
  return typed(name, label, input, {
    show: (value) => {
      input.value = "";
      input.placeholder = value ? isSet : "";
    },
  });
}

function typed(name, label, input, ways = {}) {
  return kept(name, input, [h("label", { class: "field" }, h("span", {}, label), input)], {
    read: () => input.value,
    show: (value) => { input.value = value; },
    ...ways,
  });
}

/** Put a field together: its parts, *Saved* beside it, and its error. */
function kept(name, input, parts, { read, show }) {
  const said = h("span", { class: "saved small", "aria-hidden": "true" });
  const wrong = h("p", { class: "error small", id: `wrong-${name}`, role: "alert" });
  input.id = `setting-${name}`;
  input.setAttribute("aria-describedby", parts[1] ? `about-${name} wrong-${name}` : `wrong-${name}`);
  show(state.settings[name]);
  let timer = null;
  drawn.set(name, () => {
    if (document.activeElement !== input && !wrong.textContent) show(state.settings[name]);
  });
  input.addEventListener("keydown", (event) => event.key === "Enter" && input.matches("input:not([type=checkbox])") && input.blur());
  input.addEventListener("change", async () => {
    try {
      if (!input.checkValidity()) throw new Error(input.validationMessage);
      await save({ [name]: read() });
      wrong.textContent = "";
      input.removeAttribute("aria-invalid");
      said.textContent = texts.saved;
      announce(texts.saved);
      if (input.type === "password") show("set");
      clearTimeout(timer);
      timer = setTimeout(() => { said.textContent = ""; }, SAVED_FOR);
    } catch (error) {
      wrong.textContent = error.message;
      input.setAttribute("aria-invalid", "true");
      said.textContent = "";
    }
  });
  return h("div", { class: "setting" }, ...parts, said, wrong);
}
