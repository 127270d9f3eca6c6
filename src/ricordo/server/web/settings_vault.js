/** The vault in the settings: locking, another passphrase, another recovery key (V2, V3). */

import { call } from "./api.js";
import { $, announce, button, h } from "./dom.js";
import { recoveryCard } from "./recovery.js";
import { strengthMeter } from "./strength.js";
import { texts as all } from "./texts.js";
import { settingsTexts as texts } from "./texts_settings.js";

/** What stands in the section. */
export function vaultSection(autoLock) {
  const where = h("p", { class: "dim small path" });
  call("GET", "/vault").then(({ path }) => { where.textContent = texts.vaultIntro(path); }).catch(() => {});
  return h("div", { class: "stack" }, where, autoLock,
    h("div", { class: "row" }, button(texts.lockNow, () => $("lock").click())),
    folded(texts.changePassphrase, passphraseForm()), folded(texts.newRecovery, recoveryForm()));
}

const folded = (title, form) => h("details", { class: "boxed" }, h("summary", {}, title), form);

function password(label, kind) {
  const input = h("input", { type: "password", autocomplete: kind, required: true, maxlength: 1024 });
  return { input, field: h("label", { class: "field" }, h("span", {}, label), input) };
}

/** A form that says what is wrong, and what was done; `work` returns what is put in its place. */
function form(fields, label, work) {
  const said = h("p", { class: "small", role: "status" });
  const wrong = h("p", { class: "error", role: "alert" });
  const pressed = h("button", { class: "primary" }, label);
  const made = h("form", { class: "stack", autocomplete: "off" }, ...fields, wrong, said, h("div", { class: "row" }, pressed));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = said.textContent = "";
    pressed.disabled = true;
    pressed.textContent = texts.working;
    try {
      await work(made, said);
    } catch (error) {
      wrong.textContent = error.message;
    }
    pressed.disabled = false;
    pressed.textContent = label;
  });
  return made;
}

function passphraseForm() {
  const old = password(texts.oldPassphrase, "current-password");
  const first = password(texts.newPassphrase, "new-password");
  const second = password(texts.newPassphraseAgain, "new-password");
  return form([old.field, first.field, strengthMeter(first.input), second.field], texts.changePassphrase, async (made, said) => {
    if (first.input.value !== second.input.value) throw new Error(all.passphrasesDiffer);
    await call("POST", "/vault/passphrase", { old: old.input.value, new: first.input.value });
    made.reset();
    first.input.dispatchEvent(new Event("input"));
    said.textContent = texts.passphraseChanged;
  });
}

function recoveryForm() {
  const own = password(texts.yourPassphrase, "current-password");
  return form([h("p", { class: "dim small" }, texts.newRecoveryNote), own.field], texts.newRecovery, async (made) => {
    const { recovery_key: key } = await call("POST", "/vault/recovery-key", { passphrase: own.input.value });
    own.input.value = "";
    made.querySelector(".recovery")?.remove();
    made.append(recoveryCard(key));
    announce(all.recoveryTitle);
  });
}
