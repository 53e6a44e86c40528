// Conditions as rows, and as a rule in CEL. What is written means the same on the page and on the server, also for answers
// that are missing: a condition about them is false, unless it says “not”. What cannot be read as rows stays code.
//
// - Conditions: {join: "all" | "any", items}. An item is a row, or a group {rows} whose rows are joined the other way.
// - A row: {name, part, operator, value}. `name` is that of a field, `part` “day” or “minute” if only these characters of
//   a date and time, or of a time, are compared.
// - A value: a text, true, false, {integer}, {decimal}, {today: days after today}, or a list of values.

import { parseSyntax } from "../fill/rule_syntax.js";

/** @typedef {{name: string, part?: string, operator: string, value?: any}} Row */
/** @typedef {{join: "all" | "any", items: (Row | {rows: Row[]})[]}} Conditions */

/** As many rows as people still overlook. Tables of imported forms have hundreds of conditions. */
const MAX_ROWS = 50;
const SIGNS = { all: "&&", any: "||" };
/** How many characters of an answer a part of it has. */
const PART_LENGTHS = { day: 10, minute: 5 };
const COMPARISONS = { equal: "==", other: "!=", less: "<", atMost: "<=", more: ">", atLeast: ">=" };
const MIRRORED = { less: "more", more: "less", atMost: "atLeast", atLeast: "atMost", equal: "equal", other: "other" };
const TEXT_METHODS = ["contains", "startsWith", "endsWith"];
const SIZES = { minSize: ">=", maxSize: "<=" };
const YEARS = { yearsAtLeast: ">=", yearsUnder: "<" };
/** Operators that are true if these are not, also without an answer. */
const NEGATIONS = {
  notEqual: "equal",
  notIn: "in",
  notIncludes: "includes",
  notContains: "contains",
  notStartsWith: "startsWith",
  notEndsWith: "endsWith",
};
/** Today and the days before or after it, as the first and the last day after today. */
const PERIODS = { lastDays: (days) => [-days, 0], nextDays: (days) => [0, days] };

const isNegative = (/** @type {string} */ operator) => Object.hasOwn(NEGATIONS, operator);
const findKey = (table, value) => Object.keys(table).find((key) => table[key] === value);

/** Return the rule, or an empty text if there are no conditions. @param {Conditions} conditions */
export function writeConditions({ join, items }) {
  const other = join === "all" ? "any" : "all";
  const parts = items
    .map((item) => ("rows" in item ? item.rows : [item]))
    .filter((rows) => rows.length)
    .map((rows) => rows.map(writeRow));
  if (parts.length === 1) return parts[0].join(` ${SIGNS[other]} `);
  const texts = parts.map((rows) => (rows.length > 1 ? `(${rows.join(` ${SIGNS[other]} `)})` : rows[0]));
  return texts.join(` ${SIGNS[join]} `);
}

/** @param {Row} row */
function writeRow(row) {
  if (row.operator === "answered") return `answered.${row.name}`;
  if (row.operator === "unanswered") return `!answered.${row.name}`;
  if (!isNegative(row.operator)) return writePositive(row);
  return `!(answered.${row.name} && ${writePositive({ ...row, operator: NEGATIONS[row.operator] })})`;
}

/** @param {Row} row */
function writePositive({ name, part, operator, value }) {
  const subject = part ? `${name}.substring(0, ${PART_LENGTHS[part]})` : name;
  if (operator === "equal" && typeof value === "boolean") return value ? subject : `!${subject}`;
  if (PERIODS[operator]) {
    const [first, last] = PERIODS[operator](value.integer).map((today) => writeValue({ today }));
    return `!(${subject} < ${first} || ${subject} > ${last})`;
  }
  const text = writeValue(value);
  if (SIZES[operator]) return `size(${subject}) ${SIZES[operator]} ${text}`;
  if (YEARS[operator]) return `yearsBetween(${subject}, today()) ${YEARS[operator]} ${text}`;
  if (TEXT_METHODS.includes(operator)) return `${subject}.${operator}(${text})`;
  if (operator === "includes") return `${text} in ${subject}`;
  return `${subject} ${COMPARISONS[operator] ?? operator} ${text}`;
}

function writeValue(value) {
  if (typeof value === "string") return quoteText(value);
  if (Array.isArray(value)) return `[${value.map(writeValue).join(", ")}]`;
  if ("integer" in value) return String(value.integer);
  if ("today" in value) return value.today ? `addDays(today(), ${value.today})` : "today()";
  const text = String(value.decimal);
  // Integers and decimals are different types in a rule.
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

// JSON and CEL have the same escapes, but CEL has none for half of a pair of surrogates.
const quoteText = (text) => JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd"));

/** Return the conditions of a rule, or null if rows cannot show it. @returns {Conditions | null} */
export function readConditions(rule) {
  if (!rule.trim()) return { join: "all", items: [] };
  const tree = parseSyntax(rule);
  if (!tree) return null;
  const join = tree.op === SIGNS.any ? "any" : "all";
  const items = flatten(tree, SIGNS[join]).map((node) => readItem(node, join === "all" ? SIGNS.any : SIGNS.all));
  const count = items.reduce((sum, item) => sum + (item && "rows" in item ? item.rows.length : 1), 0);
  return items.includes(null) || count > MAX_ROWS ? null : { join, items };
}

/** @returns {import("../fill/rule_syntax.js").SyntaxNode[]} */
const flatten = (node, op) => (node.op === op ? node.args.flatMap((one) => flatten(one, op)) : [node]);

function readItem(node, op) {
  if (node.op !== op) return readRow(node);
  const rows = flatten(node, op).map(readRow);
  return rows.includes(null) ? null : { rows };
}

/** @returns {Row | null} */
function readRow(node) {
  const name = readAnswered(node);
  if (name) return { name, operator: "answered" };
  return node.op === "!" ? readNegated(node.args[0]) : readPositive(node);
}

/** @returns {Row | null} */
function readNegated(node) {
  const name = readAnswered(node);
  if (name) return { name, operator: "unanswered" };
  if (node.op === "&&") return readNegation(node.args);
  if (node.op === "||") return readPeriod(node.args.map(readPositive));
  const row = readPositive(node);
  if (row?.operator !== "equal") return null;
  return typeof row.value === "boolean" ? { ...row, value: !row.value } : { ...row, operator: "other" };
}

/** What is not true of an answer, or if there is none. */
function readNegation([first, second]) {
  const name = readAnswered(first);
  const row = readRow(second);
  const operator = row?.name === name && findKey(NEGATIONS, row?.operator);
  return operator ? { ...row, operator } : null;
}

function readPeriod([before, after]) {
  const isPeriod =
    before?.operator === "less" && after?.operator === "more" && getSubject(before) === getSubject(after);
  if (!isPeriod) return null;
  const [first, last] = [before.value?.today, after.value?.today];
  const integer = last === 0 ? -first : last;
  const operator = Object.keys(PERIODS).find((key) => `${PERIODS[key](integer)}` === `${[first, last]}`);
  return operator && integer > 0 ? { ...before, operator, value: { integer } } : null;
}

const getSubject = ({ name, part }) => `${name}.${part}`;

/** @returns {Row | null} */
function readPositive(node) {
  const subject = readSubject(node);
  if (subject) return subject.part ? null : { ...subject, operator: "equal", value: true };
  const found = READERS.map((read) => read(node)).find(Boolean);
  return found ?? null;
}

const READERS = [readComparison, readMembership, readTextMethod, readMeasure];

function readComparison(node) {
  const operator = findKey(COMPARISONS, node.op);
  if (!operator) return null;
  const [left, right] = node.args;
  const [subject, value] = [readSubject(left), readValue(right)];
  if (subject && value !== undefined) return readBoolean({ ...subject, operator, value });
  const [other, first] = [readSubject(right), readValue(left)];
  return other && first !== undefined ? readBoolean({ ...other, operator: MIRRORED[operator], value: first }) : null;
}

/** `!= true` is the same as `== false`: both are false without an answer. */
function readBoolean(row) {
  if (typeof row.value !== "boolean") return row;
  if (row.part || !["equal", "other"].includes(row.operator)) return null;
  return { ...row, operator: "equal", value: row.operator === "equal" ? row.value : !row.value };
}

function readMembership({ op, args }) {
  if (op !== "in") return null;
  const [left, right] = args;
  const [subject, list] = [readSubject(left), readSubject(right)];
  if (list && !list.part && left.op === "value" && typeof left.value === "string")
    return { ...list, operator: "includes", value: left.value };
  const values = subject && right.op === "list" && right.args.length ? right.args.map(readValue) : [undefined];
  return values.every(isPlain) ? { ...subject, operator: "in", value: values } : null;
}

function readTextMethod({ op, text, args }) {
  if (op !== "method" || !TEXT_METHODS.includes(text)) return null;
  const subject = readSubject(args[0]);
  const value = args.length === 2 && readValue(args[1]);
  return subject && !subject.part && typeof value === "string" ? { ...subject, operator: text, value } : null;
}

const isPlain = (value) =>
  typeof value === "string" || (value instanceof Object && ("integer" in value || "decimal" in value));

/** The size of an answer, or the years since a date. */
function readMeasure({ op, args: [call, limit] }) {
  if (call?.op !== "call" || typeof limit?.value !== "bigint") return null;
  const [first, second] = call.args;
  const isYears = call.text === "yearsBetween" && second && readValue(second)?.today === 0;
  const table = call.text === "size" && !second ? SIZES : isYears ? YEARS : {};
  const [subject, value] = [first && readSubject(first), readValue(limit)];
  if (!subject || !value) return null;
  const operator = findKey(table, op);
  if (operator) return { ...subject, operator, value };
  // More than two is at least three.
  const whole = findKey(table, { ">": ">=", "<": "<=" }[op]);
  return whole ? { ...subject, operator: whole, value: { integer: value.integer + (op === ">" ? 1 : -1) } } : null;
}

/** Return the name in `answered.name`. */
function readAnswered({ op, text, args: [of, index] }) {
  if (of?.op !== "name" || of.text !== "answered") return null;
  if (op === "select") return text;
  return op === "index" && typeof index.value === "string" ? index.value : null;
}

/** @returns {{name: string, part?: string} | null} */
function readSubject({ op, text, args }) {
  if (op === "name") return { name: text };
  if (op !== "method" || text !== "substring" || args.length !== 3 || args[0].op !== "name") return null;
  const [of, start, end] = args;
  const part = start.value === 0n && Object.keys(PART_LENGTHS).find((key) => BigInt(PART_LENGTHS[key]) === end.value);
  return part ? { name: of.text, part } : null;
}

/** Return the value of a literal or a day, or undefined. */
function readValue({ op, text, value, args }) {
  if (op === "value") return readLiteral(value);
  if (op !== "call") return undefined;
  if (text === "today" && !args.length) return { today: 0 };
  const isShifted = text === "addDays" && args.length === 2 && readValue(args[0])?.today === 0;
  const days = isShifted ? readValue(args[1])?.integer : undefined;
  return days === undefined ? undefined : { today: days };
}

function readLiteral(value) {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? { integer: Number(value) } : undefined;
  if (typeof value === "number") return { decimal: value };
  return ["string", "boolean"].includes(typeof value) ? value : undefined;
}
