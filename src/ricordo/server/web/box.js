/** The message box itself: its text and its height, and the files given along, as chips above it. What is done with them is the composer's. */

import { $, announce, button, h, iconButton } from "./dom.js";
import { sizeOf } from "./messages.js";
import { state, subscribe } from "./state.js";
import { texts } from "./texts.js";
import { filesOf, setFiles } from "./unsent.js";

const LONG = 1500; // letters of a pasted text that may be a page rather than the person's own words
let changed = () => {};

export const written = () => $("text").value;

/** Put a text into the box in place of what is there. */
export function write(text) {
  $("text").value = text;
  fit();
}

/** Let the box be as high as its text. */
export function fit() {
  const box = $("text");
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}

/** @param {(id: number | string | null) => void} callback is told when the person has given something along, or taken it off */
export function setUpBox(callback) {
  changed = callback;
  $("attach").addEventListener("click", () => $("files").click());
  $("files").addEventListener("change", async () => {
    await add([...$("files").files]);
    $("files").value = "";
    $("text").focus();
  });
  $("text").addEventListener("paste", pasted);
  const chat = $("chat");
  const holds = (event) => event.dataTransfer?.types.includes("Files");
  chat.addEventListener("dragover", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    chat.classList.add("dropping");
  });
  for (const name of ["dragleave", "drop"]) {
    chat.addEventListener(name, (event) => (name === "drop" || !chat.contains(event.relatedTarget)) && chat.classList.remove("dropping"));
  }
  chat.addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    add([...event.dataTransfer.files]);
  });
  subscribe((names) => names.has("conversation") && draw());
}

export const enclosed = (id = state.conversation) => filesOf(id);

/** Give these along from now on, in place of others. */
export function enclose(id, attachments) {
  setFiles(id, attachments);
  draw();
}

function change(id, attachments) {
  enclose(id, attachments);
  changed(id);
}

async function add(list) {
  const id = state.conversation;
  const { readFiles } = await import("./attach.js");
  const taken = await readFiles(list, enclosed(id));
  if (!taken.length) return;
  change(id, [...enclosed(id), ...taken]);
  announce(texts.attached(taken.map(({ name }) => name).join(", ")));
}

/** Take pasted files along; of a long pasted text ask whether it is the person's own. */
function pasted(event) {
  const list = [...event.clipboardData.files];
  if (list.length && !event.clipboardData.types.includes("text/plain")) {
    event.preventDefault();
    add(list);
    return;
  }
  const text = event.clipboardData.getData("text/plain");
  if (text.length >= LONG) setTimeout(() => offer(text.replace(/\r\n?/g, "\n")));
}

function offer(text) {
  const place = $("paste-offer");
  place.replaceChildren(h("span", { class: "grow" }, texts.pasteAsk), button(texts.pasteAttach, () => {
    if (written().includes(text)) {
      write(written().replace(text, () => ""));
      $("text").dispatchEvent(new Event("input"));
    }
    change(state.conversation, [...enclosed(), { name: texts.pasted, media_type: "text/plain", text }]);
    place.hidden = true;
    announce(texts.attached(texts.pasted));
    $("text").focus();
  }), iconButton("close", texts.dismiss, () => {
    place.hidden = true;
    $("text").focus();
  }));
  place.hidden = false;
}

function draw() {
  const id = state.conversation;
  $("paste-offer").hidden = true;
  $("enclosed").hidden = enclosed(id).length === 0;
  $("enclosed").replaceChildren(...enclosed(id).map((one) => h("li", { class: "chip row" },
    h("span", { class: "cut" }, one.name), h("span", { class: "dim small" }, sizeOf(one.text)),
    iconButton("close", texts.takeOff(one.name), () => {
      change(id, enclosed(id).filter((other) => other !== one));
      $("text").focus();
    }))));
}
