// Fields whose answer is a date, a time or both.

import { formatDay, formatOffset, padTwo } from "./time_units.js";

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$/;
const TIMESTAMP = /^(.{10})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/i;

function isDay(value) {
  const [, year, month, day] = DAY.exec(value) ?? [];
  const last = new Date(Date.UTC(2000, Number(month), 0));
  last.setUTCFullYear(Number(year), Number(month), 0);
  return (
    Number(year) >= 1 &&
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= last.getUTCDate()
  );
}

const isTime = (value) => TIME.test(value);
const isTimestamp = (value) => TIMESTAMP.test(value) && isDay(value.slice(0, 10));

/** Write a moment in a language; undefined if it is none. */
function formatMoment(tag, value, style) {
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? undefined : new Intl.DateTimeFormat(tag, style).format(moment);
}

/** Return the local time with the offset that applies here on that day, not today's. */
function addOffset(local) {
  const moment = new Date(local);
  if (Number.isNaN(moment.getTime())) return local;
  return `${local.length === 16 ? `${local}:00` : local}${formatOffset(moment)}`;
}

function removeOffset(value) {
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return value;
  return `${formatDay(moment)}T${padTwo(moment.getHours())}:${padTwo(moment.getMinutes())}`;
}

const convertText = (convert) => (value) => (typeof value === "string" ? convert(value) : value);

const createPickedType = (isWellFormed, word, more) => ({
  isWellFormed,
  isPicked: true,
  check: (_, value) => (isWellFormed(value) ? null : [word]),
  parseCell: (cell) => cell,
  ...more,
});

export const date = createPickedType(isDay, "checkDate", {
  format: (value, { tag }) => formatMoment(tag, `${value}T00:00:00Z`, { dateStyle: "medium", timeZone: "UTC" }),
  typedDefault: { input: { type: "date" } },
});
export const time = createPickedType(isTime, "checkTime", { typedDefault: { input: { type: "time" } } });
// The page has local times, the API times with an offset.
export const datetime = createPickedType(isTimestamp, "checkDate", {
  toApi: convertText(addOffset),
  toPage: convertText(removeOffset),
  parseCell: removeOffset,
  format: (value, { tag }) => formatMoment(tag, value, { dateStyle: "medium", timeStyle: "short" }),
  typedDefault: { input: { class: "code" }, help: "With its offset: 2026-03-29T14:30:00+02:00" },
});
