/** A recovery key, shown this once: to be copied, printed, or saved. */

import { announce, button, h } from "./dom.js";
import { texts } from "./texts.js";

/** The key with its ways to keep it. */
export function recoveryCard(key) {
  const shown = h("output", { id: "recovery-key", class: "key", translate: "no" }, key);
  return h("div", { class: "recovery stack" }, h("p", { class: "dim" }, texts.recoveryIntro), shown,
    h("div", { class: "row wrap" },
      button(texts.copy, async () => {
        await navigator.clipboard.writeText(key);
        announce(texts.copied);
      }),
      button(texts.print, () => window.print()),
      button(texts.saveFile, () => saveAsFile(key))));
}

function saveAsFile(key) {
  const address = URL.createObjectURL(new Blob([`${texts.recoveryFile}\n\n${key}\n`], { type: "text/plain" }));
  const link = h("a", { href: address, download: "ricordo recovery key.txt" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
