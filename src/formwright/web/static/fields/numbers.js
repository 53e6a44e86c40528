// Fields whose answer is a number.

import { isExactNumber, parseNumber } from "../fill/numbers.js";
import { checkRange } from "./answer_checks.js";

function checkWhole(step, value) {
  return Number.isInteger(value) ? checkRange(step, value) : explainUnreadable(value, "checkWhole", true);
}

/** Return why a text is no number; `word` says that only a number, or a whole one, is. */
function explainUnreadable(value, word, isWhole = false) {
  const { wrong } = typeof value === "string" ? parseNumber(value, { whole: isWhole }) : {};
  return wrong && wrong[0] !== "checkNumber" ? wrong : [word];
}

// Cells have the notation of JSON. Numbers that would be rounded are no answers.
const exactNumber = (text) => (isExactNumber(text, Number(text)) ? Number(text) : undefined);

const createNumberType = (isWhole, check) => ({
  check,
  toApi: (value) => (typeof value === "string" ? (parseNumber(value, { whole: isWhole }).value ?? value) : value),
  parseCell: (cell) => exactNumber(cell.trim()),
  format: (value, { tag }) =>
    typeof value === "number" ? new Intl.NumberFormat(tag, { maximumFractionDigits: 10 }).format(value) : undefined,
});

export const integer = createNumberType(true, checkWhole);
export const decimal = createNumberType(false, (step, value) =>
  Number.isFinite(value) ? checkRange(step, value) : explainUnreadable(value, "checkNumber"),
);
export const nps = createNumberType(true, checkWhole);
export const rating = createNumberType(true, checkWhole);
export const slider = createNumberType(true, checkWhole);
