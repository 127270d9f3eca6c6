/**
 * Talking to the server, and following what changes elsewhere: in other tabs, by commands, by the model.
 *
 * A refusal for want of a session or an open vault is told to whoever asked for it by `onShut`. A browser opens six connections
 * to a host and an event stream keeps one busy, so one tab listens and tells the others. It holds a lock that passes on when the
 * tab is closed.
 */

import { texts } from "./texts.js";

export class ApiError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

let shut = () => {};

/** Have `callback` called when the vault turns out to be locked, or this browser to be outside. */
export function onShut(callback) {
  shut = callback;
}

/** Call the API; throws ApiError with the server's own sentence. */
export async function call(method, path, body) {
  const response = await send(method, path, body);
  return response.status === 204 ? null : response.json();
}

/** POST (a Blob as it is, else JSON) and yield the events of the answer as [name, data]; ends when `signal` aborts. */
export async function* events(path, body, signal) {
  const response = await send("POST", path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const whole = (pending + value).split("\n\n");
      pending = whole.pop();
      for (const event of whole) {
        const data = /^data: (.*)$/m.exec(event);
        if (data) yield [/^event: (.*)$/m.exec(event)[1], JSON.parse(data[1])];
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // it rejects after an abort
  }
}

async function send(method, path, body, signal) {
  let response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      signal,
      headers: body === undefined ? {} : { "content-type": body instanceof Blob ? body.type : "application/json" },
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("NoAnswer", texts.noAnswer);
  }
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({ error: { kind: "Unexpected", message: response.statusText } }));
  if (response.status === 423 || response.status === 401) shut();
  throw new ApiError(error.kind, error.message);
}

const channel = new BroadcastChannel("ricordo");
let hear = () => {};

/** @param {(name: string, data: any) => void} callback is told `changed`, `learned`, `embedding`, `undone`, `locked`, and `lost` when the stream ends */
export function setUpChanges(callback) {
  hear = callback;
  channel.onmessage = ({ data: [name, data] }) => hear(name, data);
}

/** Begin to follow; called once, when this tab has come in. `told` is up to where it knows: what came since is told at first. */
export function follow(told) {
  navigator.locks.request("ricordo", () => listen(told));
}

/** Tell the other tabs at once, without waiting for the server's word. */
export function tellOthers(name, data = {}) {
  channel.postMessage([name, data]);
}

function listen(told) {
  const source = new EventSource(`/api/events?told=${told}`);
  for (const name of ["changed", "learned", "embedding", "locked"]) {
    source.addEventListener(name, (event) => spread(name, JSON.parse(event.data)));
  }
  // A closed stream is not tried again: the vault is locked or the session over. A lost one is, and then all is fetched anew.
  source.addEventListener("error", () => source.readyState === EventSource.CLOSED && spread("lost", {}));
  let opened = false;
  source.addEventListener("open", () => {
    if (opened) spread("changed", { what: "everything" });
    opened = true;
  });
  return new Promise(() => {}); // never: the lock passes on when this tab goes
}

function spread(name, data) {
  tellOthers(name, data);
  hear(name, data);
}
