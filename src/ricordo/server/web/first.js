/** The first run: which models this computer has, offered once, before the first conversation. */

import { call } from "./api.js";
import { $, announce, button, h, notice } from "./dom.js";
import { refresh, state, subscribe } from "./state.js";
import { texts } from "./texts.js";

const EMBEDDED = "embedded";
let asked = false;

export function setUpFirst() {
  subscribe(() => {
    const first = state.inside && state.conversations.length === 0 && state.settings?.server === EMBEDDED;
    if (!first) $("first").hidden = true;
    else if (!asked) offer();
  });
}

/** Say which model replies, and offer the servers that run here. */
async function offer() {
  asked = true;
  const local = await call("GET", "/models").catch(() => null);
  if (local === null || !state.inside) return;
  $("first-model").textContent = local.embedded ? texts.firstEmbedded : texts.firstNothing;
  $("first-servers").replaceChildren(...local.servers.flatMap((server) => server.models.slice(0, 4).map((name) => choice(server, name))));
  $("first").hidden = local.embedded && local.servers.length === 0;
}

function choice(server, name) {
  return h("li", {}, button(texts.useServer(server.name, name), async () => {
    try {
      await call("PATCH", "/settings", { server: server.base_url, model: name });
      await refresh("settings");
      announce(texts.serverChosen(server.name));
      $("text").focus();
    } catch (error) {
      notice(error.message, { error: true });
    }
  }));
}
