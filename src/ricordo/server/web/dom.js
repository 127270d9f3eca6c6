/** Making and finding elements. Text goes in as text; only `setBlock` takes HTML, made by the server with raw HTML off. */

import { texts } from "./texts.js";

export const $ = (id) => document.getElementById(id);

/**
 * Make an element: h("button", { type: "button", onclick: save }, "Save").
 * @param {string} tag
 * @param {Object<string, any>} [attributes] on… are listeners; true sets, false and null leave out
 * @param {...(Node|string|null)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon button with a name for those who cannot see it. */
export function iconButton(icon, label, onclick, attributes = {}) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${icon}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...attributes }, svg);
}

/** The head of a screen: the button that opens the rail at narrow width, the title, and what else there is. */
export function screenBar(title, ...more) {
  const opens = { class: "icon narrow-only rail-open", "aria-expanded": "false", "aria-controls": "rail" };
  const opener = iconButton("menu", texts.openRail, null, opens);
  return h("header", { class: "bar" }, h("h1", { class: "sr" }, "Ricordo"), opener, h("h2", { tabindex: "-1" }, title), ...more);
}

export function button(label, onclick, kind = "") {
  return h("button", { type: "button", class: kind, onclick }, label);
}

/** Put one block of a reply in its place. */
export function setBlock(body, index, html) {
  while (body.children.length <= index) body.append(h("div"));
  const place = body.children[index];
  if (place.source === html) return;
  place.source = html;
  place.innerHTML = html;
}

/** Keep the elements of rows that are the same as before, so that focus and open edits stay. */
export function drawRows(list, rows, keyOf, make) {
  const before = new Map([...list.children].map((element) => [element.rowKey, element]));
  const now = rows.map((row) => {
    const key = keyOf(row);
    const element = before.get(key) ?? make(row);
    element.rowKey = key;
    return element;
  });
  const staying = new Set(now);
  for (const element of [...list.children]) if (!staying.has(element)) element.remove();
  now.forEach((element, index) => {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
}

export function options(select, entries, value) {
  select.replaceChildren(...entries.map(([key, label]) => h("option", { value: key }, label)));
  select.value = value;
}

/** Say something to screen readers alone. */
export function announce(text) {
  $("announcer").textContent = text;
}

/** Resolves once what was drawn is on the screen, or soon in a tab that nobody sees: for what need not be done before. */
export const painted = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 300);
});

/** Copy a text, and say so. */
export async function copyText(text) {
  await navigator.clipboard.writeText(text);
  announce(texts.copied);
}

/** Show a short notice over the message box; errors stay until they are closed. */
export function notice(text, { error = false } = {}) {
  const item = h("div", { class: error ? "notice error" : "notice" }, h("span", {}, text));
  item.append(iconButton("close", texts.dismiss, () => item.remove()));
  $("notices")?.append(item); // none: the page was blanked meanwhile
  if (!error) setTimeout(() => item.remove(), 5000);
}

/** Do some work; what goes wrong is said in a notice, but for a lock, which blanks the page. Resolves to whether it went well. */
export async function doing(work) {
  try {
    await work();
    return true;
  } catch (error) {
    if (error.kind !== "VaultLocked") notice(error.message, { error: true });
    return false;
  }
}

/**
 * Ask a question in a dialog; resolves to the chosen value, null for none.
 * @param {Array<[string, string, string]>} answers value, label, class; the first gets the focus
 */
export function ask(title, text, answers) {
  const dialog = $("ask");
  $("ask-title").textContent = title;
  $("ask-text").textContent = text;
  $("ask-buttons").replaceChildren(...answers.map(([value, label, kind]) => h("button", { value, class: kind }, label)));
  dialog.returnValue = "";
  dialog.showModal();
  $("ask-buttons").firstElementChild.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue || null), { once: true });
  });
}

/** Fill in the words of the page, and let every Cancel close its dialog. */
export function fillTexts() {
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = texts[element.dataset.text];
  for (const element of document.querySelectorAll("[data-hint]")) element.placeholder = texts[element.dataset.hint];
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", texts[element.dataset.label]);
    if (element.matches("button")) element.title = texts[element.dataset.label];
  }
  for (const element of document.querySelectorAll("[data-close]")) {
    element.addEventListener("click", () => element.closest("dialog").close());
  }
}
