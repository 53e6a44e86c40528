// Options as text, one per line, and as the cells of a table from a spreadsheet or a file.

import { listColumns, readShownFor } from "./cascade.js";
import { NAME_PATTERN, slugify, uniqueName } from "./field_names.js";
import { localizeLabel } from "./labels.js";
import { parseTypedNumber } from "./number_input.js";
import { hasPoints } from "./score_settings.js";

/** @typedef {{line: number, cells: string[]}} Row the number of its first line, and its cells */
/** @typedef {{name: string, label: string, options: {value: string, label: string}[]}} ParentOptions */
/**
 * @typedef {object} OptionContext what is known about the options before the text was changed
 * @property {any[]} options
 * @property {string} language  the form's own
 * @property {ParentOptions[]} parents  the questions that the options may depend on, the one that they depend on first
 * @property {{parent: string, columns: string[], hasAlways: boolean} | null} cascade
 * @property {number} maxShownFor
 * @property {Set<string>} [taken]  the values of options that stay beside those of the text
 */

export const SEPARATORS = { "": "Nothing: one option per line", "\t": "Tabs", ";": "Semicolons", ",": "Commas" };
export const SHOWN_FOR = "shown for ";
export const COLUMN = "column ";
const POINTS = "points";
const LIST_SEPARATOR = /[,;|]/;

/** Return options with the points that `own` has for the same values. */
export const restorePoints = (options, own) =>
  options.map(({ points: _, ...option }) => {
    const points = own.find(({ value }) => value === option.value)?.points;
    return points ? { ...option, points } : option;
  });

export const createValue = (label, taken) => uniqueName(slugify(label, "option"), taken);

export const listValues = (options) => new Set(options.map((option) => option.value));

/**
 * The options as text: a label per line, or if they have more, a table with tabs whose first line is a heading.
 * @param {OptionContext} context
 */
export function formatOptions({ options, language, cascade, parents }) {
  const labels = options.map((one) => localizeLabel(one.label, language));
  const columns = listColumns(options).filter((column) => !cascade?.columns.includes(column));
  const hasPointsColumn = hasPoints(options) && !columns.includes(POINTS);
  const isList = !columns.length && !hasPointsColumn && !cascade && !labels.some((label) => /[\t\n]/.test(label));
  if (isList) return labels.join("\n");
  const headings = ["value", "label", ...(hasPointsColumn ? [POINTS] : []), ...(cascade ? ["shown for"] : [])];
  const rows = options.map((one, index) => [
    one.value,
    labels[index],
    ...(hasPointsColumn ? [one.points ?? 0] : []),
    ...(cascade ? [formatShownFor(readShownFor(one, cascade), parents[0])] : []),
    ...columns.map((column) => one.columns?.[column] ?? ""),
  ]);
  return [[...headings, ...columns], ...rows].map((row) => row.map(quoteCell).join("\t")).join("\n");
}

const quoteCell = (cell) => (/^"|[\t\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));

function formatShownFor(values, parent) {
  const options = parent?.options ?? [];
  const names = (values ?? []).map((value) => {
    const label = options.find((one) => one.value === value)?.label ?? value;
    const isClear = !LIST_SEPARATOR.test(label) && options.filter((one) => one.label === label).length === 1;
    return isClear ? label : value;
  });
  return values?.length === 0 ? "–" : names.join(", ");
}

/** Return what separates the columns of a text; "" if it is a list of labels, which may contain any of these marks. */
export function detectSeparator(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  if (lines.some((line) => line.includes("\t"))) return "\t";
  if (lines.length < 2) return "";
  if (lines.every((line) => line.includes(";"))) return ";";
  const counts = lines.map((line) => splitRows(line, ",")[0].cells.length);
  // Labels have a space after a comma: "Yes, always".
  const hasCommas =
    counts[0] > 1 && counts.every((one) => one === counts[0]) && !/, /.test(text.replace(/"(?:[^"]|"")*"/g, ""));
  return hasCommas ? "," : "";
}

/**
 * Split a text into rows of cells, as spreadsheets copy them and CSV files have them: a cell in quotes may contain the
 * separator and line breaks. A quote without an end belongs to the text. Empty lines are left out.
 * @returns {Row[]}
 */
export function splitRows(text, separator) {
  const rows = [];
  const left = { text: text.replace(/\r\n?/g, "\n"), line: 1 };
  while (left.text) {
    const { line } = left;
    const cells = [takeCell(left, separator)];
    while (separator && left.text.startsWith(separator)) {
      left.text = left.text.slice(1);
      cells.push(takeCell(left, separator));
    }
    if (left.text) left.line += 1;
    left.text = left.text.slice(1);
    if (cells.some(Boolean)) rows.push({ line, cells });
  }
  return rows;
}

/** Remove the next cell from the text that is `left`, and return it. */
function takeCell(left, separator) {
  const [quoted, inside] = (separator && /^ *"((?:[^"]|"")*)" */.exec(left.text)) || [];
  const isQuoted = quoted && ["", "\n", separator].includes(left.text.charAt(quoted.length));
  const length = isQuoted ? quoted.length : findEnd(left.text, separator);
  const cell = isQuoted ? inside.replaceAll('""', '"') : left.text.slice(0, length);
  left.line += cell.split("\n").length - 1;
  left.text = left.text.slice(length);
  return cell.trim();
}

function findEnd(text, separator) {
  const ends = ["\n", separator].filter(Boolean).map((mark) => text.indexOf(mark));
  return Math.min(text.length, ...ends.filter((end) => end >= 0));
}

/**
 * Return what each column of the rows has: "label", "value", "points", `SHOWN_FOR` and the name of a question, `COLUMN`
 * and a name, or "" if it is not used. A heading says it; otherwise the cells do.
 * @param {Row[]} rows
 * @param {OptionContext} context
 */
export function guessRoles(rows, hasHeading, context) {
  const places = Array.from({ length: countColumns(rows, hasHeading) }, (_, place) => place);
  if (hasHeading) return places.map((place) => readHeading(rows[0]?.cells[place] ?? "", context));
  const roles = places.map((place) => guessParent(rows, place, context));
  // Two columns are the value, then the label.
  const free = places.filter((place) => !roles[place]);
  if (free.length > 1) roles[free[0]] = "value";
  if (free.length) roles[free[Math.min(free.length, 2) - 1]] = "label";
  return roles;
}

/** The columns of the heading, or those that most rows have. */
function countColumns(rows, hasHeading) {
  if (hasHeading) return rows[0]?.cells.length ?? 0;
  const counts = rows.map(({ cells }) => cells.length).filter((count) => count > 1);
  const frequency = (count) => counts.filter((one) => one === count).length;
  return [...new Set(counts)].sort((one, other) => frequency(other) - frequency(one))[0] ?? Math.min(rows.length, 1);
}

function readHeading(text, { cascade, parents, options }) {
  const name = text.toLowerCase();
  // Some options have a column with this name for their filter.
  const isPoints = name === POINTS && !listColumns(options).includes(POINTS);
  if (isPoints || ["value", "label"].includes(name)) return name;
  if (name === "shown for" && parents.length) return SHOWN_FOR + parents[0].name;
  const isColumn = listColumns(options).includes(text) && !cascade?.columns.includes(text);
  const parent = parents.find((one) => [one.name, one.label.toLowerCase()].includes(name));
  if (parent && !isColumn) return SHOWN_FOR + parent.name;
  return text && COLUMN + (NAME_PATTERN.test(text) ? text : slugify(text, "column"));
}

function guessParent(rows, place, { parents }) {
  const cells = rows.map((row) => row.cells[place]).filter(Boolean);
  // A typing error is then reported with its line, instead of the whole column being read as something else.
  const fits = (parent) => cells.filter((cell) => parseShownFor(cell, parent).values?.length).length > cells.length / 2;
  const parent = rows.some((row) => row.cells.length > 1) && cells.length ? parents.find(fits) : null;
  return parent ? SHOWN_FOR + parent.name : "";
}

/** Return {values}, or {unknown}: the part of a cell that is not an option of the other question. An empty cell: always. */
export function parseShownFor(cell, parent) {
  if (!cell) return { values: null };
  if (cell === "–") return { values: [] };
  const find = (text) => {
    const fold = (one) => one.normalize("NFC").toLowerCase();
    const found =
      parent.options.find((one) => one.value === text) ?? parent.options.find((one) => fold(one.label) === fold(text));
    return found?.value;
  };
  const whole = find(cell);
  if (whole !== undefined) return { values: [whole] };
  const parts = cell
    .split(LIST_SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean);
  const unknown = parts.find((part) => find(part) === undefined);
  return unknown === undefined ? { values: [...new Set(parts.map(find))] } : { unknown };
}

/**
 * Return the options of the rows, for which answers to which question they are shown, and what is wrong, by line.
 * @param {Row[]} rows
 * @param {string[]} roles
 * @param {OptionContext} context
 * @returns {{options: any[], parent: string | null, shownFor: (string[] | null)[], problems: string[]}}
 */
export function readOptions(rows, hasHeading, roles, context) {
  const parent = context.parents.find((one) => roles.includes(SHOWN_FOR + one.name));
  const problems = findColumnProblems(roles);
  const known = [];
  const taken = new Set(context.taken);
  const options = [];
  const shownFor = [];
  for (const { line, cells } of hasHeading ? rows.slice(1) : rows) {
    const found = readRow(cells, roles, context, taken, parent);
    const problem = findRowProblem(found, cells, roles, known, context, parent);
    if (problem) problems.push(`Line ${line}${problem}`);
    known.push({ ...found, line });
    options.push(found.option);
    shownFor.push(found.shownFor.values ?? null);
  }
  return { options, parent: parent?.name ?? null, shownFor, problems };
}

function findColumnProblems(roles) {
  const names = { label: "labels", value: "values", points: "points" };
  const isTwice = (role) => roles.indexOf(role) !== roles.lastIndexOf(role);
  const shown = roles.filter((role) => role.startsWith(SHOWN_FOR));
  return [
    ...(roles.length && !roles.includes("label") && !roles.includes("value")
      ? ["Say which column has the labels."]
      : []),
    ...Object.keys(names)
      .filter(isTwice)
      .map((role) => `Two columns are chosen for the ${names[role]}.`),
    ...(shown.length > 1 ? ["Options can depend on one other question only."] : []),
  ];
}

function readRow(cells, roles, context, taken, parent) {
  const cellOf = (role) => (roles.includes(role) ? (cells[roles.indexOf(role)] ?? "") : "");
  // A line with one cell is a label, such as “Other” below a table.
  const isAlone = cells.length === 1 && roles.length > 1;
  const label = isAlone ? cells[0] : cellOf("label");
  const value = isAlone ? "" : cellOf("value");
  const { option, isKnown } = createOption({ value, label: label || value }, taken, context);
  const columns = roles.flatMap((role, place) =>
    role.startsWith(COLUMN) ? [[role.slice(COLUMN.length), cells[place] ?? ""]] : [],
  );
  const scored = roles.includes(POINTS)
    ? restorePoints([option], [{ value: option.value, points: parsePoints(cellOf(POINTS)) }])[0]
    : option;
  return {
    option: columns.length ? { ...scored, columns: Object.fromEntries(columns) } : scored,
    label: label || value,
    value,
    isKnown,
    shownFor: parent && !isAlone ? parseShownFor(cellOf(SHOWN_FOR + parent.name), parent) : { values: null },
  };
}

/** Return what is wrong with a row, to follow its number, or "". `known` are the rows before it. */
function findRowProblem({ label, value, option, isKnown, shownFor }, cells, roles, known, context, parent) {
  if (cells.length > 1 && cells.length !== roles.length)
    return ` has ${cells.length} columns instead of ${roles.length}.`;
  if (!label) return " has no label.";
  if (shownFor.unknown !== undefined) return `: “${shownFor.unknown}” is not an option of “${parent.label}”.`;
  if (shownFor.values?.length > context.maxShownFor) return ` is shown for more than ${context.maxShownFor} options.`;
  const same = known.find(
    (one) => (value && one.value === value) || (!value && !isKnown && isSame(one, { label, shownFor })),
  );
  if (same) return `: “${value || label}” is also in line ${same.line}.`;
  return value && option.value !== value ? `: another option has the value “${value}” already.` : "";
}

// Towns of different countries may have the same name.
function isSame(one, other) {
  if (one.label.toLowerCase() !== other.label.toLowerCase()) return false;
  const [some, others] = [one.shownFor.values, other.shownFor.values];
  return !some || !others || some.some((value) => others.includes(value));
}

/** Read points as people write them. A text without digits counts nothing; another one that is no number is refused later. */
function parsePoints(text) {
  const { value, refusal } = parseTypedNumber(text, false);
  return refusal && /\p{Nd}/u.test(text) ? text : value || undefined;
}

/** An option with this value and label. An unchanged label keeps its value, and an unchanged value everything else. */
export function createOption({ value: typed, label }, taken, { options, language }) {
  const known = options.find((one) => localizeLabel(one.label, language) === label && !taken.has(one.value));
  const value = typed ? uniqueName(typed, taken) : (known?.value ?? createValue(label, taken));
  taken.add(value);
  const existing = (typed && options.find((one) => one.value === value)) || known || {};
  const { label: before, ...rest } = existing;
  const isUnchanged = before !== undefined && localizeLabel(before, language) === label;
  return { option: { ...rest, value, label: isUnchanged ? before : label }, isKnown: Boolean(known) };
}
