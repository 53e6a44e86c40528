// The functions that rules have in addition to those of CEL, as in domain/forms/rules/functions.py.
// A function that throws has no value, so the rule fails.

import { throwRuleError } from "./cel_overrides.js";
import { computeDigest } from "./digests.js";
import { area, distance, perimeter } from "./geodesy.js";
import { countCharacters } from "./text_length.js";
import {
  arccosine,
  arcsine,
  arctangent,
  arctangent2,
  cosine,
  exponential,
  logarithm,
  logarithm10,
  remainder,
  sine,
  tangent,
} from "./trigonometry.js";

const [MAX_DIGITS, MAX_POWER, MAX_SHIFT] = [15n, 1000n, 10_000_000n];
const DAY_MS = 86_400_000;
const MIN_INT = -(2n ** 63n);

/** The overloads by their signature, with the names that the library does not know. */
export const RULE_FUNCTIONS = /** @type {[signature: string, handler: (...args: any[]) => any][]} */ ([
  ["_round(double): double", (value) => roundDecimal(value, 0n)],
  ["_round(double, int): double", roundDecimal],
  ["_roundHalfUp(double): double", (value) => roundDecimal(value, 0n, true)],
  ["_roundHalfUp(double, int): double", (value, digits) => roundDecimal(value, digits, true)],
  ["_number(string): double", parseNumber],
  ["_floor(double): double", Math.floor],
  ["_ceil(double): double", Math.ceil],
  ["_abs(int): int", (value) => (value === MIN_INT ? throwRuleError() : value < 0n ? -value : value)],
  ["_abs(double): double", Math.abs],
  ["_pow(double, int): double", power],
  ["_sqrt(double): double", (value) => (value < 0 ? throwRuleError() : Math.sqrt(value))],
  ["_sin(double): double", sine],
  ["_cos(double): double", cosine],
  ["_tan(double): double", tangent],
  ["_asin(double): double", arcsine],
  ["_acos(double): double", arccosine],
  ["_atan(double): double", arctangent],
  ["_atan2(double, double): double", arctangent2],
  ["_exp(double): double", exponential],
  ["_log(double): double", logarithm],
  ["_log10(double): double", logarithm10],
  ["_remainder(double, double): double", remainder],
  ["_sum(list<dyn>): double", (values) => toNumbers(values).reduce((one, other) => one + other, 0)],
  ["_min(list<dyn>): double", (values) => findExtreme(values, (one, other) => one < other)],
  ["_max(list<dyn>): double", (values) => findExtreme(values, (one, other) => one > other)],
  ["_distance(list<dyn>): double", (values) => distance(toPoints(values))],
  ["_perimeter(list<dyn>): double", (values) => perimeter(toPoints(values))],
  ["_area(list<dyn>): double", (values) => requireFinite(area(toPoints(values)))],
  [
    "_digest(string, string, string): string",
    (text, algorithm, encoding) => computeDigest(text, algorithm, encoding) ?? throwRuleError(),
  ],
  [
    "_daysBetween(string, string): int",
    (start, end) => BigInt((toTimestamp(parseDay(end)) - toTimestamp(parseDay(start))) / DAY_MS),
  ],
  ["_monthsBetween(string, string): int", (start, end) => BigInt(monthsBetween(start, end))],
  ["_yearsBetween(string, string): int", (start, end) => BigInt(Math.trunc(monthsBetween(start, end) / 12))],
  ["_addDays(string, int): string", addDays],
  ["_addMonths(string, int): string", addMonths],
  ["string._substring(int): string", (text, start) => substring(text, start, null)],
  ["string._substring(int, int): string", substring],
  [
    "string._replace(string, string): string",
    (text, old, replacement) => (old ? text.replaceAll(old, () => replacement) : throwRuleError()),
  ],
  ["string._translate(string, string): string", translate],
  ["string._indexOf(string): int", indexOf],
  ["string._upperAscii(): string", (text) => text.replace(/[a-z]+/g, (some) => some.toUpperCase())],
  ["string._lowerAscii(): string", (text) => text.replace(/[A-Z]+/g, (some) => some.toLowerCase())],
  ["string._normalizeSpace(): string", (text) => text.replace(/[ \t\r\n]+/g, " ").replace(/^ | $/g, "")],
  ["string._words(): list<string>", (text) => text.split(" ").filter(Boolean)],
  ["list<dyn>._join(string): string", joinTexts],
]);

/** The names that rules have for them: {round: "_round"}. Methods are those with a value before the dot. */
export const FUNCTION_NAMES = new Set(RULE_FUNCTIONS.map(([signature]) => /_\w+/.exec(signature)[0]));
export const METHOD_NAMES = new Set(
  RULE_FUNCTIONS.map(([signature]) => /\._\w+/.exec(signature)?.[0].slice(1)).filter(Boolean),
);
export const FUNCTION_CALLS = Object.fromEntries([...FUNCTION_NAMES].map((name) => [name.slice(1), name]));

// Rounds the shortest decimal notation, halves away from zero, or `isUpwards` to the greater number. Zero then has no sign.
function roundDecimal(value, digits, isUpwards = false) {
  if (digits < 0n || digits > MAX_DIGITS) throwRuleError();
  if (!Number.isFinite(value)) return value;
  const [, sign, whole, fraction = "", exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(toExponential(value));
  const places = fraction.length - Number(exponent) - Number(digits);
  if (places <= 0) return isUpwards ? value + 0 : value;
  const divisor = 10n ** BigInt(places);
  const half = divisor / 2n - (isUpwards && sign ? 1n : 0n);
  const result = Number(`${sign}${(BigInt(whole + fraction) + half) / divisor}e-${digits}`);
  return isUpwards ? result + 0 : result;
}

// As XPath reads numbers: without exponents, but with spaces around them, or with a comma.
function parseNumber(text) {
  const trimmed = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "").replaceAll(",", ".");
  return /^-?([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(trimmed) ? Number(trimmed) : NaN;
}

const toExponential = (value) => `${Object.is(value, -0) ? "-" : ""}${value.toExponential()}`;

// In this order on the server, too: another order rounds differently.
function power(base, exponent) {
  let remaining = exponent < 0n ? -exponent : exponent;
  if (remaining > MAX_POWER) throwRuleError();
  let result = 1;
  while (remaining) {
    if (remaining & 1n) result *= base;
    remaining >>= 1n;
    if (remaining) base *= base;
  }
  if (exponent >= 0n) return result;
  return result === 0 ? throwRuleError() : 1 / result;
}

function toNumbers(values) {
  return values.map((value) => (["bigint", "number"].includes(typeof value) ? Number(value) : throwRuleError()));
}

function findExtreme(values, wins) {
  const [first, ...rest] = toNumbers(values);
  return rest.reduce((best, value) => (wins(value, best) ? value : best), first ?? throwRuleError());
}

const requireFinite = (value) => (Number.isFinite(value) ? value : throwRuleError());

function toPoints(values) {
  return values.map((value) => {
    if (typeof value !== "object") throwRuleError();
    const point = value instanceof Map ? Object.fromEntries(value) : value;
    const [latitude, longitude] = toNumbers([point.latitude, point.longitude]);
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : throwRuleError();
  });
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})(?:T.*)?$/s;

/** Return [year, month, day] of a text with a date, or with a date and a time. */
function parseDay(text) {
  const [year, month, date] = (DAY.exec(text) ?? throwRuleError()).slice(1).map(Number);
  return year >= 1 && month >= 1 && month <= 12 && date >= 1 && date <= lastDay(year, month)
    ? [year, month, date]
    : throwRuleError();
}

const lastDay = (year, month) => new Date(toTimestamp([year, month + 1, 0])).getUTCDate();

/** Return the milliseconds of a day. */
function toTimestamp(/** @type {number[]} */ [year, month, date]) {
  const moment = new Date(0);
  return moment.setUTCFullYear(year, month - 1, date);
}

function formatDay(moment) {
  const year = moment.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throwRuleError();
  const two = (number) => String(number).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(moment.getUTCMonth() + 1)}-${two(moment.getUTCDate())}`;
}

function monthsBetween(start, end) {
  const [first, last] = [parseDay(start), parseDay(end)];
  return toTimestamp(last) < toTimestamp(first) ? -fullMonths(last, first) || 0 : fullMonths(first, last);
}

const fullMonths = (first, last) => (last[0] - first[0]) * 12 + last[1] - first[1] - (last[2] < first[2] ? 1 : 0);

const toShift = (count) => (count > MAX_SHIFT || count < -MAX_SHIFT ? throwRuleError() : Number(count));

function addDays(start, days) {
  return formatDay(new Date(toTimestamp(parseDay(start)) + toShift(days) * DAY_MS));
}

function addMonths(start, months) {
  const [year, month, date] = parseDay(start);
  const totalMonths = year * 12 + month - 1 + toShift(months);
  const [newYear, newMonth] = [Math.floor(totalMonths / 12), (((totalMonths % 12) + 12) % 12) + 1];
  if (newYear < 1 || newYear > 9999) throwRuleError();
  return formatDay(new Date(toTimestamp([newYear, newMonth, Math.min(date, lastDay(newYear, newMonth))])));
}

// Counted in code points, like on the server.
function substring(text, start, end) {
  const length = BigInt(countCharacters(text));
  const clamp = (index) => Number(index < 0n ? 0n : index > length ? length : index);
  return [...text].slice(clamp(start), end === null ? undefined : clamp(end)).join("");
}

function indexOf(text, part) {
  const index = text.indexOf(part);
  return BigInt(index < 0 ? index : countCharacters(text.slice(0, index)));
}

// Replaces each character by that at its place in `replacements`, or removes it.
function translate(text, letters, replacements) {
  const [table, others] = [new Map(), [...replacements]];
  for (const [place, letter] of [...letters].entries()) {
    if (!table.has(letter)) table.set(letter, others[place] ?? "");
  }
  return [...text].map((letter) => table.get(letter) ?? letter).join("");
}

function joinTexts(texts, between) {
  return texts.every((text) => typeof text === "string") ? texts.join(between) : throwRuleError();
}
