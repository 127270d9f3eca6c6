/** What is shown now. Modules read `state`, change it by `update`, and redraw when told which parts changed. */

import { call } from "./api.js";

export const state = {
  inside: false, // whether this browser has come in
  settings: null,
  spaces: [],
  conversations: [],
  facts: null, // how many there are: { total, everywhere, spaces }; lists of them are fetched where they are shown
  imports: 0, // when the list of imports changed last: it is fetched where it is shown
  space: null, // the active Space's id
  conversation: null, // the open conversation's id, null for one that has not begun, PRIVATE for the private one
  screen: null, // the screen that is shown in the conversation's place, null where the conversation is
  message: null, // the message that it was opened at
};

export const PRIVATE = "private";
export const isPrivate = () => state.conversation === PRIVATE;

/** What the page begins with. Its head runs this module by itself, so that the answer is read while the others are coming. */
export const beginning = call("GET", "/start");
beginning.catch(() => {}); // told where it is waited for

const listeners = [];

/** Have `listener` called with the names of the parts that changed; the function that is returned ends that. */
export function subscribe(listener) {
  listeners.push(listener);
  return () => listeners.splice(listeners.indexOf(listener), 1);
}

export function update(values) {
  Object.assign(state, values);
  const names = new Set(Object.keys(values));
  for (const listener of [...listeners]) listener(names);
}

let asked = 0;
const newest = {}; // part → which asking it is from

/** Fetch parts of the state anew; an answer that a later asking has overtaken is dropped. */
export async function refresh(...names) {
  const turn = ++asked;
  const parts = await Promise.all(names.map((name) => call("GET", name === "facts" ? "/facts/count" : `/${name}`)));
  const fresh = names.map((name, index) => [name, parts[index]]).filter(([name]) => turn > (newest[name] ?? 0));
  for (const [name] of fresh) newest[name] = turn;
  update(Object.fromEntries(fresh));
}

const AGAIN = 250; // milliseconds between two readings of what changed elsewhere, however much does
const AWAY = 1000; // within which a tab reads it that the person is not in: many tabs would else all ask at the same moment
const stale = new Set();
let reading = 0;
let readAt = -AGAIN;

/** Fetch parts anew that changed elsewhere: at once where the person is, in other tabs soon. */
export function refreshSoon(...names) {
  for (const name of names) stale.add(name);
  const wait = document.hasFocus() ? readAt + AGAIN - performance.now() : AWAY * Math.random();
  reading ||= setTimeout(() => {
    const parts = [...stale];
    stale.clear();
    [reading, readAt] = [0, performance.now()];
    refresh(...parts).catch(() => {});
  }, Math.max(0, wait));
}

export const conversation = () => state.conversations.find((one) => one.id === state.conversation) ?? null;
export const spaceNamed = (id) => state.spaces.find((space) => space.id === id)?.name ?? "";

/** The Space that the next message or fact belongs to: the open conversation's, else the active one. */
export const spaceHere = () => (state.conversation === null ? state.space : (conversation()?.space ?? null));
