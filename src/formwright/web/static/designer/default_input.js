// The input for the default of a field: by the kind of its answers, or as text.

import { fieldType } from "../fields/types.js";
import { el } from "../dom.js";
import { settingOf, traits } from "./field_types.js";
import { inLanguage } from "./labels.js";
import { notationOf, typedNumber } from "./number_input.js";
import { choice, text } from "./setting_rows.js";

const ANSWERS = [
  ["", "None"],
  ["true", "Yes"],
  ["false", "No"],
];
const HELP = "Hold Ctrl or ⌘ to select several.";

/** By the kind of answers, for types that don't say how a default is typed. */
const INPUTS = {
  BOOLEAN: ({ given, set }) => [
    choice(ANSWERS, given === undefined ? "" : String(given), (value) => set(value && value === "true")),
  ],
  CHOICE: ({ options, given = "", set }) => [choice([["", "None"], ...options], given, set)],
  CHOICES: ({ options, given = [], set }) => [several(options, given, set), HELP],
  INTEGER: ({ type, given, set }) => [typedNumber(given, set, notationOf(type))],
  DECIMAL: ({ type, given, set }) => [typedNumber(given, set, notationOf(type))],
};

/** Return the input, and a help if it needs one. `set` stores the value. */
export function defaultInput({ type, default: given, options = [] }, set, language) {
  const { typedDefault } = fieldType(type);
  const labelled = options.map((one) => [one.value, inLanguage(one.label, language)]);
  const byKind = INPUTS[traits(type).answerKind];
  return byKind && !typedDefault
    ? byKind({ type, options: labelled, given, set })
    : typed(type, given, set, typedDefault);
}

const asIs = (text) => text;

function typed(type, given, set, { write = asIs, read = asIs, input, help } = {}) {
  // An input for a date or a time has no length.
  const maxlength = input?.type ? undefined : settingOf(type, "default").maxLength;
  return [text(given === undefined ? "" : write(given), (value) => set(read(value)), { maxlength, ...input }), help];
}

function several(options, chosen, set) {
  const list = el(
    "select",
    { multiple: true, size: String(Math.min(Math.max(options.length, 2), 6)) },
    ...options.map(([value, label]) => el("option", { value, text: label, selected: chosen.includes(value) })),
  );
  list.addEventListener("change", () => set([...list.selectedOptions].map((option) => option.value)));
  return list;
}
