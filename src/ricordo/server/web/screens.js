/** Which screen is shown beside the list: the address names it. Where none fits, the conversation is.
 *
 * A screen is an empty element of the page, a module and a style sheet of its own, which are loaded when it is first shown.
 * The module exports `show(element, found)`, called again for another address of the same screen, and `leave(element)`; `show`
 * resolves to true where it has given the focus to something itself.
 */

import { $, h, notice } from "./dom.js";
import { state, update } from "./state.js";

/** @type {Array<{ element: string, address: RegExp, style: string, load: () => Promise<any> }>} */
const screens = [
  { element: "diary", address: /^#\/diary(?:\/(\d{4})-(\d\d)(?:-(\d\d))?)?$/, style: "diary.css", load: () => import("./diary.js") },
  { element: "settings", address: /^#\/settings(?:\/(\w+))?$/, style: "settings.css", load: () => import("./settings.js") },
  { element: "memories", address: /^#\/memory$/, style: "memory.css", load: () => import("./memories.js") },
  { element: "space-page", address: /^#\/space\/(\d+)(?:\/(conversations|memory|settings))?$/, style: "memory.css", load: () => import("./space_page.js") },
];
let open = null; // { screen, module }
let wanted = null; // the address that is being gone to, as modules take a moment to load

/** Show the screen at an address; returns whether there is one. The focus goes to its heading when it was not shown before. */
export function showScreen(address) {
  const next = screens.find((screen) => screen.address.test(address)) ?? null;
  wanted = address;
  if (open && open.screen !== next) leaveScreen();
  for (const { element } of screens) $(element).hidden = element !== next?.element;
  $("chat").hidden = next !== null;
  if (state.screen !== (next?.element ?? null)) update({ screen: next?.element ?? null });
  for (const link of document.querySelectorAll("#places li:not(#private-place) a")) {
    if (next?.address.test(link.hash)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (next) enter(next, address).catch((error) => notice(error.message, { error: true }));
  return next !== null;
}

async function enter(screen, address) {
  const [module] = await Promise.all([screen.load(), styled(screen.style)]);
  if (wanted !== address) return; // gone elsewhere meanwhile
  const before = open;
  open = { screen, module };
  const element = $(screen.element);
  const placed = await module.show(element, screen.address.exec(address));
  if (placed !== true && before?.screen !== screen && wanted === address) element.querySelector("h2")?.focus();
}

/** Leave the screen that is shown, as when another place is gone to. */
export function leaveScreen() {
  open?.module.leave($(open.screen.element));
  open = null;
}

/** Load a style sheet, once. */
export function styled(href) {
  if (document.head.querySelector(`link[href="${href}"]`)) return null;
  return new Promise((resolve, reject) => {
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: () => reject(new Error(href)) }));
  });
}
