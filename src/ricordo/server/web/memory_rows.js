/** The rows of a list of memories: a fact, a summary, an excerpt, each with what can be done with it. */

import { call } from "./api.js";
import { announce, ask, h, iconButton } from "./dom.js";
import { addressOf, titleOf } from "./conversations.js";
import { deleteMessage } from "./learned.js";
import { dayLink } from "./messages.js";
import { refresh, spaceNamed, state } from "./state.js";
import { texts } from "./texts.js";
import { memoryTexts as words } from "./texts_memory.js";

const SAID = 80; // letters of a row's text in the names of its buttons

export const idOf = (row) => `${row.kind === "excerpt" ? "e" : row.kind === "summary" ? "s" : "f"}${row.id ?? row.conversation}`;

/** What a row shows: when it is the same, the element stays. */
export const keyOf = (row) => JSON.stringify([row, placeOf(row), sourceOf(row)?.title ?? ""]);

const sourceOf = (row) => {
  const id = row.source ?? row.conversation;
  return id ? state.conversations.find((one) => one.id === id) : undefined;
};

function placeOf({ home }) {
  if (!home || home.kind === "conversation") return "";
  return home.kind === "global" ? words.inGlobal : spaceNamed(home.space);
}

const shortened = (text) => (text.length > SAID ? `${text.slice(0, SAID)}…` : text);

/**
 * Make the element of a row.
 * @param {(work: () => Promise<void>) => Promise<void>} act does what changes the list, and shows it anew
 */
export function rowElement(row, act) {
  const item = h("li", { class: "memory-row" });
  const card = h("div", { class: row.pinned ? "fact pinned" : "fact" });
  const text = row.kind === "excerpt" ? `${row.text}${row.more ? words.more : ""}` : row.text;
  card.append(row.kind === "excerpt"
    ? h("a", { class: "fact-text excerpt", href: `${addressOf(row.conversation)}/m/${row.id}`, "data-does": "open" }, text)
    : h("button", { type: "button", class: "fact-text", "data-does": "edit", "aria-label": words.edit(text), onclick: () => edit(item, row, act) }, text));
  card.append(h("span", { class: "row tags small dim" }, ...tags(row)), h("span", { class: "row controls" }, ...controls(row, act)));
  item.append(card);
  return item;
}

function tags(row) {
  const { kind, home, origin } = row;
  const source = sourceOf(row);
  const at = row.created ?? row.at;
  const who = kind === "excerpt" ? (row.role === "user" ? texts.you : texts.model) : origin === "user" ? words.yours : origin && words.learned;
  return [
    who ? h("span", { class: origin === "user" ? "yours" : "" }, who) : null,
    placeOf(row) ? h("span", { class: "cut" }, placeOf(row)) : null,
    source ? h("a", { href: addressOf(source.id), class: "cut", "aria-label": words.fromConversation(titleOf(source)) }, titleOf(source)) : null,
    kind === "excerpt" ? dayLink(at, at.slice(0, 10)) : h("time", { datetime: at }, at.slice(0, 10)),
    home && home.kind !== "conversation" && !row.sent
      ? h("span", { class: "unsent", title: home.kind === "global" && !state.settings?.global_memories ? words.notSentOff : words.notSentWhy }, words.notSent) : null,
  ].filter(Boolean);
}

function controls(row, act) {
  const short = shortened(row.text);
  const patch = (values) => act(() => call("PATCH", `/facts/${row.id}`, values));
  const made = [];
  if (row.home && row.home.kind !== "global") {
    const box = h("input", { type: "checkbox", autocomplete: "off", "aria-label": words.sharedLabel(short), "data-does": "share",
      onchange: () => patch({ shared: box.checked }) });
    box.checked = row.shared;
    made.push(h("label", { class: "check small dim" }, box, h("span", { "aria-hidden": "true" }, words.shared)));
  }
  if (row.home) {
    const label = row.pinned ? words.unpin(short) : words.pin(short);
    made.push(iconButton("pin", label, () => patch({ pinned: !row.pinned }), { "aria-pressed": String(row.pinned), "data-does": "pin" }));
  } else if (row.kind === "excerpt") {
    made.push(iconButton("pin", words.pin(short), () => act(async () => {
      await call("POST", `/messages/${row.id}/pin`);
      announce(words.pinned);
    }), { "data-does": "pin" }));
  }
  made.push(iconButton("trash", words.remove(short), () => remove(row, act), { "data-does": "delete" }));
  return made;
}

async function remove(row, act) {
  if (row.kind === "summary" && !(await sure(words.deleteSummaryAsk, words.deleteSummaryText))) return;
  await act(async () => {
    if (row.kind === "excerpt") {
      if (!(await deleteMessage(row.id, () => refresh("conversations"), words.deleteExcerpt))) return;
    } else await call("DELETE", row.kind === "summary" ? `/conversations/${row.conversation}/summary` : `/facts/${row.id}`);
    announce(words.removed);
  });
}

const sure = async (title, text) => (await ask(title, text, [["", texts.cancel, ""], ["yes", texts.remove, "danger"]])) === "yes";

/** Edit in place: Enter or leaving saves, Esc cancels. A summary has lines, so there Ctrl+Enter saves. */
function edit(item, row, act) {
  const text = item.querySelector(".fact-text");
  const lines = row.kind === "summary";
  const field = h("textarea", { rows: 2, "aria-label": lines ? words.editSummaryLabel : words.editLabel, autocomplete: "off", maxlength: 20000 });
  field.value = row.text;
  let settled = false; // leaving the field after Enter must not save again
  const settle = async (save, back) => {
    if (settled) return;
    settled = true;
    const changed = save && field.value.trim() && field.value.trim() !== row.text;
    item.classList.remove("editing");
    field.replaceWith(text);
    if (back) text.focus();
    if (!changed) return;
    const path = lines ? `/conversations/${row.conversation}/summary` : `/facts/${row.id}`;
    await act(async () => {
      text.textContent = (await call("PATCH", path, { text: field.value })).text; // at once; the list comes three requests later
      announce(words.saved);
    });
  };
  field.addEventListener("keydown", (event) => {
    const enter = event.key === "Enter" && !event.isComposing && (lines ? event.ctrlKey || event.metaKey : !event.shiftKey);
    if (event.key !== "Escape" && !enter) return;
    event.preventDefault(); // Esc must not close the dialog that the list may stand in
    event.stopPropagation();
    settle(enter, true);
  });
  field.addEventListener("input", () => fit(field));
  field.addEventListener("blur", () => settle(true, false));
  item.classList.add("editing");
  text.replaceWith(field);
  fit(field);
  field.focus();
}

function fit(field) {
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
}
