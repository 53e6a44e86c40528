// What the rules of a field can be about: other fields of the form, as the editor of conditions sees them.

import { fieldLabel, hasAnswer, isNumericType, typeTraits } from "./field_types.js";
import { listVisibleFields } from "./field_pickers.js";
import { listNodes } from "./field_tree.js";
import { localizeLabel, optionLabel } from "./labels.js";
import { numberNotation } from "./number_input.js";

/**
 * Return the fields that a rule can use. Only a validation is about the field itself: others would be circular, or useless.
 * @param {import("./field_editor.js").FieldEditor} editor
 */
export const listRuleFields = (editor, property) =>
  listVisibleFields(editor).filter((one) => property === "validIf" || one.id !== editor.id);

/**
 * Return the fields as subjects of conditions.
 * @returns {import("../conditions/value_inputs.js").Subject[]}
 */
export function listSubjects(editor, property) {
  const { language, page } = editor.store;
  return listRuleFields(editor, property)
    .filter(({ field }) => !page.reserved.includes(field.name))
    .map((node) => createSubject(node, language));
}

function createSubject(node, language) {
  const { name, type, options } = node.field;
  return {
    name,
    label: fieldLabel(node, language),
    kind: typeTraits(type).answerKind,
    // Of hundreds of fields with long lists, few are in a condition.
    get options() {
      return options?.map((option) => [option.value, optionLabel(option, language)]);
    },
    notation: isNumericType(type) ? numberNotation(type) : undefined,
  };
}

/** Say why a rule cannot be about the field of this name. */
export function explainMissing({ store, id }, name) {
  const node = listNodes(store.nodes).find(({ field }) => field.name === name);
  if (!node) return `There is no field named ${name}. Choose another question, or remove this condition.`;
  const label = localizeLabel(node.field.label, store.language) || name;
  if (node.id === id) return "A question can’t depend on its own answer. Choose another one.";
  if (store.page.reserved.includes(name)) return `“${name}” has a meaning in rules. Rename the field first.`;
  if (!hasAnswer(node.field.type)) return `“${label}” has no answer. Choose another question.`;
  return `“${label}” is in a repeated group and has an answer for each entry. Choose another question, or edit as code.`;
}
