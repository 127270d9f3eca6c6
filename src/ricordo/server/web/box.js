/** The message box itself: its text and its height. What is done with the text is the composer's. */

import { $ } from "./dom.js";

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

/** Put words in at the cursor, apart from those around it, and go on writing there. */
export function insert(words) {
  const box = $("text");
  const before = box.value.slice(0, box.selectionStart);
  const after = box.value.slice(box.selectionEnd);
  const added = `${before === "" || /\s$/.test(before) ? "" : " "}${words}${/^\s/.test(after) ? "" : " "}`;
  box.focus();
  box.setRangeText(added, box.selectionStart, box.selectionEnd, "end");
  box.dispatchEvent(new Event("input")); // so that its height and its draft follow
}

/** The stamp of a moment as direct references are read: [2026-08-02 14:05] (R6). */
export const stampOf = (at) => `[${at.slice(0, 10)} ${at.slice(11, 16)}]`;
