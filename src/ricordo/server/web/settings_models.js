/** Which model replies: found servers with a test each, the built-in one, any other by its address (I7, I8). */

import { call } from "./api.js";
import { $, announce, button, h } from "./dom.js";
import { number, save, secret, text } from "./fields.js";
import { cloudHost } from "./settings_privacy.js";
import { drawSkill, skillRow } from "./skill.js";
import { follow } from "./progress.js";
import { state } from "./state.js";
import { settingsTexts as texts } from "./texts_settings.js";

const EMBEDDED = "embedded";
let local = null; // what this computer has: { embedded, size, servers }
let typing = false; // whether an address is being typed while the built-in model is still the one in use

/** The whole section; `drawModels` fills it in. */
export function modelSection() {
  typing = false;
  const kind = h("select", { id: "server-kind", autocomplete: "off", onchange: chooseKind },
    h("option", { value: EMBEDDED }, texts.embedded), h("option", { value: "address" }, texts.ownServer));
  return h("div", { class: "stack" },
    h("div", { id: "found-servers", class: "stack tight" }, h("p", { class: "dim small" }, texts.looking)),
    h("label", { class: "field" }, h("span", {}, texts.serverKind), kind),
    h("div", { id: "embedded-here", class: "stack tight" }),
    h("div", { id: "server-fields", class: "stack" },
      text("server", texts.serverAddress, texts.serverHint, { inputmode: "url", onchange: () => setTimeout(drawModels, 300), oninput: drawCloud }),
      h("p", { id: "cloud-note", class: "warning", role: "status" }),
      secret("api_key", texts.apiKey, texts.apiKeySet)),
    text("model", texts.modelName, texts.modelHint),
    tester(() => ({})),
    skillRow(() => true),
    h("details", {}, h("summary", {}, texts.finer), h("div", { class: "pair" },
      number("window", texts.window, { min: 0, max: 4000000 }), number("reply_room", texts.replyRoom, { min: 64, max: 100000 }),
      number("temperature", texts.temperature, { min: 0, max: 2, step: 0.1 }), number("timeout", texts.timeout, { min: 5, max: 3600 }),
      number("foreground_seconds", texts.foreground, { min: 0, max: 120, step: 0.5 }))));
}

/** Show what this computer has, and what goes with the chosen server. */
export async function drawModels() {
  draw();
  drawSkill();
  local = await call("GET", "/models").catch(() => null);
  draw();
}

function draw() {
  if (!$("server-kind")) return; // left meanwhile
  const own = typing || state.settings.server !== EMBEDDED;
  $("server-kind").value = own ? "address" : EMBEDDED;
  $("server-fields").hidden = !own;
  if (own && state.settings.server === EMBEDDED && $("setting-server").value === EMBEDDED) $("setting-server").value = "";
  $("setting-model").placeholder = own ? texts.modelHint : texts.fileHint;
  drawCloud();
  if (!local) return;
  $("embedded-here").hidden = own;
  $("embedded-here").replaceChildren(...embeddedModel(local));
  $("found-servers").replaceChildren(...found(local.servers, drawModels));
}

/** Say plainly what goes to a server that is not on this computer. */
function drawCloud() {
  const host = $("server-fields").hidden ? "" : cloudHost($("setting-server").value);
  $("cloud-note").textContent = host ? texts.cloudNote(host) : "";
  $("cloud-note").hidden = !host;
}

async function chooseKind(event) {
  typing = event.target.value === "address";
  if (!typing && state.settings.server !== EMBEDDED) await save({ server: EMBEDDED, model: "" });
  draw();
  if (typing) $("setting-server").focus();
}

/** The built-in model: that it is here, or a button that fetches it and shows how far that is. */
export function embeddedModel({ embedded, size }) {
  if (embedded) return [h("p", { class: "dim small" }, texts.here(size))];
  const place = h("div", { class: "stack tight" });
  const start = button(texts.fetch, async () => {
    start.disabled = true;
    if (await follow(place, texts.fetching, "/models/fetch")) {
      announce(texts.fetched);
      place.replaceChildren(h("p", { class: "dim small", role: "status" }, texts.fetched));
    }
    start.disabled = false;
  });
  return [h("p", { class: "dim small" }, texts.notHere(size)), h("div", { class: "row" }, start), place];
}

/** The servers that run here, each with its models, *Test* and *Use it*; `chosen` is called after one was taken. */
export function found(servers, chosen) {
  const again = button(texts.lookAgain, () => chosen(), "quiet strong");
  if (servers.length === 0) return [h("p", { class: "dim small" }, texts.noServers), h("div", { class: "row" }, again)];
  return [h("h4", {}, texts.foundServers), ...servers.map((server) => foundServer(server, chosen)), h("div", { class: "row" }, again)];
}

function foundServer(server, chosen) {
  if (server.models.length === 0) return h("div", { class: "boxed" }, h("p", {}, texts.serverAt(server)), h("p", { class: "dim small" }, texts.noModels));
  const now = state.settings.server === server.base_url;
  const select = h("select", { "aria-label": texts.modelOf(server), autocomplete: "off" }, ...server.models.map((name) => h("option", { value: name }, name)));
  if (now && server.models.includes(state.settings.model)) select.value = state.settings.model;
  const used = () => state.settings.server === server.base_url && state.settings.model === select.value;
  const use = button(used() ? texts.inUse : texts.use, async () => {
    await save({ server: server.base_url, model: select.value, api_key: "" });
    typing = false;
    chosen(server);
  });
  use.disabled = used();
  select.addEventListener("change", () => {
    use.disabled = used();
    use.textContent = used() ? texts.inUse : texts.use;
  });
  return h("div", { class: "boxed stack tight" }, h("p", {}, texts.serverAt(server)), h("div", { class: "row wrap" }, select, use),
    tester(() => ({ server: server.base_url, model: select.value })));
}

/** *Test*, and what came of it; `which` says what to try where that is not what the settings name. */
function tester(which) {
  const result = h("span", { class: "dim small", role: "status" });
  const pressed = button(texts.test, async () => {
    pressed.disabled = true;
    result.textContent = texts.testing;
    try {
      const { model, seconds } = await call("POST", "/models/test", which());
      result.textContent = texts.works(model, seconds);
    } catch (error) {
      result.textContent = error.message;
    }
    pressed.disabled = false;
  });
  return h("div", { class: "row" }, pressed, result);
}
