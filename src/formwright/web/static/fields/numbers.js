// Fields whose answer is a number.

import { isExact, readNumber } from "../fill/numbers.js";
import { range } from "./answer_checks.js";

function whole(step, value) {
  return Number.isInteger(value) ? range(step, value) : unread(value, "checkWhole", true);
}

/** Return why a text is no number; `word` says that only a number, or a whole one, is. */
function unread(value, word, isWhole = false) {
  const { wrong } = typeof value === "string" ? readNumber(value, { whole: isWhole }) : {};
  return wrong && wrong[0] !== "checkNumber" ? wrong : [word];
}

// Cells have the notation of JSON. Numbers that would be rounded are no answers.
const exactNumber = (text) => (isExact(text, Number(text)) ? Number(text) : undefined);

const number = (isWhole, check) => ({
  check,
  send: (value) => (typeof value === "string" ? (readNumber(value, { whole: isWhole }).value ?? value) : value),
  readCell: (cell) => exactNumber(cell.trim()),
  format: (value, { tag }) =>
    typeof value === "number" ? new Intl.NumberFormat(tag, { maximumFractionDigits: 10 }).format(value) : undefined,
});

export const integer = number(true, whole);
export const decimal = number(false, (step, value) =>
  Number.isFinite(value) ? range(step, value) : unread(value, "checkNumber"),
);
export const nps = number(true, whole);
export const rating = number(true, whole);
export const slider = number(true, whole);
