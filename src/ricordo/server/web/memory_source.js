/** The rows of a list of memories as the server holds them: counted at once, fetched a page at a time when they come into view. */

import { call } from "./api.js";

const PAGE = 100;
const AT_ONCE = 2; // pages that are being fetched while the person scrolls past many

/** @param {() => void} came is called when rows that were wanted are there; @param {(error: Error) => void} failed */
export function memorySource(came, failed) {
  let sieve = {}; // { home, within, text }
  let parts = []; // { kinds, first, count, pages }: each a list of its own, one after the other
  let latest = 0;
  const coming = new Set();

  const partAt = (index) => parts.find((part) => index >= part.first && index < part.first + part.count);
  const totalOf = () => parts.reduce((sum, part) => sum + part.count, 0);

  async function fetchPage(part, page, by) {
    return call("POST", "/memory/list", { ...by, kinds: part.kinds, offset: page * PAGE, limit: PAGE });
  }

  return {
    total: totalOf,

    /** How many rows there are of each kind that is listed. */
    counts: {},

    /** Count and fetch anew what is in view; resolves to whether this was the last time it was asked for.
     * @param {string[][]} groups the kinds of each part */
    async load(groups, by, first, stop) {
      const turn = ++latest;
      const counts = await call("POST", "/memory/count", { ...by, kinds: groups.flat() });
      if (turn !== latest) return false;
      let at = 0;
      const next = groups.map((kinds) => {
        const part = { kinds, first: at, count: kinds.reduce((sum, kind) => sum + counts[kind], 0), pages: new Map() };
        at += part.count;
        return part;
      });
      const end = Math.min(Math.max(stop, first + 1), at);
      const here = next.flatMap((part) => {
        const from = Math.max(0, first - part.first);
        const to = Math.min(part.count, end - part.first);
        return to <= from ? [] : range(Math.floor(from / PAGE), Math.floor((to - 1) / PAGE)).map((page) => [part, page]);
      });
      const pages = await Promise.all(here.map(([part, page]) => fetchPage(part, page, by)));
      if (turn !== latest) return false;
      here.forEach(([part, page], index) => part.pages.set(page, pages[index]));
      parts = next;
      sieve = by;
      this.counts = counts;
      coming.clear();
      return true;
    },

    /** The row at a place, null while it has not come. */
    rowAt(index) {
      const part = partAt(index);
      return part?.pages.get(Math.floor((index - part.first) / PAGE))?.[(index - part.first) % PAGE] ?? null;
    },

    /** Whether a row is the first of its part. */
    begins: (index) => partAt(index)?.first === index,

    /** Fetch what is missing between two places. */
    want(first, stop) {
      for (let index = first; index < stop; index += 1) {
        const part = partAt(index);
        const page = part && Math.floor((index - part.first) / PAGE);
        const name = part && `${part.first} ${page}`;
        if (!part || part.pages.has(page) || coming.has(name)) continue;
        if (coming.size >= AT_ONCE) return;
        coming.add(name);
        fetchPage(part, page, sieve).then((rows) => {
          part.pages.set(page, rows);
          coming.delete(name);
          if (parts.includes(part)) came();
        }, (error) => {
          coming.delete(name);
          failed(error);
        });
      }
    },
  };
}

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
