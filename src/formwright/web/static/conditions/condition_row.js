// One condition as a sentence: a field, an operator and a value, and what is wrong with it.

import { createElement, createSelect, query, uniqueId } from "../dom.js";
import { createChoiceInput } from "./choice_input.js";
import {
  adaptValue,
  comparedPart,
  findUnknownOption,
  fitsKind,
  fitsValue,
  listOperators,
  operatorLabel,
  valueShape,
} from "./operators.js";
import { createValueInputs, describeValue } from "./value_inputs.js";

const LEFT_OUT = "Until then, this condition is left out.";

/** @typedef {import("./condition_code.js").Row & {refusal?: string}} DraftRow */
/** @typedef {import("./value_inputs.js").Subject} Subject */

/** Whether the row can be part of the rule. @param {DraftRow} row */
export const isComplete = ({ name, operator, value }) =>
  Boolean(name && operator) && (valueShape(operator) === null || value !== undefined);

/**
 * Return what is wrong with a row: {text, part} with the part of the sentence to change, or null.
 * @param {DraftRow} row
 * @param {Subject | undefined} subject
 * @param {(name: string) => string} explainMissing
 */
export function findRowError(row, subject, explainMissing) {
  if (!row.name) return { part: "question", text: `Choose a question. ${LEFT_OUT}` };
  if (!subject) return { part: "question", text: explainMissing(row.name) };
  if (!fitsKind(row, subject.kind))
    return {
      part: "operator",
      text: `The answer to “${subject.label}” can’t be compared like this. Choose another comparison.`,
    };
  if (row.refusal) return { part: "value", text: row.refusal };
  if (!isComplete(row)) return { part: "value", text: `Enter a value. ${LEFT_OUT}` };
  if (!fitsValue(row, subject.kind))
    return { part: "value", text: `This value doesn’t fit the answer to “${subject.label}”. Enter another one.` };
  const unknown = findUnknownOption(row.value, subject.options);
  return unknown === undefined
    ? null
    : { part: "value", text: `“${unknown}” is not an option of “${subject.label}”. Choose another one.` };
}

/**
 * `changed(isTyped)` is called when a part of the row has changed; `isTyped` if it is the value.
 * @param {DraftRow} row
 * @param {Subject[]} subjects
 * @param {{label: string, changed: (isTyped: boolean) => void, remove: () => void}} actions
 */
export function createRowElement(row, subjects, { label, changed, remove }) {
  const findSubject = () => subjects.find(({ name }) => name === row.name);
  const set = (value, refusal = "") => {
    Object.assign(row, { value, refusal });
    changed(true);
  };
  // Only what follows a changed part is drawn again: people may still be typing in the list of that part.
  const drawValue = () => value.replaceChildren(...(row.name ? createValues(row, findSubject(), set) : []));
  const drawOperator = () => {
    const choose = (chosen) => {
      applyOperator(row, chosen, findSubject());
      drawValue();
      changed(false);
    };
    operator.replaceChildren(...(row.name ? [createOperatorInput(row, findSubject(), choose)] : []));
    drawValue();
  };
  const question = createQuestionInput(row, subjects, (name) => {
    row.name = name;
    chooseSubject(row, findSubject());
    drawOperator();
    changed(false);
  });
  const operator = wrap("operator");
  const value = wrap("value");
  drawOperator();
  const removal = createElement("button", {
    type: "button",
    class: "quiet remove",
    text: "×",
    title: "Remove",
    "aria-label": `Remove ${label.toLowerCase()}`,
    on: { click: remove },
  });
  const fault = createElement("p", { class: "field-error", id: uniqueId("condition-fault"), hidden: true });
  return createElement(
    "div",
    { class: "condition", role: "group", "aria-label": label },
    wrap("question", question),
    removal,
    operator,
    value,
    fault,
  );
}

const wrap = (part, ...children) => createElement("div", { class: part, data: { part } }, ...children);

function createQuestionInput(row, subjects, choose) {
  const labels = subjects.map(({ label }) => label);
  const isUnique = (label) => labels.indexOf(label) === labels.lastIndexOf(label);
  const choices = subjects.map(({ name, label }) => [name, isUnique(label) ? label : `${label} (${name})`]);
  const isKnown = !row.name || subjects.some(({ name }) => name === row.name);
  return createChoiceInput(
    /** @type {any} */ (isKnown ? choices : [[row.name, row.name], ...choices]),
    row.name || undefined,
    (name) => subjects.some((one) => one.name === name) && choose(name),
    { "aria-label": "Answer to", placeholder: "Choose a question…" },
  );
}

/** Make the row about a subject, with the same operator and value if they fit. */
export function chooseSubject(row, subject) {
  const offered = listOperators(subject).map(([operator]) => operator);
  const operator = offered.includes(row.operator) ? row.operator : offered[0];
  applyOperator(Object.assign(row, { name: subject.name }), operator, subject);
}

function applyOperator(row, operator, subject) {
  const part = comparedPart(operator, subject.kind);
  const value = adaptValue(row.value, operator, subject);
  Object.assign(row, { operator, part, value, refusal: "" });
}

function createOperatorInput(row, subject, choose) {
  const offered = subject ? listOperators(subject) : [];
  const isOffered = offered.some(([operator]) => operator === row.operator);
  const current = [row.operator, operatorLabel(row.operator, subject?.kind)];
  return createSelect(isOffered ? offered : [current, ...offered], row.operator, choose, {
    "aria-label": "Comparison",
  });
}

function createValues(row, subject, set) {
  if (subject && fitsKind(row, subject.kind) && (row.value === undefined || fitsValue(row, subject.kind)))
    return createValueInputs(row, subject, set);
  // What was written for another type of question is shown until another comparison or value is chosen.
  const known = createElement("bdi", { class: "written", text: describeValue(row.value) });
  const isKindRight = subject && fitsKind(row, subject.kind);
  return isKindRight ? [known, ...createValueInputs({ ...row, value: undefined }, subject, set)] : [known];
}

/** Mark an input whose mistake is explained beside it. */
export function markInvalid(control, isInvalid) {
  control.toggleAttribute("data-explained", isInvalid);
  if (isInvalid) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
}

/** Show what is wrong with a row in its element, or nothing. */
export function showRowFault(element, error) {
  const slot = query(".field-error", HTMLElement, element);
  slot.textContent = error?.text ?? "";
  slot.hidden = !error;
  for (const control of element.querySelectorAll("input, select")) {
    const isWrong = Boolean(error) && control.closest("[data-part]")?.dataset.part === error.part;
    markInvalid(control, isWrong);
    if (error) control.setAttribute("aria-describedby", slot.id);
    else control.removeAttribute("aria-describedby");
  }
}
