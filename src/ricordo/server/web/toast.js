/**
 * Toasts: what the model changed in the facts, each with Undo. They stay for about seven seconds; while one is under the mouse
 * or holds the focus, and while the tab is not seen, its time stands still.
 */

import { call, tellOthers } from "./api.js";
import { $, announce, button, h, iconButton } from "./dom.js";
import { refresh } from "./state.js";
import { texts } from "./texts.js";

const STAYS = 7000; // milliseconds (U1)
const MOST = 3; // at once: saved facts come first and go first, so that what was rewritten or removed stays in view

/** Show what one run of learning changed, in its order. */
export function showChanges(changes) {
  for (const change of changes) $("toasts").append(toast(change));
  for (const extra of [...$("toasts").children].slice(0, -MOST)) if (!extra.contains(document.activeElement)) extra.remove();
  // Said once for all of them: a screen reader drops what the next announcement overtakes.
  announce([...changes.map(sentence), texts.undoKey].join(" "));
}

/** Take the toast of a change away, when it was undone in another tab. */
export function dropToast(id) {
  toastOf(id)?.remove();
}

/** Undo the last change whose toast is in view; returns whether there was one. */
export function undoLast() {
  const last = [...$("toasts").children].filter((item) => item.dataset.change).at(-1);
  last?.querySelector("button").click();
  return Boolean(last);
}

const toastOf = (id) => $("toasts").querySelector(`[data-change="${id}"]`);
const sentence = ({ kind, before, after }) => `${texts.changed[kind]}: ${(after ?? before).text}`;

function toast(change) {
  const { kind, before, after } = change;
  const said = h("div", { class: "said" }, h("strong", {}, texts.changed[kind]),
    before && h(kind === "updated" ? "del" : "span", {}, before.text), after && h("span", {}, after.text));
  const item = h("div", { class: "notice toast", "data-change": change.id, role: "group", "aria-label": sentence(change) }, said);
  item.append(button(texts.undo, () => undo(item, change), "undo"), iconButton("close", texts.dismiss, () => away(item)));
  live(item);
  return item;
}

/** Let an element go after its time, which runs only while nobody is at it. */
function live(item) {
  let left = STAYS;
  let since = 0;
  let timer = null;
  const run = () => {
    if (timer !== null || document.hidden || item.matches(":hover, :focus-within")) return;
    since = Date.now();
    timer = setTimeout(() => gone(item), left);
  };
  const rest = () => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    left = Math.max(left - (Date.now() - since), 1500); // so that it does not vanish under the hand that leaves it
  };
  const seen = () => (document.hidden ? rest() : run());
  for (const name of ["pointerenter", "focusin"]) item.addEventListener(name, rest);
  for (const name of ["pointerleave", "focusout"]) item.addEventListener(name, () => setTimeout(run));
  document.addEventListener("visibilitychange", seen);
  item.forget = () => {
    rest();
    document.removeEventListener("visibilitychange", seen);
  };
  setTimeout(run); // once it is in the page
}

function gone(item) {
  item.forget();
  item.remove();
}

/** Take a toast away at the person's wish; the focus goes to the next one, else to the message box. */
function away(item) {
  const next = item.nextElementSibling ?? item.previousElementSibling;
  gone(item);
  (next?.querySelector("button") ?? $("text")).focus();
}

async function undo(item, change) {
  const pressed = item.querySelector(".undo");
  pressed.disabled = true;
  try {
    await call("POST", `/changes/${change.id}/undo`);
    tellOthers("undone", { change: change.id });
    announce(texts.undone(sentence(change)));
    if (item.contains(document.activeElement) || document.activeElement === document.body) away(item);
    else gone(item);
    await refresh("facts");
  } catch (error) {
    // What the server says stays in place of the change, until it is closed: the fact was edited since, for one.
    item.forget();
    delete item.dataset.change;
    item.classList.add("error");
    item.removeAttribute("aria-label");
    item.querySelector(".said").replaceChildren(h("span", {}, error.message));
    pressed.remove();
    item.querySelector("button").focus();
    announce(error.message);
  }
}
