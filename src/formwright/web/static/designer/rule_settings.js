// Rules of a field: written by hand with the help of pickers, or composed from menus.

import { createElement } from "../dom.js";
import { hasAnswer, typeSetting, typeTraits } from "./field_types.js";
import { createConditionBuilder } from "./condition_builder.js";
import { createFieldPicker, createFunctionPicker, listVisibleFields } from "./field_pickers.js";
import { createRow, createTextInput } from "./setting_rows.js";

const RULE_TEXTS = {
  countRule: [
    "Number of entries",
    "Computes how many entries there are, instead of letting people add and remove them. Example: children",
  ],
  visibleIf: ["Show if", "Leave empty to always show it. Example: people > 10 && answered.contact"],
  requiredIf: ["Require if", "An answer is required while this is true. Example: people > 10"],
  readOnlyIf: ["Lock if", "While this is true, people can’t change the answer. Example: answered.approved"],
  validIf: ["Valid if", "Leave empty to accept any answer. Example: size(name) > 2"],
  optionFilter: [
    "Offer an option if",
    "Uses columns of the options, which you add under “Edit as text”. Example: option.country == country",
  ],
  defaultRule: [
    "Initial answer",
    "Fills in the answer once, when the field is first shown. People can change it. Example: today()",
  ],
  calculate: ["Calculation", "Computes the answer from other answers. Example: double(price) * double(pieces)"],
};

const VALUE_RULES = ["calculate", "defaultRule", "countRule"];
const RULE_MESSAGES = {
  requiredIf: ["requiredMessage", "Message if the answer is missing"],
  validIf: ["message", "Error message"],
};

/**
 * `createTextRows` is called for the messages of rules.
 * @param {import("./field_editor.js").FieldEditor} editor
 */
export function createRuleRows(editor, createTextRows) {
  const { type } = editor.field;
  const { acceptsCalculation, acceptsDefaultRule } = typeTraits(type);
  const fits = { calculate: acceptsCalculation, defaultRule: acceptsDefaultRule };
  // A rule that an earlier version accepted is shown, so that people can remove it.
  const rules = !hasAnswer(type)
    ? ["visibleIf"]
    : Object.keys(RULE_TEXTS).filter(
        (property) => (fits[property] ?? typeSetting(type, property)) || editor.field[property],
      );
  const rows = rules.flatMap((property) => [
    createRuleRow(editor, property),
    ...(RULE_MESSAGES[property] ? createTextRows(editor, ...RULE_MESSAGES[property]) : []),
    ...(property === "defaultRule" ? [createRecalculationRow(editor, RECALCULATE_TEXTS)] : []),
  ]);
  return rules.includes("defaultRule") || !hasAnswer(type) || type === "repeat"
    ? rows
    : [...rows, createRecalculationRow(editor, CLEAR_TEXTS)];
}

const RECALCULATE_TEXTS = {
  label: "Set the initial answer again when these change",
  help: "Names of fields, separated by commas. It then replaces what people entered. Without a rule for the initial answer, the answer is removed.",
};
const CLEAR_TEXTS = { label: "Clear the answer when these change", help: "Names of fields, separated by commas." };

/** The fields whose changes set the initial answer again, or remove the answer. */
function createRecalculationRow(editor, { label, help }) {
  const readNames = (value) => value.split(/[\s,]+/).filter(Boolean);
  const control = createTextInput(
    (editor.field.recalculateOn ?? []).join(", "),
    (value) => editor.setProperty("recalculateOn", readNames(value).length ? readNames(value) : undefined),
    { class: "code", spellcheck: "false", autocapitalize: "none" },
  );
  const row = createRow("recalculateOn", label, control, help);
  const answers = listVisibleFields(editor).filter((one) => one.id !== editor.id);
  row.append(
    createElement(
      "div",
      { class: "actions" },
      createFieldPicker(control, answers, editor.store.language, "Insert a field…", (name) =>
        control.value.trim() ? `, ${name}` : name,
      ),
    ),
  );
  editor.store.addEventListener("change", () => {
    if (row.isConnected && editor.store.get(editor.id) && document.activeElement !== control)
      control.value = (editor.field.recalculateOn ?? []).join(", ");
  });
  return row;
}

function createRuleRow(editor, property) {
  const [label, help] = RULE_TEXTS[property];
  const area = createTextInput(
    editor.field[property],
    (value) => editor.setProperty(property, value.trim() ? value : undefined),
    {
      rows: "2",
      class: "code",
      spellcheck: "false",
      autocapitalize: "none",
      maxlength: typeSetting(editor.field.type, property).maxLength,
    },
  );
  const row = createRow(property, label, area, help);
  row.classList.add("rule");
  const createAids = () => {
    // Only validation can refer to the field itself: anything else would be a circular reference, or useless.
    const answers = listVisibleFields(editor).filter((one) => property === "validIf" || one.id !== editor.id);
    const list = createElement(
      "div",
      { class: "actions" },
      createFieldPicker(area, answers, editor.store.language),
      createFunctionPicker(area),
    );
    return VALUE_RULES.includes(property) || property === "optionFilter"
      ? [list]
      : [list, createConditionBuilder(area, answers, editor.store.language)];
  };
  let aids = createAids();
  let name = editor.field.name;
  row.append(...aids);
  // The field may be renamed while its rule, which follows, is shown.
  editor.store.addEventListener("change", () => {
    if (!row.isConnected || !editor.store.get(editor.id)) return;
    if (document.activeElement !== area) area.value = editor.field[property] ?? "";
    if (name === editor.field.name) return;
    name = editor.field.name;
    for (const aid of aids) aid.remove();
    aids = createAids();
    row.append(...aids);
  });
  return row;
}
