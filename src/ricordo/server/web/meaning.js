/** Finding by meaning: how far it has got with what is there, quietly in the list, and a line in the settings. */

import { call } from "./api.js";
import { $, h } from "./dom.js";
import { texts } from "./texts.js";

/** Show how far it has got while it catches up; `done` of `total` can be found by meaning. */
export function showEmbedding({ done, total }) {
  $("embedding").hidden = done >= total;
  $("embedding").textContent = texts.embedding(done, total);
  if ($("by-meaning")) $("by-meaning").textContent = texts.byMeaning({ off: "", done, total });
}

/** The line of the settings; `drawMeaning` fills it in. */
export const meaningLine = () => h("p", { id: "by-meaning", class: "dim small" });

export async function drawMeaning() {
  const found = await call("GET", "/models/embedder").catch(() => null);
  if ($("by-meaning") && found) $("by-meaning").textContent = texts.byMeaning(found); // else closed meanwhile
}
