/**
 * Following what changes elsewhere: in other tabs, by commands, by the model.
 *
 * A browser opens six connections to a host and an event stream keeps one busy, so one tab listens and tells the others. It
 * holds a lock that passes on when the tab is closed.
 */

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
