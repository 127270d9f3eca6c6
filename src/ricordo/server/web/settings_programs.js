/** Other programs in the settings: the tokens that let them in (I3), and the address that gives them memory (I4). */

import { call } from "./api.js";
import { announce, ask, button, copyText, doing, drawRows, h, iconButton, options } from "./dom.js";
import { spaceNamed, state } from "./state.js";
import { programTexts as texts } from "./texts_programs.js";

/** What stands in the section. */
export function programsSection() {
  const list = h("ul", { id: "tokens", class: "plain stack tight" });
  const made = h("div", { class: "outcome-place stack tight" });
  fill(list).catch(() => {}); // a lock meanwhile: the page is blanked
  return h("div", { class: "stack" }, h("p", { class: "dim" }, texts.intro),
    h("p", {}, `${texts.address} `, h("code", { translate: "no" }, `${location.origin}/v1`)), list, newToken(list, made), made);
}

async function fill(list) {
  const tokens = await call("GET", "/tokens");
  drawRows(list, tokens, (token) => `${token.id} ${token.last_used}`, (token) => row(token, list));
}

function row(token, list) {
  const where = token.space === null ? "" : texts.onlyIn(spaceNamed(token.space));
  return h("li", { class: "boxed row" },
    h("div", { class: "grow" }, h("strong", {}, token.name), h("div", { class: "dim small" }, texts.does(token, where))),
    iconButton("trash", texts.revoke(token.name), () => revoke(token, list)));
}

async function revoke(token, list) {
  const answer = await ask(texts.revoke(token.name), texts.revokeNote, [["", texts.keep, ""], ["go", texts.revokeGo, "danger"]]);
  if (answer !== "go") return;
  await doing(async () => {
    await call("DELETE", `/tokens/${token.id}`);
    announce(texts.revoked(token.name));
    await fill(list);
  });
}

function newToken(list, made) {
  const name = h("input", { type: "text", required: true, maxlength: 300, autocomplete: "off" });
  const scope = h("select", {});
  options(scope, Object.entries(texts.scopes), "write");
  const space = h("select", {});
  options(space, [["", texts.everywhere], ...state.spaces.map((one) => [String(one.id), one.name])], "");
  const wrong = h("p", { class: "error", role: "alert" });
  const form = h("form", { class: "boxed stack tight", autocomplete: "off" }, h("h4", {}, texts.newToken),
    field(texts.name, name), field(texts.may, scope), state.spaces.length ? field(texts.where, space) : null,
    wrong, h("div", { class: "row" }, h("button", { class: "primary" }, texts.make)));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      const asked = { name: name.value, scope: scope.value, space: space.value ? Number(space.value) : null };
      const { token } = await call("POST", "/tokens", asked);
      form.reset();
      scope.value = "write";
      show(made, token);
      await fill(list);
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  return form;
}

const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);

/** A token that was just made: there until one leaves the settings, and never again. */
function show(made, token) {
  const copy = button(texts.copy, () => copyText(token), "primary");
  made.replaceChildren(h("p", { role: "status" }, texts.shownOnce), h("output", { id: "new-token", class: "key", translate: "no" }, token),
    h("div", { class: "row" }, copy));
  copy.focus();
}
