/**
 * The context meter over the message box: how full the window is, layer by layer, and each layer's exact text. It is loaded once
 * there is something to be seen: the server takes longer over it than over all that is drawn first.
 */

import { call } from "./api.js";
import { $, h } from "./dom.js";
import { isPrivate, state, subscribe } from "./state.js";
import { texts } from "./texts.js";

let latest = 0; // counts the meters asked for, so that a slow one does not overwrite a newer one

$("meter").addEventListener("toggle", async () => {
  if ($("meter").open) await lookAhead();
});
subscribe((changed) => {
  if (state.inside && ["facts", "settings", "spaces"].some((name) => changed.has(name))) lookAhead();
});

/** Show a meter as the server sends it; null for none yet. */
export function showMeter(meter) {
  const place = $("meter");
  latest += 1; // what is still being fetched is of another moment
  place.hidden = meter === null;
  if (meter === null) {
    place.open = false;
    return;
  }
  const used = meter.layers.filter((layer) => !isRoom(layer)).reduce((sum, layer) => sum + layer.tokens, 0);
  place.querySelector(".figure").textContent = texts.meterFigure(used, meter.window);
  const shown = meter.layers.filter((layer) => layer.tokens > 0);
  place.querySelector(".track").replaceChildren(...shown.map((layer) => {
    const part = h("span", { "data-layer": layer.name });
    part.style.flexGrow = layer.tokens;
    return part;
  }));
  const open = new Set([...place.querySelectorAll(".layers details[open]")].map((details) => details.dataset.of));
  place.querySelector(".layers").replaceChildren(...shown.map((layer) => row(layer, open.has(layer.name))));
}

/** Fetch what would be sent with the text that is in the box now. */
export async function lookAhead() {
  const turn = ++latest;
  if (isPrivate()) return; // each reply brings its meter; nothing of the vault is in it
  const asked = { text: $("text").value, conversation: state.conversation, space: state.space };
  const meter = await call("POST", "/prompt", asked).catch(() => null);
  if (turn === latest && !isPrivate()) showMeter(meter);
}

const isRoom = (layer) => layer.name === "reply room" || layer.name === "free";

function row(layer, open) {
  const line = [
    h("i", { "aria-hidden": "true", "data-layer": layer.name }),
    h("span", { class: "grow" }, texts.layers[layer.name] ?? layer.name),
    h("span", { class: "dim" }, texts.tokens(layer.tokens)),
  ];
  if (!layer.text) return h("li", { class: "row" }, ...line);
  const exact = h("pre", { tabindex: "0" }, layer.text);
  return h("li", {}, h("details", { open, "data-of": layer.name }, h("summary", { class: "row" }, ...line), exact));
}
