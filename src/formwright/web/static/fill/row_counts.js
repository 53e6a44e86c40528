// Adds and removes the rows of repeats whose number a rule computes.

import { isAnswered } from "./rule_inputs.js";
import { t } from "./texts.js";

/** Removed rows by question, the first one first: they come back when the number grows, such as while it is typed. */
const removed = new WeakMap();

/** Give each repeat the number of rows that the result of the rules `found` has for it. Returns whether any changed. */
export function applyRowCounts(steps, found, place) {
  let changed = false;
  for (const step of steps) {
    const drawn = step.rows && found.shown.has(step.name) ? place.getQuestionByName(step.name) : null;
    if (!drawn) continue;
    if (step.countRule) changed = applyRowCount(drawn, Math.min(found.counts[step.name], step.maxItems)) || changed;
    for (const [index, row] of (found.rows[step.name] ?? []).entries()) {
      if (drawn.panels[index]) changed = applyRowCounts(step.rows, row, drawn.panels[index]) || changed;
    }
  }
  return changed;
}

function applyRowCount(repeat, count) {
  const rows = repeat.value ?? [];
  if (repeat.panelCount === count && rows.length === count) return false;
  if (rows.length > count) remove(repeat, rows, count);
  else add(repeat, rows, count);
  return true;
}

function remove(repeat, rows, count) {
  const gone = rows.slice(count);
  removed.set(repeat, [...gone, ...(removed.get(repeat) ?? [])]);
  repeat.value = rows.slice(0, count);
  const filled = gone.filter((row) => Object.values(row).some(isAnswered)).length;
  if (filled) repeat.addError(t("rowsGone", filled));
}

function add(repeat, rows, count) {
  const back = (removed.get(repeat) ?? []).splice(0, count - rows.length);
  const fresh = Array.from({ length: count - rows.length - back.length }, () => ({}));
  repeat.value = [...rows, ...back, ...fresh];
}
