/** Making the vault, unlocking it, and the way through the first run. What was typed here is forgotten as soon as it was sent.
 * Loaded where the browser has not come in.
 */

import { call } from "./api.js";
import { $, button, h } from "./dom.js";
import { styled } from "./screens.js";
import { texts } from "./texts.js";

let enter = () => {};

$("create").addEventListener("submit", create);
$("unlock").addEventListener("submit", unlock);
$("restore").addEventListener("click", async () => {
  await styled("settings.css");
  (await import("./restore.js")).openRestore({ anew: true });
});

/**
 * Show the screen for the vault as it is: to make it, or to unlock it.
 * @param {() => Promise<void>} entered called when this browser has come in
 */
export function showDoor({ state, path }, entered) {
  enter = entered;
  $("door").hidden = false;
  show(state === "missing" ? "create" : "unlock");
  $("door-path").textContent = texts.vaultAt(path);
  $("door-path").hidden = false;
  $(state === "missing" ? "create-first" : "unlock-passphrase").focus();
  if (state === "missing") measure();
}

/** Say how strong the passphrase is while it is chosen; loaded apart, as it is needed once. */
async function measure() {
  if ($("create").querySelector(".strength")) return;
  const { strengthMeter } = await import("./strength.js");
  $("create-first").closest("label").after(strengthMeter($("create-first")));
}

function show(name) {
  for (const part of ["create", "unlock", "steps"]) $(part).hidden = part !== name;
  fail("");
}

function fail(message) {
  $("door-error").textContent = message;
}

async function create(event) {
  event.preventDefault();
  const [first, second] = [$("create-first"), $("create-second")];
  if (first.value !== second.value) {
    fail(texts.passphrasesDiffer);
    second.value = "";
    second.focus();
    return;
  }
  await busily(event.target, texts.making, async () => {
    const { recovery_key: key } = await call("POST", "/vault/create", { passphrase: first.value });
    first.value = second.value = "";
    await showRecovery(key);
  }, first);
}

/** Show the recovery key, this once; from it the person goes through the steps, or straight in. */
async function showRecovery(key) {
  const [{ recoveryCard }] = await Promise.all([import("./recovery.js"), styled("settings.css")]);
  const card = $("steps");
  const title = h("h2", { tabindex: "-1" }, texts.recoveryTitle);
  const kept = h("input", { type: "checkbox", id: "recovery-kept", autocomplete: "off" });
  const ways = [
    button(texts.recoveryGo, () => leaveFor(card, enter)),
    button(texts.recoveryNext, () => leaveFor(card, async () => {
      await (await import("./first.js")).firstSteps(card);
      await enter();
    }), "primary"),
  ];
  for (const way of ways) way.disabled = true;
  kept.addEventListener("change", () => { for (const way of ways) way.disabled = !kept.checked; });
  card.replaceChildren(title, recoveryCard(key), h("label", { class: "check" }, kept, h("span", {}, texts.recoveryKept)), h("div", { class: "row end-row" }, ...ways));
  show("steps");
  $("door-path").hidden = true;
  title.focus();
}

/** Let the key go from the page before anything else. */
async function leaveFor(card, next) {
  card.replaceChildren();
  try {
    await next();
  } catch (error) {
    fail(error.message);
  }
}

async function unlock(event) {
  event.preventDefault();
  const field = $("unlock-passphrase");
  await busily(event.target, texts.unlocking, async () => {
    await call("POST", "/vault/unlock", { passphrase: field.value });
    field.value = "";
    await enter();
  }, field);
}

/** Do the work with the form's button saying so; on an error say it, and let the field be typed anew. */
async function busily(form, label, work, field) {
  const submit = form.querySelector("button:not([type])");
  const before = submit.textContent;
  submit.textContent = label;
  submit.disabled = true;
  fail("");
  try {
    await work();
  } catch (error) {
    fail(error.message);
    field.select();
  } finally {
    submit.textContent = before;
    submit.disabled = false;
  }
}
