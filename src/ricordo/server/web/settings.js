/** The settings: one page with its sections, a list of them at the side. #/settings/data goes to one. */

import { button, doing, h, screenBar } from "./dom.js";
import { area, check, choice, forgetFields, number, text } from "./fields.js";
import { dataSection } from "./data.js";
import { drawMeaning, meaningLine } from "./meaning.js";
import { drawModels, modelSection } from "./settings_models.js";
import { programsSection } from "./settings_programs.js";
import { privacySection } from "./settings_privacy.js";
import { vaultSection } from "./settings_vault.js";
import { state, subscribe } from "./state.js";
import { texts as all } from "./texts.js";
import { settingsTexts as texts } from "./texts_settings.js";

let page = null; // the element while it is shown
let manage = null; // the button that says how many global facts there are

const globalFacts = () => state.facts?.everywhere ?? 0;

subscribe((changed) => {
  if (!page) return;
  if (changed.has("facts")) manage.textContent = texts.manageGlobal(globalFacts());
  if (changed.has("settings") && state.settings) page.querySelector("#settings-privacy").replaceWith(privacySection());
});

/** Show the settings, at the section that the address names. */
export async function show(element, [, name]) {
  if (!page) {
    page = element;
    element.replaceChildren(screenBar(texts.settings), h("div", { class: "settings" }, list(), h("div", { class: "sections" }, ...sections())));
    drawMeaning();
    drawModels();
  }
  for (const link of element.querySelectorAll(".settings-list a")) {
    if (name && link.hash.endsWith(`/${name}`)) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (name) setTimeout(() => goTo(name)); // after the heading of the screen got the focus
}

/** Save what is being typed, and let go of everything. */
export function leave(element) {
  if (element.contains(document.activeElement)) document.activeElement.blur();
  element.replaceChildren();
  forgetFields();
  page = manage = null;
}

function goTo(name) {
  const heading = page?.querySelector(`#settings-${CSS.escape(name)} h3`);
  heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}

function list() {
  const links = Object.entries(texts.sections).map(([name, title]) => h("li", {}, h("a", { href: `#/settings/${name}` }, title)));
  const nav = h("nav", { class: "settings-list", "aria-label": texts.sectionsLabel }, h("ul", { class: "plain" }, ...links));
  // A second click on the same link changes no address, so it would do nothing.
  nav.addEventListener("click", (event) => event.target.matches("[aria-current]") && goTo(event.target.hash.split("/").pop()));
  return nav;
}

/** A section with its heading; `name` is what the address calls it. */
export function section(name, ...content) {
  return h("section", { id: `settings-${name}`, class: "stack", "aria-labelledby": `settings-${name}-title` }, h("h3", { id: `settings-${name}-title`, tabindex: "-1" }, texts.sections[name]), ...content);
}

function sections() {
  manage = button(texts.manageGlobal(globalFacts()), manageGlobal);
  return [
    section("chat",
      check("remember", texts.remember, texts.rememberNote),
      check("whole_diary", texts.wholeDiary, texts.wholeDiaryNote),
      area("instructions", texts.instructions),
      text("time_zone", texts.timeZone, texts.timeZoneHint)),
    section("features",
      check("global_memories", texts.globalMemories, texts.globalMemoriesNote), h("div", { class: "row" }, manage),
      choice("embedder", texts.embedder, Object.entries(texts.embedders)), meaningLine()),
    section("models", modelSection()),
    section("programs", programsSection()),
    privacySection(),
    section("data", dataSection()),
    section("vault", vaultSection(number("auto_lock_minutes", texts.autoLock, { min: 0, max: 1440 }))),
    section("appearance", choice("appearance", texts.appearance, Object.entries(texts.appearances))),
    section("keyboard", h("dl", { class: "keys" }, ...all.keyTable.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]))),
  ];
}

const manageGlobal = () => doing(async () => (await import("./memory_editor.js")).openGlobalMemories());
