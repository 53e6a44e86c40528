// A condition of a rule, composed from menus: field, comparison, value.

import { createButton, createElement, createSelect, query } from "../dom.js";
import { fieldLabel, isNumericType, typeTraits } from "./field_types.js";
import { localizeLabel } from "./labels.js";
import { numberNotation } from "./number_input.js";

/** What people read, and the condition in CEL. */
const COMPARISONS = {
  equal: ["is", (name, value) => `${name} == ${value}`],
  unequal: ["is not", (name, value) => `${name} != ${value}`],
  more: ["is more than", (name, value) => `${name} > ${value}`],
  less: ["is less than", (name, value) => `${name} < ${value}`],
  later: ["is after", (name, value) => `${name} > ${value}`],
  earlier: ["is before", (name, value) => `${name} < ${value}`],
  past: ["is before today", (name) => `${name} < today()`],
  future: ["is after today", (name) => `${name} > today()`],
  holds: ["includes", (name, value) => `${value} in ${name}`],
  yes: ["is yes", (name) => name],
  no: ["is no", (name) => `!${name}`],
  answered: ["is answered", (name) => `answered.${name}`],
  empty: ["is not answered", (name) => `!answered.${name}`],
};
const VALUELESS_COMPARISONS = ["yes", "no", "past", "future", "answered", "empty"];

const EQUALITY_COMPARISONS = ["equal", "unequal"];
const ORDER_COMPARISONS = ["equal", "unequal", "more", "less"];
/** What can be asked about an answer, by its kind, beside whether there is one. */
const COMPARISONS_BY_KIND = {
  TEXT: EQUALITY_COMPARISONS,
  INTEGER: ORDER_COMPARISONS,
  DECIMAL: ORDER_COMPARISONS,
  BOOLEAN: ["yes", "no"],
  DATE: ["equal", "later", "earlier", "past", "future"],
  TIME: ["equal", "later", "earlier"],
  DATETIME: EQUALITY_COMPARISONS,
  CHOICE: EQUALITY_COMPARISONS,
  CHOICES: ["holds"],
};

function listComparisons(type) {
  const { answerKind, canFilterRows } = typeTraits(type);
  // No value can be typed that is an answer, or a part of one, unless a cell can be.
  return [...(canFilterRows ? COMPARISONS_BY_KIND[answerKind] : []), "answered", "empty"];
}

/** A menu that adds conditions to the rule in `area`. */
export function createConditionBuilder(area, answers, language) {
  const box = createElement("details", { class: "builder" }, createElement("summary", { text: "Build a condition" }));
  box.addEventListener(
    "toggle",
    () => box.open && box.children.length === 1 && box.append(createControls(area, answers, language)),
    { once: true },
  );
  return box;
}

function createControls(area, answers, language) {
  const controls = createElement("div", { class: "parts" });
  /** @type {{field: any, comparison: string, input: HTMLInputElement | HTMLSelectElement | null}} */
  const state = { field: answers[0]?.field, comparison: "", input: null };
  const draw = () => {
    const comparisons = listComparisons(state.field.type);
    if (!comparisons.includes(state.comparison)) state.comparison = comparisons[0];
    state.input = VALUELESS_COMPARISONS.includes(state.comparison) ? null : createValueInput(state.field, language);
    controls.replaceChildren(
      createSelect(
        answers.map((one) => [one.field.name, fieldLabel(one, language)]),
        state.field.name,
        (name) => redraw("Field", { field: answers.find((one) => one.field.name === name).field }),
        { "aria-label": "Field" },
      ),
      createSelect(
        comparisons.map((comparison) => [comparison, COMPARISONS[comparison][0]]),
        state.comparison,
        (comparison) => redraw("Comparison", { comparison }),
        { "aria-label": "Comparison" },
      ),
      ...(state.input ? [state.input] : []),
      createButton("Add condition", () => addCondition(area, state)),
    );
  };
  const redraw = (label, change) => {
    Object.assign(state, change);
    draw();
    query(`[aria-label="${label}"]`, HTMLElement, controls).focus();
  };
  if (state.field) draw();
  return controls;
}

function createValueInput({ type, options }, language) {
  if (options)
    return createSelect(
      options.map((one) => [one.value, localizeLabel(one.label, language)]),
      options[0]?.value ?? "",
      () => {},
      { "aria-label": "Value" },
    );
  const { inputmode, placeholder = "0" } = isNumericType(type) ? numberNotation(type) : {};
  const input = isNumericType(type)
    ? { inputmode, value: placeholder }
    : { DATE: { type: "date" }, TIME: { type: "time" } }[typeTraits(type).answerKind];
  return createElement("input", { type: "text", "aria-label": "Value", value: "", ...input });
}

function addCondition(area, { field, comparison, input }) {
  if (input && isNumericType(field.type) && !checkNumber(input, field.type)) return;
  const condition = COMPARISONS[comparison][1](field.name, input && formatLiteral(field.type, input.value));
  const before = area.value.trim();
  // Parenthesise the existing rule: && binds more tightly than || and ?.
  const whole = /\|\||\?/.test(before) ? `(${before})` : before;
  area.value = before ? `${whole} && ${condition}` : condition;
  area.dispatchEvent(new Event("input"));
}

/** Return whether the text is a number; if not, the browser says why. */
function checkNumber(control, type) {
  const { value, refusal } = numberNotation(type).read(control.value);
  control.setCustomValidity(refusal || (value === undefined ? "Enter a number." : ""));
  control.addEventListener("input", () => control.setCustomValidity(""), { once: true });
  return control.reportValidity();
}

const isIntegerType = (type) => typeTraits(type).answerKind === "INTEGER";

// Integers and decimals are different types in a rule.
function formatLiteral(type, text) {
  if (!isNumericType(type)) return JSON.stringify(text);
  const { value } = numberNotation(type).read(text);
  return !isIntegerType(type) && /^-?\d+$/.test(String(value)) ? `${value}.0` : String(value);
}
