// Inputs for the value of a condition, by its operator and the kind of answers that it is compared with.

import { createElement, createSelect, query } from "../dom.js";
import { createChips, createChoiceInput, createChoicesInput } from "./choice_input.js";
import { countUnit, smallestCount, valueShape } from "./operators.js";

const MAX_LENGTH = 500;
const COUNT_DIGITS = 6;
const VALUE_LABEL = "Value";

/**
 * What conditions can be about. `options` are those that people choose from, `notation` is how numbers are typed.
 * @typedef {{name: string, label: string, kind: string, options?: import("./choice_input.js").Choice[],
 *   notation?: import("../designer/number_input.js").Notation}} Subject
 */

/**
 * Return the inputs for the value of a row, or nothing. `set(value, refusal)` receives each value; undefined if there is
 * none, with the reason if the text is none.
 * @param {import("./condition_code.js").Row} row
 * @param {Subject} subject
 * @returns {HTMLElement[]}
 */
export function createValueInputs({ operator, value }, subject, set) {
  const shape = valueShape(operator);
  if (shape === null) return [];
  if (shape === "count") return createCountInputs(value, operator, subject.kind, set);
  if (shape === "list") return [createListInput(value ?? [], subject, set)];
  if (subject.options) return [createOptionInput(value, subject, set)];
  return (INPUTS[subject.kind] ?? createTextInputs)(value, set, subject);
}

const createInput = (input, attributes) => {
  const control = createElement("input", {
    "aria-label": VALUE_LABEL,
    autocomplete: "off",
    type: "text",
    ...attributes,
  });
  control.addEventListener("input", () => input(control.value, control));
  return control;
};

/** Without options, a choice is the key of a row. */
const KEY_PLACEHOLDERS = { CHOICE: "Key of a row", CHOICES: "Key of a row" };

const createTextInputs = (value, set, /** @type {Subject} */ { kind }) => [
  createInput((text) => set(text || undefined), {
    value: value ?? "",
    maxlength: MAX_LENGTH,
    dir: "auto",
    placeholder: KEY_PLACEHOLDERS[kind],
  }),
];

const createTimeInputs = (value, set) => [
  createInput((text) => set(text.slice(0, 5) || undefined), { type: "time", value: value ?? "" }),
];

const createBooleanInputs = (value, set) => [
  createSelect(
    [
      ["true", "yes"],
      ["false", "no"],
    ],
    String(value ?? true),
    (text) => set(text === "true"),
    { "aria-label": VALUE_LABEL },
  ),
];

const createNumberInputs = (key) => (value, set, /** @type {Subject} */ subject) => [
  createInput((text) => set(...readNumber(text, key, subject)), {
    value: value ? subject.notation.write(value[key]) : "",
    inputmode: subject.notation.inputmode,
    placeholder: subject.notation.placeholder,
  }),
];

/** Return [value, refusal]. */
function readNumber(text, key, /** @type {Subject} */ { notation }) {
  const { value, refusal } = notation.read(text);
  return [refusal || value === undefined ? undefined : { [key]: value }, refusal];
}

/** The ways to name a day, with the days after today for a number. */
const DAY_MODES = [
  ["date", "this date:"],
  ["today", "today"],
  ["ago", "days ago:"],
  ["ahead", "days from today:"],
];
const SIGNED_DAYS = { ago: -1, ahead: 1 };

function createDayInputs(value, set) {
  const box = createElement("div", { class: "day" });
  const modeOf = ({ today }) => (today === 0 ? "today" : today < 0 ? "ago" : "ahead");
  const draw = (mode, current) => {
    const modes = createSelect(DAY_MODES, mode, change, { "aria-label": "Kind of date" });
    const number = (text) => {
      const days = readCount(text, 1);
      set(days && { today: SIGNED_DAYS[mode] * days });
    };
    const days = current instanceof Object ? String(Math.abs(current.today)) : "";
    const inputs = {
      date: () => createInput((text) => set(text || undefined), { type: "date", value: current ?? "" }),
      today: () => null,
      ago: () => createCountInput(days, number),
      ahead: () => createCountInput(days, number),
    };
    box.replaceChildren(...[modes, inputs[mode]()].filter(Boolean));
  };
  const change = (mode) => {
    set(mode === "today" ? { today: 0 } : undefined);
    draw(mode);
    query("select", HTMLSelectElement, box).focus();
  };
  draw(value instanceof Object ? modeOf(value) : "date", value);
  return [box];
}

const INPUTS = {
  BOOLEAN: createBooleanInputs,
  INTEGER: createNumberInputs("integer"),
  DECIMAL: createNumberInputs("decimal"),
  DATE: createDayInputs,
  DATETIME: createDayInputs,
  TIME: createTimeInputs,
};

const createCountInput = (value, input) =>
  createInput(input, { value, inputmode: "numeric", maxlength: COUNT_DIGITS, class: "count" });

const readCount = (text, smallest) =>
  /^\d+$/.test(text.trim()) && Number(text) >= smallest ? Number(text) : undefined;

function createCountInputs(value, operator, kind, set) {
  const smallest = smallestCount(operator);
  const unit = countUnit(operator, kind);
  const read = (text) => {
    const integer = readCount(text, smallest);
    set(integer === undefined ? undefined : { integer }, text.trim() ? `Enter a whole number from ${smallest}.` : "");
  };
  const input = createCountInput(value ? String(value.integer) : "", read);
  if (unit) input.setAttribute("aria-label", `${VALUE_LABEL} (${unit})`);
  return [input, ...(unit ? [createElement("span", { text: unit, "aria-hidden": "true" })] : [])];
}

function createOptionInput(value, /** @type {Subject} */ { options }, set) {
  const unknown = value !== undefined && !options.some(([known]) => known === value);
  return createChoiceInput(unknown ? [...options, [value, value]] : options, value, set, {
    "aria-label": VALUE_LABEL,
    placeholder: "Choose…",
  });
}

function createListInput(values, subject, set) {
  const change = (list) => set(list.length ? list : undefined);
  if (subject.options) return createChoicesInput(subject.options, values, change, "Values");
  return createTypedList(values, subject, set, change);
}

const NUMBER_KEYS = { INTEGER: "integer", DECIMAL: "decimal" };

/** Values that are typed one by one; of numbers, also several with spaces between them. */
function createTypedList(values, subject, set, change) {
  const key = NUMBER_KEYS[subject.kind];
  const write = (value) => (key ? subject.notation.write(value[key]) : value);
  const chips = createChips(values, write, change);
  const addAll = (control) => {
    const texts = key ? control.value.split(/[\s;]+|,\s+|,$/).filter(Boolean) : [control.value.trim()].filter(Boolean);
    const read = texts.map((text) => (key ? readNumber(text, key, subject) : [text, ""]));
    const refusal = read.map(([, why]) => why).find(Boolean);
    if (refusal) return set(chips.values.length ? chips.values : undefined, refusal);
    for (const [value] of read) chips.add(value);
    control.value = "";
  };
  const control = createInput(() => {}, { maxlength: MAX_LENGTH, dir: "auto", inputmode: subject.notation?.inputmode });
  control.addEventListener("keydown", (event) => {
    const isModified = event.ctrlKey || event.metaKey || event.isComposing;
    if (event.key !== "Enter" || isModified || !control.value.trim()) return;
    event.preventDefault();
    addAll(control);
  });
  control.addEventListener("change", () => addAll(control));
  control.setAttribute("aria-label", "Add a value");
  control.placeholder = "Value, then Enter";
  return createElement("div", { class: "chosen" }, chips.element, control);
}

/** Return a value as text, for rows whose field is missing. */
export function describeValue(value) {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map(describeValue).join(", ");
  if (!(value instanceof Object)) return String(value === true ? "yes" : value === false ? "no" : value);
  const { integer, decimal, today } = value;
  if (today === undefined) return String(integer ?? decimal);
  return today === 0 ? "today" : today < 0 ? `${-today} days ago` : `${today} days from today`;
}
