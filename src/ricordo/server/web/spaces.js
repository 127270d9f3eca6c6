/** Spaces: choosing the active one, making one, changing and deleting it. */

import { call } from "./api.js";
import { $, ask, notice, options } from "./dom.js";
import { refresh, state, subscribe, update } from "./state.js";
import { texts } from "./texts.js";

let edited = null; // the Space in the dialog, null for a new one

export function setUpSpaces() {
  $("space").addEventListener("change", () => choose($("space").value === "" ? null : Number($("space").value)));
  $("new-space").addEventListener("click", () => openDialog(null));
  $("edit-space").addEventListener("click", () => openDialog(state.spaces.find((space) => space.id === state.space)));
  $("space-delete").addEventListener("click", remove);
  $("space-dialog").querySelector("form").addEventListener("submit", save);
  options($("space-reach"), Object.entries(texts.reaches), "conversation");
  subscribe((changed) => {
    if (changed.has("spaces") || changed.has("space")) draw();
  });
}

/** Work in a Space from now on, null for none. */
export function choose(space) {
  update({ space });
}

function draw() {
  if (state.space !== null && !state.spaces.some((space) => space.id === state.space)) {
    update({ space: null });
    return;
  }
  const spaces = state.spaces.map((space) => [String(space.id), space.name]);
  options($("space"), [["", texts.allConversations], ...spaces], state.space === null ? "" : String(state.space));
  $("edit-space").hidden = state.space === null;
}

function openDialog(space) {
  edited = space ?? null;
  $("space-dialog-title").textContent = edited ? texts.editSpace : texts.newSpace;
  $("space-name").value = edited?.name ?? "";
  $("space-instructions").value = edited?.instructions ?? "";
  $("space-memory").checked = edited?.memory ?? true;
  $("space-reach").value = edited?.reach ?? "conversation";
  $("space-more").hidden = $("space-delete").hidden = edited === null;
  $("space-error").textContent = "";
  $("space-dialog").showModal();
  $("space-name").focus();
}

async function save(event) {
  event.preventDefault(); // the dialog stays open when the name is taken
  const given = { name: $("space-name").value, instructions: $("space-instructions").value };
  try {
    if (edited) {
      const more = { memory: $("space-memory").checked, reach: $("space-reach").value };
      await call("PATCH", `/spaces/${edited.id}`, { ...given, ...more });
      await refresh("spaces");
    } else {
      const made = await call("POST", "/spaces", given);
      await refresh("spaces");
      choose(made.id);
    }
    $("space-dialog").close();
  } catch (error) {
    $("space-error").textContent = error.message;
    $("space-name").focus();
  }
}

async function remove() {
  const space = edited;
  $("space-dialog").close();
  const answers = [["", texts.cancel, ""], ["keep", texts.moveOut, ""], ["delete", texts.deleteThemToo, "danger"]];
  const answer = await ask(texts.deleteSpaceAsk(space.name), texts.deleteSpaceText, answers);
  if (!answer) return;
  try {
    await call("DELETE", `/spaces/${space.id}?keep_conversations=${answer === "keep"}`);
    await refresh("spaces", "conversations", "facts");
  } catch (error) {
    notice(error.message, { error: true });
  }
}
