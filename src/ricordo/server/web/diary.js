/** The diary: a month of days at the left, and what was written on the chosen one. #/diary is today, #/diary/2026-05 a month. */

import { call } from "./api.js";
import { drawMonth, followKeys, isDay, longName, mediumName, monthName, monthNames, monthOf, monthsOn } from "./calendar.js";
import { drawEntries, drawOtherYears, fetchDay, showMore } from "./diary_day.js";
import { button, drawRows, h, iconButton, notice, options, screenBar } from "./dom.js";
import { dayAddress } from "./messages.js";
import { subscribe } from "./state.js";
import { diaryTexts as texts } from "./texts_diary.js";

let page = null; // the elements, once they are made
let shown = null; // { month, day, ends, found }: what stands there
let wanted = null; // { month, day, focus }: what is being fetched, or stands there

subscribe((changed) => {
  if (changed.has("conversations") && wanted) draw({ ...wanted }).catch(() => {}); // something was written elsewhere
});

/** Show the month or day that the address names; today where it names none. */
export async function show(element, [, year, monthNumber, dayNumber]) {
  page ??= make(element);
  const month = `${year}-${monthNumber}`;
  const day = dayNumber ? `${month}-${dayNumber}` : null;
  if (isDay(day ?? `${month}-01`)) {
    await draw({ month, day });
    return day !== null && shown?.day === day && bringIntoView();
  }
  const { today } = await call("GET", "/diary");
  if (page) await draw({ month: monthOf(today), day: today });
}

/** Where the day stands below the calendar, go on to it. Returns whether the focus is there then. */
function bringIntoView() {
  if (page.title.getBoundingClientRect().top < page.table.getBoundingClientRect().bottom) return false; // beside it
  page.title.scrollIntoView();
  if (!page.title.parentElement.contains(document.activeElement)) page.title.focus({ preventScroll: true });
  return true;
}

/** Let go of what was written, so that it stands in no page that shows something else. */
export function leave(element) {
  element.replaceChildren();
  page = shown = wanted = null;
}

async function draw(want) {
  wanted = want;
  const { month, day, focus = null } = want;
  const same = shown?.day === day ? shown.found : null;
  const [year, number] = month.split("-").map(Number);
  const [ends, written, found] = await Promise.all([
    call("GET", "/diary"),
    call("GET", `/diary/days?year=${year}&month=${number}`),
    day ? fetchDay(day, same?.entries.length) : null,
  ]);
  if (wanted !== want) return; // gone elsewhere meanwhile
  wanted = { month, day };
  shown = { month, day, ends, found };
  const counts = new Map(written.map((each) => [each.day, each.entries]));
  page.month.value = String(number);
  page.year.value = String(year);
  page.previous.disabled = month === "0001-01";
  page.next.disabled = month === "9999-12";
  page.first.disabled = page.last.disabled = ends.first === null;
  drawMonth(page.table, month, counts, { today: ends.today, chosen: day, focus });
  page.others.hidden = day === null;
  if (day) {
    drawDay();
    drawOtherYears(page.others.querySelector("ul"), found);
  } else drawOverview(month, written);
}

function drawDay() {
  const { day, ends, found } = shown;
  page.title.textContent = longName(day);
  drawEntries(page.list, found.entries);
  const rest = found.total - found.entries.length;
  const nothing = ends.first === null ? texts.nothingAtAll : day === ends.today ? texts.nothingToday : texts.nothing;
  page.count.textContent = found.total === 0 ? nothing : rest ? texts.shown(found.entries.length, found.total) : texts.entries(found.total);
  page.more.hidden = rest <= 0;
  page.more.textContent = texts.more(rest);
  for (const side of ["before", "after"]) lead(page[side], found[side], texts[side]);
}

/** Let a link lead to a day with entries; where there is none it goes, and the focus with it to the title. */
function lead(link, day, say) {
  if (day === null && link === document.activeElement) page.title.focus();
  link.hidden = day === null;
  if (day === null) return;
  link.href = dayAddress(day);
  link.querySelector("span:not([aria-hidden])").textContent = mediumName(day);
  link.setAttribute("aria-label", say(mediumName(day)));
}

/** List the days of a month that were written on. */
function drawOverview(month, written) {
  page.title.textContent = monthName(month);
  page.count.textContent = texts.inMonth(written.reduce((sum, each) => sum + each.entries, 0), written.length);
  page.before.hidden = page.after.hidden = page.more.hidden = true;
  drawRows(page.list, written, ({ day, entries }) => `${day} ${entries}`, ({ day, entries }) => {
    return h("li", { class: "row between" }, h("a", { href: dayAddress(day) }, longName(day)), h("span", { class: "dim small" }, texts.entries(entries)));
  });
}

/** Go on to another day within its month, by keyboard: the address follows, but Back does not count the steps. */
function walk(day) {
  history.replaceState(null, "", `#/diary/${monthOf(day)}`);
  draw({ month: monthOf(day), day: null, focus: day }).catch(said);
}

const said = (error) => notice(error.message, { error: true });
const go = (address) => { location.hash = address; };
const goMonths = (months) => go(`#/diary/${monthOf(monthsOn(`${shown.month}-01`, months))}`);

function goChosen() {
  const year = Math.trunc(Number(page.year.value));
  if (year >= 1 && year <= 9999) go(`#/diary/${String(year).padStart(4, "0")}-${page.month.value.padStart(2, "0")}`);
  else page.year.value = String(Number(shown.month.slice(0, 4)));
}

function make(element) {
  const made = {
    previous: iconButton("before", texts.previousMonth, () => goMonths(-1)),
    month: h("select", { "aria-label": texts.month, autocomplete: "off", onchange: goChosen }),
    year: h("input", { "aria-label": texts.year, type: "number", min: 1, max: 9999, autocomplete: "off", onchange: goChosen }),
    next: iconButton("after", texts.nextMonth, () => goMonths(1)),
    table: h("table", { role: "grid" }),
    first: button(texts.first, () => go(dayAddress(shown.ends.first))),
    today: button(texts.today, () => go(dayAddress(shown.ends.today))),
    last: button(texts.last, () => go(dayAddress(shown.ends.last))),
    title: h("h3", { tabindex: "-1", id: "diary-title" }),
    count: h("p", { class: "dim small", role: "status" }),
    before: h("a", {}, h("span", { "aria-hidden": "true" }, "← "), h("span")),
    after: h("a", { class: "end" }, h("span"), h("span", { "aria-hidden": "true" }, " →")),
    list: h("ol", { class: "plain" }),
    more: button("", () => showMore(made.list, shown.found).then(drawDay).catch(said)),
    others: h("section", { class: "others", "aria-labelledby": "diary-others" }, h("h3", { id: "diary-others" }, texts.onThisDay), h("ul", { class: "plain" })),
  };
  options(made.month, monthNames().map((name, index) => [String(index + 1), name]), "1");
  followKeys(made.table, walk);
  made.table.addEventListener("click", ({ target }) => target.closest("a")?.hash === location.hash && bringIntoView()); // chosen again
  element.replaceChildren(screenBar(texts.title), h("div", { class: "diary" }, calendar(made), reading(made), made.others));
  return made;
}

function calendar(made) {
  return h(
    "section",
    { class: "calendar", "aria-label": texts.month },
    h("div", { class: "row tight" }, made.previous, made.month, made.year, made.next),
    made.table,
    h("p", { class: "dim small" }, texts.legend),
    h("div", { class: "row tight ends" }, made.first, made.today, made.last),
  );
}

function reading(made) {
  const beside = h("nav", { class: "row between beside", "aria-label": texts.beside }, made.before, made.after);
  return h("section", { class: "reading", "aria-labelledby": "diary-title" }, made.title, made.count, beside, made.list, made.more);
}
