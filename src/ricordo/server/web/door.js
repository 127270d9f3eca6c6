/** Making the vault, unlocking it, locking it. What was typed here is forgotten as soon as it was sent. */

import { call } from "./api.js";
import { $, announce } from "./dom.js";
import { texts } from "./texts.js";

let enter = () => {};

/** @param {() => Promise<void>} entered called when this browser has come in */
export function setUpDoor(entered) {
  enter = entered;
  $("create").addEventListener("submit", create);
  $("unlock").addEventListener("submit", unlock);
  $("recovery-copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText($("recovery-key").textContent);
    announce(texts.copied);
  });
  $("recovery-print").addEventListener("click", () => window.print());
  $("recovery-kept").addEventListener("change", (event) => { $("recovery-go").disabled = !event.target.checked; });
  $("recovery-go").addEventListener("click", async () => {
    $("recovery-key").textContent = "";
    await enter();
  });
}

/** Show the screen for the vault as it is: to make it, or to unlock it. */
export function showDoor({ state, path }) {
  $("door").hidden = false;
  show(state === "missing" ? "create" : "unlock");
  $("door-path").textContent = texts.vaultAt(path);
  $("door-path").hidden = false;
  $(state === "missing" ? "create-first" : "unlock-passphrase").focus();
}

export function hideDoor() {
  $("door").hidden = true;
}

function show(name) {
  for (const part of ["create", "unlock", "recovery"]) $(part).hidden = part !== name;
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
    $("recovery-key").textContent = key;
    $("recovery-kept").checked = false;
    $("recovery-go").disabled = true;
    show("recovery");
    $("door-path").hidden = true;
    $("recovery-title").focus();
  }, first);
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
  const submit = form.querySelector("button");
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
