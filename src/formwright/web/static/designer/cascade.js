// Options that depend on the answer to another question: a filter over columns of the options, which this module writes
// and reads back. A filter that it does not read is a rule of its own.
//
// An option is shown for a list of values, always (null), or never, if its columns are missing.

import { uniqueName } from "./field_names.js";
import { updateNode, walkNodes } from "./field_tree.js";

const ALWAYS = /^option\.(\w+) == (?:""|'')$/;
const FITTING = /^option\.(\w+) (==|in) (\w+)$/;
/** What these names mean in rules, or in options as text. */
const RESERVED_COLUMNS = ["value", "label", "points"];

/** @typedef {{name: string, isList: boolean}} Parent the question that is answered first; `isList`: with several options */
/** @typedef {string[] | null} ShownFor */

/**
 * Return the name of the other question, and the columns; null if there is no filter, or another one.
 * @param {Record<string, any>} field
 * @returns {{parent: string, columns: string[], hasAlways: boolean} | null}
 */
export function readCascade({ optionFilter }) {
  const parts = (optionFilter ?? "").split("||").map((part) => part.trim());
  const always = ALWAYS.exec(parts[0]);
  const fitting = parts.slice(always ? 1 : 0).map((part) => FITTING.exec(part));
  if (!fitting.length || !fitting.every(Boolean)) return null;
  const [[, first, operator, parent]] = fitting;
  const columns = fitting.map(([, column]) => column);
  const isUniform = fitting.every((one) => one[2] === operator && one[3] === parent);
  if (!isUniform || columns.includes("value") || (always && always[1] !== first)) return null;
  return { parent, columns, hasAlways: Boolean(always) };
}

/** @returns {ShownFor} */
export function readShownFor(option, { columns, hasAlways }) {
  const cells = columns.map((column) => option.columns?.[column]);
  if (hasAlways && cells[0] === "") return null;
  return [...new Set(cells.filter(Boolean))];
}

/**
 * Return the field with options that are shown for these answers to the other question.
 * @param {Record<string, any>} field
 * @param {Parent} parent
 * @param {ShownFor[]} shownFor  for each option
 */
export function writeCascade(field, { name, isList }, shownFor) {
  const own = readCascade(field)?.columns ?? [];
  const others = field.options.map((option) => omitColumns(option, own));
  const count = Math.max(1, ...shownFor.map((values) => values?.length ?? 0));
  const columns = nameColumns(own.slice(0, count), count, name, others);
  const options = others.map((option, index) => {
    const values = shownFor[index];
    if (values?.length === 0) return option;
    // A cell without a value of its own repeats the first one: an empty one fits an empty answer where XLSForm is used.
    const cells = columns.map((column, place) => [column, values ? (values[place] ?? values[0]) : ""]);
    return { ...option, columns: { ...option.columns, ...Object.fromEntries(cells) } };
  });
  const rules = columns.map((column) => `option.${column} ${isList ? "in" : "=="} ${name}`);
  if (shownFor.includes(null)) rules.unshift(`option.${columns[0]} == ""`);
  return { ...field, options, optionFilter: rules.join(" || ") };
}

/** Return the field with the options shown whatever the answers are. */
export function removeCascade(field) {
  const { optionFilter: _, ...rest } = field;
  const columns = readCascade(field)?.columns ?? [];
  return { ...rest, options: field.options.map((option) => omitColumns(option, columns)) };
}

/** What columns named like the other question say already: those of an imported or pasted table. */
export function findShownFor({ options }, { name, values }) {
  const cells = options.map((option) => option.columns?.[name] || null);
  return cells.every((cell) => cell === null || values.has(cell)) ? cells.map((cell) => cell && [cell]) : null;
}

/** Return how many columns the options have besides those of the cascade. */
export const countOtherColumns = (field) =>
  listColumns(field.options.map((option) => omitColumns(option, readCascade(field)?.columns ?? []))).length;

export const listColumns = (options) => [...new Set(options.flatMap((option) => Object.keys(option.columns ?? {})))];

function nameColumns(columns, count, parent, options) {
  const taken = new Set([...RESERVED_COLUMNS, ...listColumns(options), ...columns]);
  const named = [...columns];
  while (named.length < count) {
    named.push(uniqueName(columns[0] ?? parent, taken));
    taken.add(named.at(-1));
  }
  return named;
}

function omitColumns({ columns, ...option }, names) {
  const left = Object.entries(columns ?? {}).filter(([column]) => !names.includes(column));
  return left.length ? { ...option, columns: Object.fromEntries(left) } : option;
}

/**
 * Return the names of the questions on which the field depends, through any number of cascades.
 * @param {Map<string, Record<string, any>>} fields  by name
 */
export function listAncestorNames(fields, field) {
  const found = [];
  for (let cascade = readCascade(field); cascade; ) {
    if (found.includes(cascade.parent)) break;
    found.push(cascade.parent);
    const parent = fields.get(cascade.parent);
    cascade = parent ? readCascade(parent) : null;
  }
  return found;
}

/** Return the nodes with the value of an option of the question `name` replaced where others depend on it. */
export function renameShownFor(nodes, name, from, to) {
  return changeDependents(nodes, name, (field, { columns }) => ({
    ...field,
    options: field.options.map((option) => {
      const cells = Object.entries(option.columns ?? {}).map(([column, cell]) => [
        column,
        columns.includes(column) && cell === from ? to : cell,
      ]);
      return option.columns ? { ...option, columns: Object.fromEntries(cells) } : option;
    }),
  }));
}

/**
 * Return the nodes with filters for the present type of a question, which may have changed.
 * @param {Parent} parent
 */
export const adaptDependents = (nodes, parent) =>
  changeDependents(nodes, parent.name, (field, cascade) =>
    writeCascade(
      field,
      parent,
      field.options.map((option) => readShownFor(option, cascade)),
    ),
  );

function changeDependents(nodes, name, change) {
  let changed = nodes;
  for (const { node } of walkNodes(nodes)) {
    const cascade = node.field.options && readCascade(node.field);
    if (cascade?.parent === name)
      changed = updateNode(changed, node.id, (one) => ({ ...one, field: change(one.field, cascade) }));
  }
  return changed;
}
