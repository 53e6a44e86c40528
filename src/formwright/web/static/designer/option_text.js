// Options as text, one per line, and as the cells of a pasted table.

import { NAME_PATTERN, slugify, uniqueName } from "./field_names.js";
import { localizeLabel } from "./labels.js";
import { parseTypedNumber } from "./number_input.js";
import { hasPoints } from "./score_settings.js";

const POINTS_COLUMN = "points";
const TABLE_HEADING = /^value\tlabel(\t|$)/i;
const splitCells = (line) => line.split("\t").map((cell) => cell.trim());

/** Return options with the points that `own` has for the same values. */
export const restorePoints = (options, own) =>
  options.map(({ points: _, ...option }) => {
    const points = own.find(({ value }) => value === option.value)?.points;
    return points ? { ...option, points } : option;
  });

export const createValue = (label, taken) => uniqueName(slugify(label, "option"), taken);

export const listValues = (options) => new Set(options.map((option) => option.value));

/** The options as text: a label per line, or with columns a table whose first line names them. */
export function formatOptions(options, own) {
  const columns = listColumns(options);
  const hasPointsColumn = hasPoints(options) && !columns.includes(POINTS_COLUMN);
  if (!columns.length && !hasPointsColumn) return options.map((one) => localizeLabel(one.label, own)).join("\n");
  const rows = options.map((one) => [
    one.value,
    localizeLabel(one.label, own),
    ...(hasPointsColumn ? [one.points ?? 0] : []),
    ...columns.map((column) => one.columns?.[column] ?? ""),
  ]);
  return [["value", "label", ...(hasPointsColumn ? [POINTS_COLUMN] : []), ...columns], ...rows]
    .map((row) => row.join("\t"))
    .join("\n");
}

const listColumns = (options) => [...new Set(options.flatMap((option) => Object.keys(option.columns ?? {})))];

/** Return the options of lines; those of a table have columns. */
export function parseOptions(lines, options, own) {
  const taken = new Set();
  if (!TABLE_HEADING.test(lines[0] ?? "")) return lines.map((line) => parseOption(line, taken, options, own));
  const [, , ...headings] = splitCells(lines[0]);
  // Some options have a column with this name for their filter.
  const pointsIndex = listColumns(options).includes(POINTS_COLUMN) ? -1 : headings.indexOf(POINTS_COLUMN);
  const columns = headings.filter((_, index) => index !== pointsIndex);
  return lines.slice(1).map((line) => {
    const [value, label, ...rest] = splitCells(line);
    const [points] = pointsIndex < 0 ? [] : rest.splice(pointsIndex, 1);
    const option = parseOption(`${value || label}\t${label || value}`, taken, options, own);
    const before = options.find((one) => one.value === option.value && localizeLabel(one.label, own) === option.label);
    const cellsByColumn = Object.fromEntries(
      columns.map((column, index) => [
        NAME_PATTERN.test(column) ? column : slugify(column, "column"),
        rest[index] ?? "",
      ]),
    );
    const scored =
      pointsIndex < 0 ? option : restorePoints([option], [{ value: option.value, points: parsePoints(points) }])[0];
    return { ...scored, label: before?.label ?? option.label, ...(columns.length ? { columns: cellsByColumn } : {}) };
  });
}

/** Read points as people write them. A text without digits counts nothing; another one that is no number is refused later. */
function parsePoints(text = "") {
  const { value, refusal } = parseTypedNumber(text, false);
  return refusal && /\p{Nd}/u.test(text) ? text : value || undefined;
}

// "Label", or "value <tab> Label" as pasted from two columns. An unchanged label keeps its value.
export function parseOption(line, taken, before, own) {
  const [first, second] = line.split("\t").map((part) => part.trim());
  const known = before.find(
    (option) => localizeLabel(option.label, own) === (second || first) && !taken.has(option.value),
  );
  const value = second ? uniqueName(first, taken) : (known?.value ?? createValue(first, taken));
  taken.add(value);
  const existing = known ?? before.find((option) => option.value === value);
  const unchanged = Object.fromEntries(
    ["exclusive", "media", "points"]
      .filter((property) => existing?.[property])
      .map((property) => [property, existing[property]]),
  );
  return { ...unchanged, value, label: known && !second ? known.label : second || first };
}
