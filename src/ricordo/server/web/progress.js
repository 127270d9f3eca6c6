/** Long work of the server, with a bar that shows how far it is. */

import { events } from "./api.js";
import { h } from "./dom.js";

/**
 * Start work and show its progress in `place`; resolves to what came of it, null when it failed: then the reason stands there.
 * @param {HTMLElement} place
 * @param {string} label what is being done
 * @param {string} path
 * @param {object|Blob} [body]
 */
export async function follow(place, label, path, body) {
  const bar = h("progress", { "aria-label": label, max: 1 });
  const figure = h("span", { class: "dim small figure" });
  place.replaceChildren(h("p", { class: "small", role: "status" }, `${label}…`), h("div", { class: "row" }, bar, figure));
  try {
    for await (const [name, data] of events(path, body)) {
      if (name === "progress" && data.total) {
        bar.value = data.done / data.total;
        figure.textContent = `${Math.floor((100 * data.done) / data.total)}%`;
      } else if (name === "done") {
        place.replaceChildren();
        return data ?? {};
      } else if (name === "failed") throw new Error(data.reason);
    }
    throw new Error("");
  } catch (error) {
    place.replaceChildren(h("p", { class: "error", role: "alert" }, error.message));
    return null;
  }
}
