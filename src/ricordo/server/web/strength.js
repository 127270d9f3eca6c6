/**
 * How long a passphrase would hold, by a small estimate of our own: honest words, no promise. It never leaves this page.
 *
 * A guess takes half a second of one core and 256 MB (Argon2id), so a rich attacker with a thousand machines makes some
 * 10,000 a second: 2^13. What is guessed early (common words, years, runs like abcd or 1234) counts for little.
 */

import { h } from "./dom.js";

const COMMON = /^(?:pass(?:word|wort|phrase)?|letmein|welcome|qwert[yz]\w*|asdf\w*|admin|login|iloveyou|monkey|dragon|sunshine|princess|football|baseball|secret|master|hello|ricordo|diary|tagebuch|summer|winter|spring|autumn|love|god|abc)$/i;
const RUNS = "abcdefghijklmnopqrstuvwxyz 01234567890 qwertyuiop asdfghjkl zxcvbnm qwertzuiop";
const WORD = 11; // bits of a word: one of two thousand usual ones
const LEVELS = [ // below so many bits; the times are those of that attacker
  [26, "Very weak: found within hours by whoever has the file."],
  [34, "Weak: found within days or weeks by someone who really wants it."],
  [42, "Fair: holds for years against one person, not against a rich attacker."],
  [50, "Good: holds for decades, as far as anyone can tell today."],
  [Infinity, "Strong: longer than anyone will try."],
];

/** Bits of a passphrase, roughly and rather too few than too many. */
export function bitsOf(text) {
  const words = text.trim().split(/[\s_.,;:-]+/).filter(Boolean);
  const seen = new Set();
  let bits = 0;
  for (const word of words) {
    const plain = word.toLowerCase();
    bits += seen.has(plain) ? 1 : wordBits(word);
    seen.add(plain);
  }
  return bits;
}

function wordBits(word) {
  const letters = word.replace(/[\d\W_]+$/u, ""); // summer2024! is a word with a tail
  const tail = word.length - letters.length;
  if (COMMON.test(letters)) return 4 + tail * 2;
  if (/^\d+$/.test(word)) return Math.min(word.length * 3.3, isRun(word) ? 4 : Infinity, /^(19|20)\d\d$/.test(word) ? 6 : Infinity);
  if (isRun(word) || /^(.)\1*$/u.test(word)) return 4;
  const kinds = (/[a-z]/.test(word) ? 26 : 0) + (/[A-Z]/.test(word) ? 26 : 0) + (/\d/.test(word) ? 10 : 0) + (/[^a-zA-Z0-9]/.test(word) ? 30 : 0);
  const different = new Set(word).size;
  const random = Math.min(word.length, different * 1.5) * Math.log2(kinds);
  // Letters in one case are a word as a rule, however long; mixed ones may be random.
  const wordlike = /^[A-Z]?[a-z]+$/.test(letters) || /^[A-Z]+$/.test(letters) || /^[^\x00-\x7f]+$/u.test(letters);
  return wordlike ? Math.min(random, WORD + Math.max(letters.length - 9, 0) + tail * 3) : random;
}

const isRun = (word) => word.length > 2 && [word.toLowerCase(), [...word.toLowerCase()].reverse().join("")].some((one) => RUNS.includes(one));

/** What the bits mean: [0 to 4, a sentence]. */
export function verdict(bits) {
  const level = LEVELS.findIndex(([below]) => bits < below);
  return [level, LEVELS[level][1]];
}

/** A meter that follows what is typed in a field. */
export function strengthMeter(input) {
  const bar = h("meter", { min: 0, max: 5, low: 2, high: 3.5, optimum: 5, "aria-hidden": "true" });
  const said = h("p", { class: "small dim", role: "status" });
  const box = h("div", { class: "strength stack tight", hidden: true }, bar, said);
  const draw = () => {
    box.hidden = input.value === "";
    const [level, sentence] = verdict(bitsOf(input.value));
    bar.value = level + 1;
    if (said.textContent !== sentence) said.textContent = sentence;
  };
  input.addEventListener("input", draw);
  draw(); // what was typed before this was loaded
  return box;
}
