/** Spaces: choosing the active one, making one; its gear leads to its page. */

import { call } from "./api.js";
import { $, options } from "./dom.js";
import { refresh, state, subscribe, update } from "./state.js";
import { texts } from "./texts.js";

export const spaceAddress = (id, tab = "conversations") => `#/space/${id}/${tab}`;

export function setUpSpaces() {
  $("space").addEventListener("change", () => choose($("space").value === "" ? null : Number($("space").value)));
  $("new-space").addEventListener("click", openDialog);
  $("edit-space").addEventListener("click", () => { location.hash = spaceAddress(state.space, "settings"); });
  $("space-dialog").querySelector("form").addEventListener("submit", create);
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

function openDialog() {
  $("space-name").value = $("space-instructions").value = $("space-error").textContent = "";
  $("space-dialog").showModal();
  $("space-name").focus();
}

async function create(event) {
  event.preventDefault(); // the dialog stays open when the name is taken
  try {
    const made = await call("POST", "/spaces", { name: $("space-name").value, instructions: $("space-instructions").value });
    await refresh("spaces");
    choose(made.id);
    $("space-dialog").close();
  } catch (error) {
    $("space-error").textContent = error.message;
    $("space-name").focus();
  }
}
