// What can be said about an answer: the operators of condition_code.js by the kind of answers, as people read them.

const IS = { equal: "is", notEqual: "is not" };
const IS_ONE_OF = { in: "is one of", notIn: "is not one of", other: "is something other than" };
const DAY_ORDER = {
  equal: "is on",
  notEqual: "is not on",
  less: "is before",
  atMost: "is on or before",
  more: "is after",
  atLeast: "is on or after",
  lastDays: "is within the last",
  nextDays: "is within the next",
  yearsAtLeast: "is this many years ago, or more:",
  yearsUnder: "is less than this many years ago:",
};
const NUMBER_ORDER = { atLeast: "is at least", atMost: "is at most", more: "is more than", less: "is less than" };
const SIZE = { minSize: "has at least", maxSize: "has at most" };
const ANSWERED = { answered: "is answered", unanswered: "is not answered" };

/** The operators by the kind of answers, in the order of the menu. The first is chosen at the beginning. */
const LABELS = {
  TEXT: {
    ...IS,
    contains: "contains",
    notContains: "does not contain",
    startsWith: "begins with",
    notStartsWith: "does not begin with",
    endsWith: "ends with",
    notEndsWith: "does not end with",
    ...IS_ONE_OF,
    ...SIZE,
  },
  INTEGER: { ...IS, ...NUMBER_ORDER, ...IS_ONE_OF },
  DECIMAL: { ...IS, ...NUMBER_ORDER, ...IS_ONE_OF },
  BOOLEAN: IS,
  DATE: DAY_ORDER,
  DATETIME: DAY_ORDER,
  TIME: {
    equal: "is at",
    notEqual: "is not at",
    less: "is before",
    atMost: "is at or before",
    more: "is after",
    atLeast: "is at or after",
  },
  CHOICE: { ...IS, ...IS_ONE_OF },
  CHOICES: { includes: "includes", notIncludes: "does not include", ...SIZE },
  FILE: {},
  FILES: SIZE,
  POSITION: {},
  POSITIONS: SIZE,
  ROWS: SIZE,
};
const ALL_LABELS = Object.assign({}, ...Object.values(LABELS), NUMBER_ORDER, IS, ANSWERED);
/** What is counted, by the kind of answers. */
const COUNTED = { TEXT: "characters", CHOICES: "options", FILES: "files", POSITIONS: "points", ROWS: "entries" };
/** Only this part of an answer is compared: a time has its seconds only in answers of other systems. */
const PARTS = { DATETIME: "day", TIME: "minute" };

/** How a value is entered, for operators whose value is no answer. */
const VALUE_SHAPES = {
  in: "list",
  notIn: "list",
  minSize: "count",
  maxSize: "count",
  lastDays: "count",
  nextDays: "count",
  yearsAtLeast: "count",
  yearsUnder: "count",
  answered: null,
  unanswered: null,
};
const SMALLEST_COUNTS = { maxSize: 0, yearsUnder: 0, yearsAtLeast: 0 };

/** Return [operator, label] pairs for the answers of a subject. */
export const listOperators = ({ kind }) => Object.entries({ ...LABELS[kind], ...ANSWERED });

export const operatorLabel = (operator, kind) => LABELS[kind]?.[operator] ?? ALL_LABELS[operator];

/** “value”, “list”, “count”, or null if the operator has no value. */
export const valueShape = (operator) => (operator in VALUE_SHAPES ? VALUE_SHAPES[operator] : "value");

/** Return the unit of a count: what is counted. */
export function countUnit(operator, kind) {
  if (["lastDays", "nextDays"].includes(operator)) return "days";
  return operator.endsWith("Size") ? COUNTED[kind] : "";
}

/** Return the smallest count that says something. */
export const smallestCount = (operator) => SMALLEST_COUNTS[operator] ?? 1;

const isText = (value) => typeof value === "string";
const has = (key) => (value) => value instanceof Object && key in value;
const isDay = (value) => has("today")(value) || (isText(value) && /^\d{4}-\d\d-\d\d$/.test(value));
/** Whether a value can be an answer, by the kind of answers. */
const VALUE_CHECKS = {
  TEXT: isText,
  INTEGER: has("integer"),
  DECIMAL: has("decimal"),
  BOOLEAN: (value) => typeof value === "boolean",
  DATE: isDay,
  DATETIME: isDay,
  TIME: (value) => isText(value) && /^\d\d:\d\d$/.test(value),
  CHOICE: isText,
  CHOICES: isText,
};

const isCompared = (operator) => valueShape(operator) === "value";

/** Return the part of the answers that the operator compares, or undefined if it is all of them. */
export const comparedPart = (operator, kind) =>
  isCompared(operator) || ["lastDays", "nextDays"].includes(operator) ? PARTS[kind] : undefined;

/**
 * Whether the value of a row, which was read or entered, fits its operator and its subject.
 * @param {{operator: string, value?: any}} row
 */
export function fitsValue({ operator, value }, kind) {
  const shape = valueShape(operator);
  if (shape === null) return true;
  if (value === undefined) return false;
  if (shape === "count") return has("integer")(value) && value.integer >= smallestCount(operator);
  const fits = VALUE_CHECKS[kind] ?? (() => false);
  return shape === "list" ? Array.isArray(value) && value.length > 0 && value.every(fits) : fits(value);
}

/**
 * Whether answers of this kind can be compared like this.
 * @param {{operator: string, part?: string}} row
 */
export function fitsKind({ operator, part }, kind) {
  if (!(operator in { ...LABELS[kind], ...ANSWERED })) return false;
  // Of a time without its seconds, all of the answer is this part.
  return part === comparedPart(operator, kind) || (kind === "TIME" && !part);
}

/**
 * Return the value for another operator or subject if it fits, else one of its own to begin with, or undefined.
 * @param {import("./value_inputs.js").Subject} subject
 */
export function adaptValue(value, operator, subject) {
  const { kind, options } = subject;
  const shape = valueShape(operator);
  const single = Array.isArray(value) ? value[0] : value;
  const adapted = { list: single === undefined ? undefined : Array.isArray(value) ? value : [value] };
  const wanted = shape in adapted ? adapted[shape] : single;
  const fits = fitsValue({ operator, value: wanted }, kind) && !hasUnknownOption(wanted, options);
  if (fits) return wanted;
  return shape === "value" && kind === "BOOLEAN" ? true : undefined;
}

const hasUnknownOption = (value, options) => findUnknownOption(value, options) !== undefined;

/** Return the first value that is none of the options. */
export const findUnknownOption = (value, options) =>
  options && [value].flat().find((one) => isText(one) && !options.some(([known]) => known === one));
