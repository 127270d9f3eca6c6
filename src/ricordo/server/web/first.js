/**
 * The first run, after the vault was made: where replies come from, the defaults, an import. Each step can be skipped, none is
 * asked again: what is chosen is saved at once, and whoever reloads is simply in.
 */

import { call } from "./api.js";
import { $, announce, button, h } from "./dom.js";
import { importPart } from "./imports.js";
import { check, forgetFields, save } from "./fields.js";
import { cloudHost } from "./settings_privacy.js";
import { embeddedModel, found } from "./settings_models.js";
import { state, update } from "./state.js";
import { firstTexts as texts } from "./texts_first.js";
import { settingsTexts } from "./texts_settings.js";

const STEPS = [
  [texts.modelTitle, texts.modelIntro, modelStep],
  [texts.defaultsTitle, "", defaultsStep],
  [texts.importTitle, texts.importIntro, importStep],
];
const IDLE = 15; // minutes: what the settings begin with

/** Show the steps in the card of the door; resolves when the last was left. */
export async function firstSteps(card) {
  update({ settings: await call("GET", "/settings") });
  await new Promise((done) => showStep(card, 0, done));
  forgetFields();
  card.replaceChildren();
}

function showStep(card, index, done) {
  if (index === STEPS.length) {
    done();
    return;
  }
  const [title, intro, content] = STEPS[index];
  const last = index === STEPS.length - 1;
  const heading = h("h2", { tabindex: "-1" }, title);
  const ways = [button(texts.next, () => showStep(card, index + 1, done), "primary")];
  if (!last) ways.unshift(button(texts.skipAll, done));
  card.replaceChildren(h("div", { class: "step stack" },
    h("p", { class: "dim small" }, texts.step(index + 1, STEPS.length)), heading, intro ? h("p", { class: "dim" }, intro) : null,
    ...content(), h("p", { class: "dim small" }, texts.later),
    h("div", { class: "row end-row" }, ...(last ? [button(texts.finish, done, "primary")] : ways))));
  heading.focus();
}

function modelStep() {
  const here = h("div", { class: "stack tight" }, h("p", { class: "dim small" }, settingsTexts.looking));
  const draw = async (chosen) => {
    if (chosen) announce(texts.chosen(chosen.name));
    const local = await call("GET", "/models").catch(() => null);
    if (local) here.replaceChildren(...embeddedModel(local), ...found(local.servers, draw));
  };
  draw();
  return [here, h("details", { class: "boxed" }, h("summary", {}, texts.cloudTitle), cloudForm())];
}

function cloudForm() {
  const field = (label, attributes) => {
    const input = h("input", { autocomplete: "off", ...attributes });
    return { input, line: h("label", { class: "field" }, h("span", {}, label), input) };
  };
  const server = field(settingsTexts.serverAddress, { required: true, inputmode: "url", placeholder: settingsTexts.serverHint });
  const model = field(settingsTexts.modelName, { placeholder: settingsTexts.modelHint });
  const key = field(settingsTexts.apiKey, { type: "password", autocomplete: "new-password" });
  const note = h("p", { class: "warning", role: "status", hidden: true });
  const wrong = h("p", { class: "error", role: "alert" });
  const said = h("p", { class: "small", role: "status" });
  server.input.addEventListener("input", () => {
    const host = cloudHost(server.input.value);
    note.hidden = !host;
    note.textContent = host ? settingsTexts.cloudNote(host) : "";
  });
  const form = h("form", { class: "stack", autocomplete: "off" }, h("p", { class: "dim small" }, texts.cloudIntro),
    server.line, note, model.line, key.line, wrong, said, h("div", { class: "row" }, h("button", {}, texts.cloudUse)));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = said.textContent = "";
    try {
      await save({ server: server.input.value, model: model.input.value, ...(key.input.value ? { api_key: key.input.value } : {}) });
      key.input.value = "";
      said.textContent = texts.chosen(new URL(server.input.value).hostname);
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  return form;
}

function defaultsStep() {
  const idle = h("input", { type: "checkbox", role: "switch", id: "setting-lock", autocomplete: "off", "aria-describedby": "about-lock" });
  idle.checked = state.settings.auto_lock_minutes > 0;
  idle.addEventListener("change", () => save({ auto_lock_minutes: idle.checked ? IDLE : 0 }).catch((error) => { $("door-error").textContent = error.message; }));
  return [
    check("remember", settingsTexts.remember, settingsTexts.rememberNote),
    check("global_memories", settingsTexts.globalMemories, settingsTexts.globalMemoriesNote),
    check("whole_diary", settingsTexts.wholeDiary, settingsTexts.wholeDiaryNote),
    h("div", {}, h("label", { class: "check" }, idle, h("span", {}, texts.autoLock)), h("p", { class: "dim small under", id: "about-lock" }, texts.autoLockNote)),
  ];
}

function importStep() {
  return [importPart()];
}
