// Answers as rules see them, by the kind of answers of their field: the counterpart of domain/forms/rules/inputs.py.
// JSON has one number type, CEL has two: values of integer fields become a BigInt.

const MAX_EXACT_INTEGER = 2 ** 53;
/** The kinds of answers that are texts in JSON. */
export const TEXT_KINDS = ["TEXT", "DATE", "TIME", "DATETIME", "CHOICE", "FILE"];

/** An empty text, list or object is not an answer. */
export function isAnswered(value) {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Return the answer as rules see it, or undefined if there is none of that kind. */
export function toRuleInput(kind, value) {
  if (kind === "SAVED") return new Map(Object.entries(value));
  if (!isAnswered(value)) return undefined;
  return typeof kind === "object" ? convertRows(kind, value) : CONVERTERS[kind]?.(value);
}

const acceptIf = (fits) => (value) => (fits(value) ? value : undefined);
const isWhole = (value) => Number.isInteger(value) && Math.abs(value) <= MAX_EXACT_INTEGER;
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const listOfTexts = acceptIf((value) => Array.isArray(value) && value.every((item) => typeof item === "string"));

const CONVERTERS = {
  INTEGER: (value) => (isWhole(value) ? BigInt(value) : undefined),
  DECIMAL: acceptIf(Number.isFinite),
  BOOLEAN: acceptIf((value) => typeof value === "boolean"),
  ...Object.fromEntries(TEXT_KINDS.map((kind) => [kind, acceptIf((value) => typeof value === "string")])),
  CHOICES: listOfTexts,
  FILES: listOfTexts,
  POSITIONS: (value) =>
    Array.isArray(value) ? listOf(value.map((point) => toRuleInput("POSITION", point))) : undefined,
  OPTION: (value) => new Map(Object.entries(value)),
  POSITION: (value) =>
    isRecord(value) && Object.values(value).every(Number.isFinite) ? new Map(Object.entries(value)) : undefined,
};

const listOf = (items) => (items.includes(undefined) ? undefined : items);

function convertRows(kinds, value) {
  return Array.isArray(value) && value.every(isRecord) ? value.map((row) => convertRow(kinds, row)) : undefined;
}

function convertRow(kinds, row) {
  const inputs = new Map();
  for (const [name, kind] of Object.entries(kinds)) {
    const value = Object.hasOwn(row, name) ? toRuleInput(kind, row[name]) : undefined;
    if (value !== undefined) inputs.set(name, value);
  }
  return inputs;
}
