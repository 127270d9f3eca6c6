/** What goes where, in plain words, worked out from the settings as they are (I8). */

import { h } from "./dom.js";
import { state } from "./state.js";
import { settingsTexts as texts } from "./texts_settings.js";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The host that a server's address leads to when that is not this computer, else nothing. */
export function cloudHost(server) {
  const host = URL.canParse(server) ? new URL(server).hostname : "";
  return LOOPBACK.test(host) ? "" : host;
}

/** The section, made anew whenever a setting changes. */
export function privacySection() {
  const { server, remember, global_memories: global, whole_diary: whole, embedder } = state.settings;
  const host = cloudHost(server);
  const said = texts.privacy;
  const model = (does) => (does ? host : "");
  const rows = [
    row(said.file[0], said.file[1], ""),
    row(said.reply[0], said.reply[1][host ? "cloud" : "local"], model(true)),
    row(said.diary[0], said.diary[1][whole ? "whole" : "own"], model(true)),
    row(said.learn[0], said.learn[1][remember ? "on" : "off"], model(remember)),
    row(said.global[0], said.global[1][global ? "on" : "off"], model(global)),
    row(said.meaning[0], said.meaning[1][embedder] ?? embedder, model(embedder === "server")),
    row(said.network[0], said.network[1], ""),
  ];
  return h("section", { id: "settings-privacy", class: "stack", "aria-labelledby": "settings-privacy-title" },
    h("h3", { id: "settings-privacy-title", tabindex: "-1" }, texts.sections.privacy), h("p", { class: "dim" }, texts.privacyIntro), h("dl", { class: "goes" }, ...rows.flat()));
}

function row(what, how, host) {
  return [h("dt", {}, what), h("dd", {}, h("strong", { class: host ? "outside" : "inside" }, host ? texts.goesTo(host) : texts.thisComputer), " ", how)];
}
