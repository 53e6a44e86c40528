// Functions of rules for which the library differs from the server's CEL implementation.

import { matches } from "./patterns.js";

const TIMESTAMP = "google.protobuf.Timestamp";
const DURATION = "google.protobuf.Duration";

/** The replacements. */
export const OVERRIDE_CALLS = {
  matches: "_matches",
  int: "_int",
  double: "_double",
  string: "_string",
  timestamp: "_timestamp",
};

export const OVERRIDES = /** @type {[signature: string, handler: (...args: any[]) => any][]} */ ([
  ["string._matches(string): bool", (text, pattern) => matches(pattern, text)],
  ["_int(int): int", (value) => value],
  ["_int(double): int", toInteger],
  ["_int(string): int", parseInteger],
  [`_int(${TIMESTAMP}): int`, (moment) => BigInt(Math.floor(moment.getTime() / 1000))],
  ["_double(double): double", (value) => value],
  ["_double(int): double", Number],
  ["_double(string): double", parseDouble],
  ["_string(string): string", (value) => value],
  ["_string(bool): string", String],
  ["_string(int): string", String],
  ["_string(double): string", formatDouble],
  [`_string(${TIMESTAMP}): string`, (moment) => moment.toISOString().replace(".000Z", "Z")],
  [`_string(${DURATION}): string`, formatDuration],
  [`_timestamp(string): ${TIMESTAMP}`, parseTimestamp],
  [`_timestamp(int): ${TIMESTAMP}`, (seconds) => requireRange(new Date(Number(seconds) * 1000))],
]);

export const throwRuleError = () => {
  throw new RangeError("This cannot be converted.");
};

const trim = (text) => text.replace(/^[\t\n\v\f\r ]+|[\t\n\v\f\r ]+$/g, "");

function toInteger(value) {
  return Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : throwRuleError();
}

function parseInteger(text) {
  const value = /^[+-]?\d+$/.test(trim(text)) ? BigInt(trim(text).replace("+", "")) : throwRuleError();
  return BigInt.asIntN(64, value) === value ? value : throwRuleError();
}

const SPECIAL_VALUES = { inf: Infinity, infinity: Infinity, nan: NaN };

function parseDouble(text) {
  const [, sign, rest] = /^([+-]?)(.*)$/s.exec(trim(text));
  const special = SPECIAL_VALUES[rest.toLowerCase()];
  if (special === undefined && !/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(rest)) throwRuleError();
  return (sign === "-" ? -1 : 1) * (special ?? Number(rest));
}

/** Formats like C's %g, with as many digits as distinguish the number from its neighbours. */
function formatDouble(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const [digits, power] = value.toExponential().split("e");
  const exponent = Number(power);
  if (value === 0 || (exponent >= -4 && exponent < 6)) return Object.is(value, -0) ? "-0" : String(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function formatDuration(duration) {
  const milliseconds = Math.round(Math.abs(duration.valueOf()));
  const part = milliseconds % 1000 ? `.${String(milliseconds % 1000).padStart(3, "0")}` : "";
  return `${duration.valueOf() < 0 ? "-" : ""}${Math.floor(milliseconds / 1000)}${part}s`;
}

const TIMESTAMP_PATTERN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|([+-])(\d\d):?(\d\d))$/i;

function parseTimestamp(text) {
  const [, ...parts] = TIMESTAMP_PATTERN.exec(text) ?? throwRuleError();
  const [year, month, day, hour, minute, second] = parts.slice(0, 6).map(Number);
  const [fraction, sign, offsetHours, offsetMinutes] = parts.slice(6);
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  if (moment.getUTCMonth() !== month - 1 || day < 1 || hour > 23 || minute > 59 || second > 60) throwRuleError();
  if (Number(offsetHours ?? 0) > 23 || Number(offsetMinutes ?? 0) > 59) throwRuleError();
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (sign === "-" ? -1 : 1);
  moment.setUTCHours(hour, minute - offset, second, Math.floor(Number(fraction ?? 0) * 1000));
  return requireRange(moment);
}

function requireRange(moment) {
  return moment >= -62135596800000 && moment <= 253402300799999 ? moment : throwRuleError();
}
