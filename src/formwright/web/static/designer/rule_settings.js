// Rules of a field. Those in use are shown; a list offers the others.

import { createButton, createElement, query, uniqueId } from "../dom.js";
import { ConditionEditor } from "../conditions/condition_editor.js";
import { createRuleCode } from "../conditions/rule_code.js";
import { readCascade } from "./cascade.js";
import { hasAnswer, typeSetting, typeTraits } from "./field_types.js";
import { createFieldPicker, createFunctionPicker, listVisibleFields } from "./field_pickers.js";
import { explainMissing, listRuleFields, listSubjects } from "./rule_subjects.js";
import { createRow, createTextInput } from "./setting_rows.js";

const CLEAR_RULE = "recalculateOn";
/** The title and what it does. An example is that of rules which are only code. */
const RULE_TEXTS = {
  visibleIf: ["Show if", "Otherwise, the field is left out, with its answer."],
  requiredIf: ["Require if", "An answer is required while this is true."],
  readOnlyIf: ["Lock if", "While this is true, people can see the answer, but can’t change it."],
  validIf: ["Valid if", "Other answers are not accepted."],
  defaultRule: ["Initial answer", "Fills in the answer once, when the field is first shown.", "today()"],
  calculate: [
    "Calculation",
    "Computes the answer from other answers, instead of asking.",
    "double(price) * double(pieces)",
  ],
  optionFilter: [
    "Offer an option if",
    "Offers only some of the options, by their columns, which you add under “Edit as text”.",
    "option.country == country",
  ],
  countRule: [
    "Number of entries",
    "Computes how many entries there are, instead of letting people add and remove them.",
    "children",
  ],
  [CLEAR_RULE]: ["Clear the answer", "Removes the answer when one of other answers changes."],
  requiredMessage: ["Message if the answer is missing", "Replaces the usual message."],
};
const CONDITIONS = ["visibleIf", "requiredIf", "readOnlyIf", "validIf"];
/** The names that only one rule knows. */
const OWN_NAMES = { optionFilter: ["option"], defaultRule: ["lastSaved"] };
/** The message of a rule, and its label. */
const RULE_MESSAGES = {
  requiredIf: ["requiredMessage", "Message if the answer is missing"],
  requiredMessage: ["requiredMessage", "Message"],
  validIf: ["message", "Error message"],
};
/** A rule, and the setting that has no card of its own beside it. */
const INCLUDED = { requiredIf: "requiredMessage", defaultRule: CLEAR_RULE };
const CLEAR_HELP = "Names of fields, separated by commas.";
const RECALCULATE_HELP = "Names of fields, separated by commas. It then replaces what people entered.";

/**
 * `createTextRows` is called for the messages of rules.
 * @param {import("./field_editor.js").FieldEditor} editor
 */
export function createRuleSection(editor, createTextRows) {
  const list = createElement("div", { class: "rules" });
  const menu = createElement("details", { class: "add-rule" });
  const isOpen = (property) => Boolean(query(`[data-rule="${property}"]`, HTMLElement, list));
  const createCard = (property) =>
    createRuleCard(editor, property, createTextRows, () => {
      removeRule(editor, property);
      query(`[data-rule="${property}"]`, HTMLElement, list).remove();
      drawMenu();
      query("summary", HTMLElement, menu).focus();
    });
  const add = (property) => {
    query(`[data-rule="${INCLUDED[property]}"]`, HTMLElement, list)?.remove();
    list.append(createCard(property));
    menu.open = false;
    drawMenu();
    query(`[data-rule="${property}"] :is(select, input, textarea)`, HTMLElement, list).focus();
  };
  const drawMenu = () => {
    const included = Object.keys(INCLUDED)
      .filter(isOpen)
      .map((property) => INCLUDED[property]);
    const others = listRules(editor).filter((property) => !isOpen(property) && !included.includes(property));
    menu.hidden = !others.length;
    menu.replaceChildren(
      createElement("summary", { text: "Add a rule…" }),
      createElement("ul", {}, ...others.map((property) => createMenuItem(property, () => add(property)))),
    );
  };
  list.append(
    ...listRules(editor)
      .filter((property) => isInUse(editor, property))
      .map(createCard),
  );
  drawMenu();
  return createElement("section", { class: "rule-section" }, createElement("h3", { text: "Rules" }), list, menu);
}

function createMenuItem(property, add) {
  const [title, help] = RULE_TEXTS[property];
  const button = createElement(
    "button",
    { type: "button", class: "quiet", on: { click: add } },
    createElement("strong", { text: title }),
    createElement("span", { text: help }),
  );
  return createElement("li", {}, button);
}

/** Return the rules that the field can have. One that an earlier version accepted is shown, so that people can remove it. */
function listRules({ field }) {
  const { acceptsCalculation, acceptsDefaultRule, answerKind } = typeTraits(field.type);
  const fits = { calculate: acceptsCalculation, defaultRule: acceptsDefaultRule, [CLEAR_RULE]: answerKind !== "ROWS" };
  if (!hasAnswer(field.type)) return ["visibleIf"];
  return Object.keys(RULE_TEXTS).filter(
    (property) => hasValue(field[property]) || (fits[property] ?? typeSetting(field.type, property)),
  );
}

const hasValue = (value) => Boolean(value && (!Array.isArray(value) || value.length));

function isInUse({ field }, property) {
  // The options say themselves on which answer they depend.
  if (property === "optionFilter" && readCascade(field)) return false;
  const rule = Object.keys(INCLUDED).find((one) => INCLUDED[one] === property);
  if (rule && hasValue(field[rule])) return false;
  return hasValue(field[property]) || (property === "validIf" && hasValue(field.message));
}

function removeRule(editor, property) {
  const { required } = editor.field;
  const settings = [property, property === "validIf" ? "message" : INCLUDED[property]];
  // The message is also that of a question which is always required.
  const removed = settings.filter((one) => editor.field[one] !== undefined && !(one === "requiredMessage" && required));
  for (const one of removed) editor.setProperty(one, undefined, false, `${editor.id} remove ${property}`);
}

function createRuleCard(editor, property, createTextRows, remove) {
  const [title, help, example] = RULE_TEXTS[property];
  const titleId = uniqueId("rule-title");
  const removal = createButton("Remove", remove, { "aria-label": `Remove rule “${title}”` });
  const head = createElement("div", { class: "rule-head" }, createElement("h4", { id: titleId, text: title }), removal);
  const text = example ? `${help} Example: ${example}` : help;
  const rows = {
    [CLEAR_RULE]: () => [createRecalculationRow(editor, "When these change", CLEAR_HELP)],
    requiredMessage: () => [],
    defaultRule: () => [
      createRuleRow(editor, property, titleId, text),
      createRecalculationRow(editor, "Set it again when these change", RECALCULATE_HELP),
    ],
  };
  return createElement(
    "section",
    { class: "rule", data: { rule: property }, "aria-labelledby": titleId },
    head,
    ...(rows[property]?.() ?? [createRuleRow(editor, property, titleId, text)]),
    ...(RULE_MESSAGES[property] ? createTextRows(editor, ...RULE_MESSAGES[property]) : []),
  );
}

function createRuleRow(editor, property, labelId, help) {
  const set = (rule, step) =>
    editor.setProperty(property, rule || undefined, false, step && `${editor.id} ${property} ${step}`);
  const settings = {
    labelId,
    maxLength: typeSetting(editor.field.type, property).maxLength,
    createCodeAids: (area) => [
      createFieldPicker(area, listRuleFields(editor, property), editor.store.language),
      createFunctionPicker(area),
    ],
    change: set,
  };
  const parts = CONDITIONS.includes(property)
    ? createConditionParts(editor, property, settings)
    : createCodeParts(editor, property, settings);
  return createElement(
    "div",
    { class: "field", data: { property } },
    createElement("p", { class: "help", text: help }),
    ...parts,
    createElement("p", { class: "field-error", hidden: true }),
  );
}

function createConditionParts(editor, property, settings) {
  const conditions = new ConditionEditor({
    ...settings,
    rule: editor.field[property] ?? "",
    listSubjects: () => listSubjects(editor, property),
    explainMissing: (name) => explainMissing(editor, name),
    initialName: property === "validIf" ? editor.field.name : undefined,
  });
  watchField(editor, property, conditions.element, () => conditions.update(editor.field[property] ?? ""));
  return [conditions.element];
}

function createCodeParts(editor, property, settings) {
  const box = createElement("div", { class: "conditions" });
  const draw = () => {
    const names = listVisibleFields(editor).map(({ field }) => field.name);
    const known = [...names, ...(OWN_NAMES[property] ?? [])];
    box.replaceChildren(...createRuleCode(editor.field[property] ?? "", { ...settings, names: known }));
  };
  draw();
  watchField(editor, property, box, () => !box.contains(document.activeElement) && draw());
  return [box];
}

/** Call `update` when this rule, the fields or the name of this one have changed while `element` is shown. */
function watchField(editor, property, element, update) {
  const read = () => [editor.field[property], editor.field.name].join("\n");
  let before = read();
  editor.store.addEventListener("change", ({ detail }) => {
    if (!element.isConnected || !editor.store.get(editor.id)) return;
    const isOther = read() !== before;
    before = read();
    // Listing the fields takes long if there are hundreds of them, so not for each letter elsewhere in the panel.
    if (isOther || detail.drawn) update();
  });
}

/** The fields whose changes set the initial answer again, or remove the answer. */
function createRecalculationRow(editor, label, help) {
  const readNames = (value) => value.split(/[\s,]+/).filter(Boolean);
  const control = createTextInput(
    (editor.field[CLEAR_RULE] ?? []).join(", "),
    (value) => editor.setProperty(CLEAR_RULE, readNames(value).length ? readNames(value) : undefined),
    { class: "code", spellcheck: "false", autocapitalize: "none" },
  );
  const row = createRow(CLEAR_RULE, label, control, help);
  const answers = listVisibleFields(editor).filter((one) => one.id !== editor.id);
  const picker = createFieldPicker(control, answers, editor.store.language, "Insert a field…", (name) =>
    control.value.trim() ? `, ${name}` : name,
  );
  row.append(createElement("div", { class: "actions" }, picker));
  watchField(editor, CLEAR_RULE, row, () => {
    if (document.activeElement !== control) control.value = (editor.field[CLEAR_RULE] ?? []).join(", ");
  });
  return row;
}
