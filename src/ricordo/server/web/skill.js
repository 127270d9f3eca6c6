/** What the chosen model can do, by its self-test: a line in the settings, and a button that tests it again. */

import { call } from "./api.js";
import { $, button, h } from "./dom.js";
import { settingsTexts as texts } from "./texts_settings.js";

/** The line and its button; `draw` fills it in. */
export function skillRow(save) {
  return h("div", { class: "row" }, button(texts.skillTest, () => test(save)), h("span", { id: "skill", class: "dim small", role: "status" }));
}

/** Show what is known of the model that the kept settings name. */
export async function drawSkill() {
  show(await call("GET", "/models/skill").catch(() => null));
}

async function test(save) {
  const line = $("skill");
  const pressed = line.previousElementSibling;
  if (!(await save())) return;
  pressed.disabled = true;
  line.textContent = texts.skillTesting;
  try {
    show(await call("POST", "/models/skill"));
  } catch (error) {
    line.textContent = error.message;
  } finally {
    pressed.disabled = false;
  }
}

function show(skill) {
  const line = $("skill");
  if (!line) return; // closed meanwhile
  line.textContent = skill?.tested ? texts.skill(skill) : texts.skillUnknown;
}
