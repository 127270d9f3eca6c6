/** The settings dialog, built from one table of fields. A key that is kept never comes here; only whether there is one. */

import { call } from "./api.js";
import { $, button, h } from "./dom.js";
import { drawMeaning, meaningLine } from "./meaning.js";
import { drawSkill, skillRow } from "./skill.js";
import { state, subscribe, update } from "./state.js";
import { texts } from "./texts.js";

const EMBEDDED = "embedded";
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
let local = null; // what this computer has: { embedded, servers }

export function setUpSettings() {
  $("open-settings").addEventListener("click", openSettings);
  $("settings-dialog").querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await save()) $("settings-dialog").close();
  });
  $("settings-dialog").addEventListener("close", () => $("settings-fields").replaceChildren());
  subscribe((changed) => {
    if (changed.has("settings")) document.documentElement.dataset.theme = state.settings?.appearance ?? "system";
  });
}

export async function openSettings() {
  const values = state.settings;
  if (!values || $("settings-dialog").open) return;
  $("settings-error").textContent = "";
  $("settings-fields").replaceChildren(
    section(texts.sections.memory,
      check("remember", texts.remember, texts.rememberNote),
      check("global_memories", texts.globalMemories, texts.globalMemoriesNote),
      check("whole_diary", texts.wholeDiary, texts.wholeDiaryNote),
      area("instructions", texts.instructions)),
    section(texts.sections.model, ...modelFields(values)),
    section(texts.sections.page,
      choice("appearance", texts.appearance, Object.entries(texts.appearances)),
      number("auto_lock_minutes", texts.autoLock, { min: 0, max: 1440 }),
      text("time_zone", texts.timeZone, texts.timeZoneHint)),
  );
  drawServer();
  $("settings-dialog").showModal();
  drawSkill();
  drawMeaning();
  local = await call("GET", "/models").catch(() => null);
  drawServer();
}

function modelFields(values) {
  const kind = field(texts.serverKind, h("select", { id: "server-kind", autocomplete: "off", onchange: drawServer },
    h("option", { value: EMBEDDED }, texts.embedded), h("option", { value: "address" }, texts.ownServer)));
  kind.querySelector("select").value = values.server === EMBEDDED ? EMBEDDED : "address";
  const address = text("server", texts.serverAddress, texts.serverHint, { list: "servers", inputmode: "url", oninput: drawServer });
  address.querySelector("input").value = values.server === EMBEDDED ? "" : values.server;
  const key = text("api_key", texts.apiKey, values.api_key ? texts.apiKeySet : "", { type: "password", autocomplete: "new-password" });
  key.querySelector("input").value = "";
  return [
    kind,
    h("p", { id: "embedded-note", class: "dim small" }),
    h("div", { id: "server-fields", class: "stack" }, address, h("datalist", { id: "servers" }), key),
    h("p", { id: "cloud-note", class: "warning" }),
    text("model", texts.modelName, texts.modelHint, { list: "model-names" }), h("datalist", { id: "model-names" }),
    h("div", { class: "pair" }, number("window", texts.window, { min: 0, max: 4000000 }), number("reply_room", texts.replyRoom, { min: 64, max: 100000 })),
    number("temperature", texts.temperature, { min: 0, max: 2, step: 0.1 }),
    h("div", { class: "row" }, button(texts.test, test), h("span", { id: "test-result", class: "dim small", role: "status" }, texts.testSaves)),
    skillRow(save),
    meaningLine(),
  ];
}

/** Show what goes with the chosen server, and say plainly when it is not this computer (I8). */
function drawServer() {
  const kind = $("server-kind");
  if (!kind) return; // closed meanwhile
  const own = kind.value === "address";
  $("server-fields").hidden = !own;
  fieldOf("model").placeholder = own ? texts.modelHint : texts.fileHint;
  $("embedded-note").textContent = !own && local?.embedded === false ? texts.embeddedMissing : "";
  $("servers").replaceChildren(...(local?.servers ?? []).map((server) => h("option", { value: server.base_url }, server.name)));
  const chosen = local?.servers.find((server) => server.base_url === fieldOf("server").value);
  $("model-names").replaceChildren(...(own && chosen ? chosen.models : []).map((name) => h("option", { value: name })));
  const host = own && URL.canParse(fieldOf("server").value) ? new URL(fieldOf("server").value).hostname : "";
  $("cloud-note").textContent = host && !LOOPBACK.test(host) ? texts.cloudNote(host) : "";
  for (const id of ["embedded-note", "cloud-note"]) $(id).hidden = !$(id).textContent;
}

const fieldOf = (name) => $(`setting-${name}`);

/** Save what differs; returns whether it was saved. */
async function save() {
  const given = {};
  for (const [name, before] of Object.entries(state.settings)) {
    const element = fieldOf(name);
    if (!element) continue;
    const value = element.type === "checkbox" ? element.checked : element.type === "number" ? Number(element.value) : element.value;
    if (name === "api_key" ? value !== "" : value !== before) given[name] = value;
  }
  if ($("server-kind").value === EMBEDDED) given.server = EMBEDDED;
  try {
    update({ settings: await call("PATCH", "/settings", given) });
    $("settings-error").textContent = "";
    return true;
  } catch (error) {
    $("settings-error").textContent = error.message;
    return false;
  }
}

async function test() {
  if (!(await save())) return;
  const result = $("test-result");
  result.textContent = texts.testing;
  try {
    const { model, seconds } = await call("POST", "/models/test");
    result.textContent = texts.works(model, seconds);
    drawSkill();
  } catch (error) {
    result.textContent = error.message;
  }
}

const section = (title, ...fields) => h("fieldset", { class: "stack" }, h("legend", {}, title), ...fields);
const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);

function check(name, label, note) {
  const id = `setting-${name}`;
  const input = h("input", { type: "checkbox", id, "aria-describedby": `${id}-note`, autocomplete: "off" });
  input.checked = state.settings[name];
  return h("div", {}, h("label", { class: "check" }, input, h("span", {}, label)), h("p", { id: `${id}-note`, class: "dim small under" }, note));
}

function input(name, label, attributes) {
  const element = h("input", { id: `setting-${name}`, autocomplete: "off", ...attributes });
  element.value = state.settings[name];
  return field(label, element);
}

const text = (name, label, hint, attributes = {}) => input(name, label, { placeholder: hint, ...attributes });
const number = (name, label, attributes) => input(name, label, { type: "number", step: 1, required: true, ...attributes });

function area(name, label) {
  const element = h("textarea", { id: `setting-${name}`, rows: 3, autocomplete: "off", maxlength: 20000 });
  element.value = state.settings[name];
  return field(label, element);
}

function choice(name, label, entries) {
  const element = h("select", { id: `setting-${name}`, autocomplete: "off" }, ...entries.map(([value, text]) => h("option", { value }, text)));
  element.value = state.settings[name];
  return field(label, element);
}
