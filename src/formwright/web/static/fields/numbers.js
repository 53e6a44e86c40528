// Fields whose answer is a number.

import { readNumber } from "../fill/numbers.js";
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

const checkCalculated = (_, value) => whole({}, value);

export const integer = { check: whole };
export const decimal = { check: (step, value) => (Number.isFinite(value) ? range(step, value) : unread(value, "checkNumber")) };
export const nps = { check: whole, checkCalculated };
export const rating = { check: (step, value) => whole({ ...step, min: 1 }, value), checkCalculated };
export const slider = { check: whole, checkCalculated };
