/** A month as a grid of days: a table in which the arrow keys move from day to day. Days are texts as in 2026-05-17.
 *
 * Days are reckoned in UTC, where each has 24 hours; which day something was written on the server says.
 */

import { h } from "./dom.js";
import { diaryTexts as texts } from "./texts_diary.js";

const format = (options) => new Intl.DateTimeFormat(undefined, { timeZone: "UTC", ...options });
const LONG = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const MEDIUM = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const SHORT = format({ day: "numeric", month: "long" });
const MONTH = format({ month: "long", year: "numeric" });
const NAME = format({ month: "long" });
const WEEKDAY = format({ weekday: "long" });
const WEEKDAY_SHORT = format({ weekday: "short" });
const SOME_MONDAY = "2024-01-01";

const dateOf = (day) => new Date(`${day}T00:00:00Z`);
const dayOfDate = (date) => date.toISOString().slice(0, 10);
export const monthOf = (day) => day.slice(0, 7);
export const longName = (day) => LONG.format(dateOf(day));
export const mediumName = (day) => MEDIUM.format(dateOf(day));
export const shortName = (day) => SHORT.format(dateOf(day));
export const monthName = (month) => MONTH.format(dateOf(`${month}-01`));
export const monthNames = () => Array.from({ length: 12 }, (_, index) => NAME.format(new Date(Date.UTC(2024, index, 1))));

/** Say whether there is such a day, in the years that a calendar has. */
export const isDay = (day) => /^\d{4}-\d\d-\d\d$/.test(day) && day >= "0001" && !Number.isNaN(+dateOf(day)) && dayOfDate(dateOf(day)) === day;

/** The day that many days later; one that no calendar has is no day. */
export function daysOn(day, days) {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + days);
  return dayOfDate(date);
}

/** The same day that many months later, or the last of a shorter month. */
export function monthsOn(day, months) {
  const date = dateOf(`${monthOf(day)}-01`);
  date.setUTCMonth(date.getUTCMonth() + months);
  const month = monthOf(dayOfDate(date));
  const last = daysIn(month);
  return `${month}-${String(Math.min(Number(day.slice(8)), last)).padStart(2, "0")}`;
}

function daysIn(month) {
  const date = dateOf(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.getUTCDate();
}

/** The day that weeks begin with where the reader lives: 1 is Monday, 7 Sunday. */
function firstOfWeek() {
  const locale = new Intl.Locale(navigator.language);
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

/** How many days into its week a day is. */
const intoWeek = (day) => (dateOf(day).getUTCDay() - firstOfWeek() + 7) % 7;

/**
 * Draw a month into its table, unless it stands there already; then mark the chosen day.
 * @param {HTMLTableElement} table
 * @param {string} month as in 2026-05
 * @param {Map<string, number>} counts entries by day
 * @param {{ today: string, chosen: string|null, focus: string|null }} days `focus` is to have the focus
 */
export function drawMonth(table, month, counts, { today, chosen, focus }) {
  const key = `${month} ${today} ${[...counts]}`;
  const had = table.contains(document.activeElement) ? document.activeElement.dataset.day : null;
  if (table.dataset.key !== key) {
    table.dataset.key = key;
    table.replaceChildren(h("caption", { class: "sr" }, texts.calendar(monthName(month))), head(), body(month, counts, today));
  }
  for (const link of table.querySelectorAll("a")) link.closest("td").setAttribute("aria-selected", String(link.dataset.day === chosen));
  const days = [focus, had, chosen, today, counts.keys().next().value, `${month}-01`];
  const first = days.find((day) => day && monthOf(day) === month);
  reach(table, first);
  if (focus || (had && first === had)) linkOf(table, first).focus();
}

function head() {
  const days = Array.from({ length: 7 }, (_, index) => dateOf(daysOn(SOME_MONDAY, firstOfWeek() - 1 + index)));
  const cells = days.map((day) => h("th", { scope: "col", "aria-label": WEEKDAY.format(day) }, WEEKDAY_SHORT.format(day)));
  return h("thead", {}, h("tr", {}, h("td", { class: "week" }), ...cells));
}

function body(month, counts, today) {
  const first = `${month}-01`;
  const length = daysIn(month);
  const rows = [];
  for (let at = -intoWeek(first); at < length; at += 7) {
    const cells = Array.from({ length: 7 }, (_, index) => {
      const number = at + index + 1;
      return number < 1 || number > length ? h("td") : cell(daysOn(first, number - 1), number, counts, today);
    });
    const week = h("th", { scope: "row", class: "week" }, h("span", { class: "sr" }, texts.week(shortName(daysOn(first, Math.max(at, 0))))));
    rows.push(h("tr", {}, week, ...cells));
  }
  return h("tbody", {}, ...rows);
}

function cell(day, number, counts, today) {
  const count = counts.get(day) ?? 0;
  const attributes = {
    href: `#/diary/${day}`,
    class: count ? "written" : null,
    tabindex: "-1",
    "data-day": day,
    "aria-label": texts.day(longName(day), count, day === today),
    "aria-current": day === today ? "date" : null,
  };
  return h("td", {}, h("a", attributes, h("span", {}, String(number)), count ? h("span", { class: "count" }, String(count)) : null));
}

const linkOf = (table, day) => table.querySelector(`[data-day="${day}"]`);

/** Let one day be the one that Tab comes to. */
function reach(table, day) {
  for (const link of table.querySelectorAll('a[tabindex="0"]')) link.tabIndex = -1;
  linkOf(table, day).tabIndex = 0;
}

/** Where a key leads to from a day, null for one that leads nowhere. */
function target(event, day) {
  const into = intoWeek(day);
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -into, End: 6 - into };
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key in steps) return daysOn(day, steps[event.key]);
  const months = { PageUp: -1, PageDown: 1 }[event.key];
  return months ? monthsOn(day, months * (event.shiftKey ? 12 : 1)) : null;
}

/** Let the arrow keys, Home, End and Page Up and Down move between days; `leave` is told a day of another month. */
export function followKeys(table, leave) {
  table.addEventListener("keydown", (event) => {
    const from = event.target.dataset.day;
    const to = from ? target(event, from) : null;
    if (to === null) return;
    event.preventDefault();
    if (!isDay(to)) return;
    if (monthOf(to) !== monthOf(from)) return leave(to);
    reach(table, to);
    linkOf(table, to).focus();
  });
  table.addEventListener("focusin", ({ target: { dataset } }) => dataset.day && reach(table, dataset.day));
}
