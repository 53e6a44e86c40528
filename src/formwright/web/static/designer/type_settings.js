// The settings that only some field types have. Which ones, and what their values are, comes from the server; here is
// what people read, and the order.

import { createDefaultInput } from "./default_input.js";
import { typeSetting, typeTraits } from "./field_types.js";
import { numberNotation, createNumberInput, createNotationInput } from "./number_input.js";
import { createSelect } from "../dom.js";
import { createCheckboxRow, createRow, createTextInput } from "./setting_rows.js";

const TABLE_HELP = "One row per question, one column per option. All questions must be choices with the same options.";
const PATTERN_HELP = "A regular expression that the whole answer must match. ^[A-Z]{2}[0-9]{4}$ accepts AB1234.";

/** By name: the label and the help, `choices` for the values of an enum, and attributes for an input. */
const SETTING_TEXTS = {
  minLength: { label: "Minimum length" },
  maxLength: { label: "Maximum length" },
  min: { label: "Minimum" },
  max: { label: "Maximum" },
  step: { label: "Step" },
  minChoices: { label: "Minimum choices" },
  maxChoices: { label: "Maximum choices" },
  maxFiles: { label: "Maximum number of files" },
  rowLabel: { label: "Title of each entry", help: "Shows answers of the entry. Example: {{name}}" },
  drawing: {
    label: "Pictures",
    choices: { "": "Photos only", photo: "Photos that people can draw on", sheet: "Drawings on an empty sheet" },
  },
  likert: { label: "Show options as a scale", help: "On wide screens, in one row." },
  agreement: { label: "Ask for agreement only", help: "People tick a box. The only answer is yes." },
  unit: { label: "Unit", help: "Shown next to the number, for example m² or €.", isTrimmed: true },
  randomize: {
    label: "Show options in random order",
    help: "Options that exclude others, and “other”, keep their place.",
  },
  pattern: { label: "Pattern", help: PATTERN_HELP, input: { class: "code", spellcheck: "false" } },
  page: { label: "Show on its own page" },
  table: { label: "Show as a table", help: TABLE_HELP },
  lowLabel: { label: "Text next to 0" },
  highLabel: { label: "Text next to 10" },
};

/** @param {import("./field_editor.js").FieldEditor} editor */
export function createTypeRows(editor, createTextRows) {
  const { type } = editor.field;
  const own = Object.keys(SETTING_TEXTS).filter((property) => typeSetting(type, property));
  return [
    ...own.flatMap((property) =>
      ROW_FACTORIES[typeSetting(type, property).kind](
        editor,
        property,
        describeSetting(type, property),
        createTextRows,
      ),
    ),
    ...createDefaultRows(editor, type),
  ];
}

function describeSetting(type, property) {
  const { labels, placeholders } = typeTraits(type);
  const { default: usual, maxLength } = typeSetting(type, property);
  const known = SETTING_TEXTS[property];
  return {
    ...known,
    label: labels[property] ?? known.label,
    input: { placeholder: usual ?? placeholders[property], maxlength: maxLength, ...known.input },
  };
}

/** The rows of a setting, by the kind of its values. */
const ROW_FACTORIES = {
  boolean: (editor, property, { label, help }) => [
    createCheckboxRow(
      property,
      label,
      Boolean(editor.field[property]),
      (on) => editor.setProperty(property, on || undefined),
      help,
    ),
  ],
  integer: (editor, property, { label, help, input }) => [
    createRow(
      property,
      label,
      createNotationInput(
        editor.field[property],
        (value) => editor.setProperty(property, value),
        numberNotation(editor.field.type, "INTEGER"),
        input,
      ),
      help,
    ),
  ],
  number: (editor, property, { label, help, input }) => [
    createRow(
      property,
      label,
      createNumberInput(editor.field[property], (value) => editor.setProperty(property, value), input),
      help,
    ),
  ],
  enum: (editor, property, { label, help, choices }) => [
    createRow(
      property,
      label,
      createSelect(Object.entries(choices), editor.field[property] ?? "", (value) =>
        editor.setProperty(property, value || undefined),
      ),
      help,
    ),
  ],
  label: (editor, property, { label, help }, createTextRows) => createTextRows(editor, property, label, help),
  text: (editor, property, { label, help, input, isTrimmed }) => [
    createRow(
      property,
      label,
      createTextInput(
        editor.field[property],
        (value) => editor.setProperty(property, (isTrimmed ? value.trim() : value) || undefined),
        input,
      ),
      help,
    ),
  ],
};

function createDefaultRows(editor, type) {
  if (!typeSetting(type, "default")) return [];
  const set = (value) => editor.setProperty("default", value === "" || value?.length === 0 ? undefined : value);
  const [control, help] = createDefaultInput(editor.field, set, editor.store.language);
  return [createRow("default", "Default", control, help)];
}
