/** Text given along with a message: files by button, by dropping or pasting them, and long pasted texts. Loaded when first used. */

import { notice } from "./dom.js";
import { texts } from "./texts.js";

const MOST = 8; // files with one message
const LARGEST = 1_000_000; // bytes of one

/** Read files that are to be given along beside `there`; what cannot be is said, and the others are taken. */
export async function readFiles(files, there) {
  const taken = [];
  for (const file of files) {
    if (there.length + taken.length >= MOST) {
      notice(texts.tooManyFiles(MOST), { error: true });
      break;
    }
    const text = file.size > LARGEST ? null : textOf(new Uint8Array(await file.arrayBuffer()));
    if (file.size > LARGEST) notice(texts.fileTooLarge(file.name, texts.size(LARGEST)), { error: true });
    else if (text === null) notice(texts.noText(file.name), { error: true });
    else taken.push({ name: file.name.slice(0, 300) || texts.pasted, media_type: (file.type || "text/plain").slice(0, 200), text });
  }
  return taken;
}

/** Return the text of a file, null for one that holds none. */
function textOf(bytes) {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    const text = new TextDecoder(wide ? "utf-16le" : "utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") || text.trim() === "" ? null : text;
  } catch {
    return null;
  }
}
