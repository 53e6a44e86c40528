// The input for the default of a field: by the kind of its answers, or as text.

import { fieldType } from "../fields/types.js";
import { createElement, createSelect } from "../dom.js";
import { typeSetting, typeTraits } from "./field_types.js";
import { localizeLabel } from "./labels.js";
import { numberNotation, createNotationInput } from "./number_input.js";
import { createTextInput } from "./setting_rows.js";

const BOOLEAN_CHOICES = [
  ["", "None"],
  ["true", "Yes"],
  ["false", "No"],
];
const MULTIPLE_HELP = "Hold Ctrl or ⌘ to select several.";

/** By the kind of answers, for types that don't say how a default is typed. */
const INPUT_FACTORIES = {
  BOOLEAN: ({ value, set }) => [
    createSelect(BOOLEAN_CHOICES, value === undefined ? "" : String(value), (text) => set(text && text === "true")),
  ],
  CHOICE: ({ options, value = "", set }) => [createSelect([["", "None"], ...options], value, set)],
  CHOICES: ({ options, value = [], set }) => [createMultiSelect(options, value, set), MULTIPLE_HELP],
  INTEGER: ({ type, value, set }) => [createNotationInput(value, set, numberNotation(type))],
  DECIMAL: ({ type, value, set }) => [createNotationInput(value, set, numberNotation(type))],
};

/** Return the input, and a help if it needs one. `set` stores the value. */
export function createDefaultInput({ type, default: value, options = [] }, set, language) {
  const { typedDefault } = fieldType(type);
  const labelled = options.map((one) => [one.value, localizeLabel(one.label, language)]);
  const byKind = INPUT_FACTORIES[typeTraits(type).answerKind];
  return byKind && !typedDefault
    ? byKind({ type, options: labelled, value, set })
    : createTypedInput(type, value, set, typedDefault);
}

const keepText = (text) => text;

/** @typedef {{write?: (value: any) => string, read?: (text: string) => any, input?: any, help?: string}} TypedDefault */
function createTypedInput(type, value, set, /** @type {TypedDefault} */ notation = {}) {
  const { write = keepText, read = keepText, input, help } = notation;
  // An input for a date or a time has no length.
  const maxlength = input?.type ? undefined : typeSetting(type, "default").maxLength;
  const text = value === undefined ? "" : write(value);
  return [createTextInput(text, (typed) => set(read(typed)), { maxlength, ...input }), help];
}

function createMultiSelect(options, chosen, set) {
  const list = createElement(
    "select",
    { multiple: true, size: String(Math.min(Math.max(options.length, 2), 6)) },
    ...options.map(([value, label]) =>
      createElement("option", { value, text: label, selected: chosen.includes(value) }),
    ),
  );
  list.addEventListener("change", () => set([...list.selectedOptions].map((option) => option.value)));
  return list;
}
