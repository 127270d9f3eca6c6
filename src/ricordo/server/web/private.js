/**
 * A private conversation: one at a time in a tab, in the server's memory and in this page's, nowhere else.
 *
 * It is the open conversation when `state.conversation` is PRIVATE; it begins on the server with its first message.
 */

import { call } from "./api.js";
import { $, announce } from "./dom.js";
import { begin } from "./conversations.js";
import { PRIVATE, isPrivate, state, subscribe } from "./state.js";
import { texts } from "./texts.js";

const talk = { key: null, messages: [] };

export const privateBegun = () => talk.key !== null;
export const privateMessages = () => talk.messages;

/** The address of the private conversation on the server. */
export const privatePath = () => `/private/${talk.key}`;

export function setUpPrivate() {
  $("private-end").addEventListener("click", end);
  addEventListener("pagehide", () => forget(true));
  subscribe((changed) => {
    if (changed.has("conversation") || changed.has("screen")) draw();
  });
}

/** Begin on the server, unless it has begun. */
export async function beginPrivate() {
  if (talk.key === null) talk.key = (await call("POST", "/private")).key;
  draw();
  return PRIVATE;
}

function draw() {
  $("private-note").hidden = !isPrivate();
  $("private-end").hidden = $("private-place").hidden = !privateBegun();
  const unbegun = state.conversation === null || (isPrivate() && !privateBegun());
  $("private-label").hidden = !unbegun;
  $("private").checked = isPrivate();
  $("just-write-label").hidden = isPrivate();
  const link = $("private-place").querySelector("a");
  if (isPrivate() && state.screen === null) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

function end() {
  forget();
  announce(texts.privateEnded);
  begin();
}

function forget(leaving = false) {
  if (talk.key === null) return;
  fetch(`/api${privatePath()}`, { method: "DELETE", keepalive: leaving }).catch(() => {});
  talk.key = null;
  talk.messages.length = 0;
}
