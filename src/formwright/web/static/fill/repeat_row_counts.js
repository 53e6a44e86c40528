// Adds and removes the rows of repeats whose number a rule computes.

import { isAnswered } from "./rule_inputs.js";
import { t } from "./texts.js";

/** Removed rows by question, the first one first: they come back when the number grows, such as while it is typed. */
const removedRows = new WeakMap();

/** Give each repeat the number of rows that the result of the rules `level` has for it. Returns whether any changed. */
export function applyRowCounts(steps, level, container) {
  let changed = false;
  for (const step of steps) {
    const repeat = step.rows && level.shown.has(step.name) ? container.getQuestionByName(step.name) : null;
    if (!repeat) continue;
    if (step.countRule) changed = applyRowCount(repeat, Math.min(level.counts[step.name], step.maxItems)) || changed;
    for (const [index, row] of (level.rows[step.name] ?? []).entries()) {
      if (repeat.panels[index]) changed = applyRowCounts(step.rows, row, repeat.panels[index]) || changed;
    }
  }
  return changed;
}

function applyRowCount(repeat, count) {
  const rows = repeat.value ?? [];
  if (repeat.panelCount === count && rows.length === count) return false;
  if (rows.length > count) removeRows(repeat, rows, count);
  else addRows(repeat, rows, count);
  return true;
}

function removeRows(repeat, rows, count) {
  const surplus = rows.slice(count);
  removedRows.set(repeat, [...surplus, ...(removedRows.get(repeat) ?? [])]);
  repeat.value = rows.slice(0, count);
  const filled = surplus.filter((row) => Object.values(row).some(isAnswered)).length;
  if (filled) repeat.addError(t("rowsGone", filled));
}

function addRows(repeat, rows, count) {
  const restored = (removedRows.get(repeat) ?? []).splice(0, count - rows.length);
  const empty = Array.from({ length: count - rows.length - restored.length }, () => ({}));
  repeat.value = [...rows, ...restored, ...empty];
}
