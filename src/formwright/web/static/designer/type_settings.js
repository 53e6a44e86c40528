// The settings that only some field types have. Which ones, and what their values are, comes from the server; here is
// what people read, and the order.

import { defaultInput } from "./default_input.js";
import { settingOf, traits } from "./field_types.js";
import { notationOf, number, typedNumber } from "./number_input.js";
import { check, choice, row, text } from "./setting_rows.js";

const TABLE = "One row per question, one column per option. All questions must be choices with the same options.";
const PATTERN = "A regular expression that the whole answer must match. ^[A-Z]{2}[0-9]{4}$ accepts AB1234.";

/** By name: the label and the help, `choices` for the values of an enum, and attributes for an input. */
const SETTINGS = {
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
  pattern: { label: "Pattern", help: PATTERN, input: { class: "code", spellcheck: "false" } },
  page: { label: "Show on its own page" },
  table: { label: "Show as a table", help: TABLE },
  lowLabel: { label: "Text next to 0" },
  highLabel: { label: "Text next to 10" },
};

export function ownMembers(edit, texts) {
  const { type } = edit.get();
  const own = Object.keys(SETTINGS).filter((member) => settingOf(type, member));
  return [
    ...own.flatMap((member) => CONTROLS[settingOf(type, member).kind](edit, member, describe(type, member), texts)),
    ...preset(edit, type),
  ];
}

function describe(type, member) {
  const { labels, placeholders } = traits(type);
  const { default: usual, maxLength } = settingOf(type, member);
  const known = SETTINGS[member];
  return {
    ...known,
    label: labels[member] ?? known.label,
    input: { placeholder: usual ?? placeholders[member], maxlength: maxLength, ...known.input },
  };
}

/** The rows of a setting, by the kind of its values. */
const CONTROLS = {
  boolean: (edit, member, { label, help }) => [
    check(member, label, Boolean(edit.get()[member]), (on) => edit.set(member, on || undefined), help),
  ],
  integer: (edit, member, { label, help, input }) => [
    row(
      member,
      label,
      typedNumber(
        edit.get()[member],
        (value) => edit.set(member, value),
        notationOf(edit.get().type, "INTEGER"),
        input,
      ),
      help,
    ),
  ],
  number: (edit, member, { label, help, input }) => [
    row(
      member,
      label,
      number(edit.get()[member], (value) => edit.set(member, value), input),
      help,
    ),
  ],
  enum: (edit, member, { label, help, choices }) => [
    row(
      member,
      label,
      choice(Object.entries(choices), edit.get()[member] ?? "", (value) => edit.set(member, value || undefined)),
      help,
    ),
  ],
  label: (edit, member, { label, help }, texts) => texts(edit, member, label, help),
  text: (edit, member, { label, help, input, isTrimmed }) => [
    row(
      member,
      label,
      text(edit.get()[member], (value) => edit.set(member, (isTrimmed ? value.trim() : value) || undefined), input),
      help,
    ),
  ],
};

function preset(edit, type) {
  if (!settingOf(type, "default")) return [];
  const set = (value) => edit.set("default", value === "" || value?.length === 0 ? undefined : value);
  const [control, help] = defaultInput(edit.get(), set, edit.store.language);
  return [row("default", "Default", control, help)];
}
