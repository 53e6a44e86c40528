// Fields whose answer is a number.

import { isExact, readNumber } from "../fill/numbers.js";
import { range } from "./base.js";

const MAX_SAFE_INTEGER = 2 ** 53;

function whole(step, value) {
  return Number.isInteger(value) ? range({ min: -MAX_SAFE_INTEGER, max: MAX_SAFE_INTEGER, ...step }, value) : unread(value, "checkWhole", true);
}

/** Return why a text is no number; `word` says that only a number, or a whole one, is. */
function unread(value, word, isWhole = false) {
  const { wrong } = typeof value === "string" ? readNumber(value, { whole: isWhole }) : {};
  return wrong && wrong[0] !== "checkNumber" ? wrong : [word];
}

// Cells have the notation of JSON. Numbers that would be rounded are no answers.
const exactNumber = (text) => (isExact(text, Number(text)) ? Number(text) : undefined);

const number = (isWhole, checks) => ({
  send: (value) => (typeof value === "string" ? (readNumber(value, { whole: isWhole }).value ?? value) : value),
  readCell: (cell) => exactNumber(cell.trim()),
  format: (value, { tag }) => (typeof value === "number" ? new Intl.NumberFormat(tag, { maximumFractionDigits: 10 }).format(value) : undefined),
  ...checks,
});

const checkCalculated = (_, value) => whole({}, value);

export const integer = number(true, { check: whole });
export const decimal = number(false, { check: (step, value) => (Number.isFinite(value) ? range(step, value) : unread(value, "checkNumber")) });
export const nps = number(true, { check: whole, checkCalculated });
export const rating = number(true, { check: (step, value) => whole({ ...step, min: 1 }, value), checkCalculated });
export const slider = number(true, { check: whole, checkCalculated });
