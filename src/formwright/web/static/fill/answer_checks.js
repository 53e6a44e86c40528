// Checks an answer against its type and limits, like the server's schema does (`domain/forms/fields/`).
// Returns null, or [word, ...values] for the message.

import { readNumber } from "./numbers.js";
import { matches } from "./patterns.js";

const SAFE = 2 ** 53;
const LONGEST = 10_000;
const LONGEST_KEY = 500;
/** The most rows of a data source in an answer. */
const MOST_ROWS = 100;
/** The most points of a line or an area. */
export const MOST_POINTS = 1000;

export function check(step, value) {
  const checks = (step.calculate && CALCULATED[step.type]) || CHECKS[step.type];
  return checks?.(step, value) ?? null;
}

/** Whether a calculated text is a date, a time or both, if its field has such a type. Others are no answer. */
export function isWellFormed({ type }, value) {
  return FORMATS[type]?.(value) ?? true;
}

const CHECKS = {
  text: (step, value) => length(step, value) ?? pattern(step, value),
  textarea: (step, value) => length(step, value),
  boolean: (step, value) => (step.agreement && value !== true ? ["required"] : null),
  email: (_, value) => (EMAIL.test(value) && value.length <= 254 ? null : ["checkEmail"]),
  phone: (_, value) => (PHONE.test(value) ? null : ["checkPhone"]),
  url: (_, value) => (URI.test(value) && value.length <= 2048 ? null : ["checkUrl"]),
  integer: whole,
  slider: whole,
  nps: whole,
  rating: (step, value) => whole({ ...step, min: 1 }, value),
  decimal: (step, value) => (Number.isFinite(value) ? range(step, value) : unread(value, "checkNumber")),
  date: (_, value) => (isDay(value) ? null : ["checkDate"]),
  time: (_, value) => (TIME.test(value) ? null : ["checkTime"]),
  datetime: (_, value) => (isMoment(value) ? null : ["checkDate"]),
  choice: (step, value) => (step.values.includes(value) ? null : ["checkChoice"]),
  choices: (step, value) => (value.every((one) => step.values.includes(one)) && isSet(value) ? picks(step, value) : ["checkChoice"]),
  ranking: (step, value) => (value.length === step.values.length && value.every((one) => step.values.includes(one)) && isSet(value) ? null : ["checkRanking"]),
  photo: files,
  file: files,
  audio: files,
  video: files,
  lookup: (_, value) => longest(LONGEST_KEY, value),
  lookups: (step, value) => (isSet(value) ? keys(value) ?? picks({ maxChoices: MOST_ROWS, ...step }, value) : ["checkChoice"]),
  location: (_, value) => place(value),
  line: (_, value) => points(2, value),
  area: (_, value) => points(3, value),
  barcode: (_, value) => longest(LONGEST_KEY, value),
  repeat: (step, value) => (value.length > step.max ? ["checkMost", step.max] : rows(step, value)),
};

// A calculated answer need not be one of those that people choose from, because nobody could correct it.
const CALCULATED = {
  slider: (_, value) => whole({}, value),
  nps: (_, value) => whole({}, value),
  rating: (_, value) => whole({}, value),
  boolean: () => null,
  email: (_, value) => longest(254, value),
  phone: (_, value) => longest(LONGEST_KEY, value),
  url: (_, value) => longest(2048, value),
  choice: (_, value) => longest(LONGEST_KEY, value),
  choices: (step, value) => texts(step, value) ?? picks(step, value),
  ranking: texts,
};

const EMAIL = /^[^\s@"(),:;<>[\\\]]+@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const PHONE = /^\+?[0-9 ()/.-]{3,30}$/;
const URI = /^https?:\/\/([A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$/;
const MOMENT = /^(.{10})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/i;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

const FORMATS = {
  date: (value) => isDay(value),
  time: (value) => TIME.test(value),
  datetime: (value) => MOMENT.test(value) && isDay(value.slice(0, 10)),
};

// Counted as users see it: an emoji is one character.
const size = (text) => [...text].length;

function length(step, value) {
  if (size(value) < (step.minLength ?? 0)) return ["checkShort", step.minLength];
  return longest(step.maxLength ?? LONGEST, value);
}

const longest = (most, value) => (size(value) > most ? ["checkLong", most] : null);

function pattern(step, value) {
  return !step.pattern || matches(step.pattern, value) ? null : ["checkPattern"];
}

function whole(step, value) {
  return Number.isInteger(value) ? range({ min: -SAFE, max: SAFE, ...step }, value) : unread(value, "checkWhole", true);
}

/** Return why a text is no number; `word` says that only a number, or a whole one, is. */
function unread(value, word, isWhole = false) {
  const { wrong } = typeof value === "string" ? readNumber(value, { whole: isWhole }) : {};
  return wrong && wrong[0] !== "checkNumber" ? wrong : [word];
}

function place({ latitude, longitude, accuracy = 0 }) {
  const on = (most, value) => range({ min: -most, max: most }, value);
  return on(90, latitude) ?? on(180, longitude) ?? range({ min: 0 }, accuracy);
}

function points(least, value) {
  if (value.length < least) return ["checkPoints", least];
  if (value.length > MOST_POINTS) return ["checkMostPoints", MOST_POINTS];
  return value.reduce((wrong, point) => wrong ?? place(point), null);
}

function texts({ most }, value) {
  if (value.length > most) return ["checkMostChoices", most];
  return value.reduce((wrong, one) => wrong ?? longest(LONGEST_KEY, one), null);
}

const isSet = (list) => new Set(list).size === list.length;

const keys = (value) => value.reduce((wrong, key) => wrong ?? length({ minLength: 1, maxLength: LONGEST_KEY }, key), null);

function picks({ minChoices = 0, maxChoices = Infinity, exclusive = [] }, value) {
  if (value.length > maxChoices) return ["checkMostChoices", maxChoices];
  if (value.some((one) => exclusive.includes(one))) return value.length > 1 ? ["checkExclusive"] : null;
  return value.length < minChoices ? ["checkFewestChoices", minChoices] : null;
}

function range({ min, max }, value) {
  if (value < min) return ["checkLeast", min];
  return value > max ? ["checkGreatest", max] : null;
}

function isDay(value) {
  const [, year, month, day] = DAY.exec(value) ?? [];
  const last = new Date(Date.UTC(2000, Number(month), 0));
  last.setUTCFullYear(Number(year), Number(month), 0);
  return Number(year) >= 1 && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last.getUTCDate();
}

function isMoment(value) {
  return isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value));
}

function files(step, value) {
  return value.length > step.maxFiles || !isSet(value) ? ["checkFiles", step.maxFiles] : null;
}

function rows(step, value) {
  const least = Math.max(step.min ?? 0, step.required ? 1 : 0);
  return value.length < least ? ["checkFewest", least] : null;
}
