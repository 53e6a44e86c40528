// Lists that insert the name of a field, an answer or a function into a rule or a text.

import { createSelect } from "../dom.js";
import { fieldLabel, hasAnswer, typeTraits } from "./field_types.js";
import { listAncestors, listNodes } from "./field_tree.js";

/** A list that inserts the answer of another field into a text, or one in a row of this repeat; null if there is none. */
export function createAnswerPicker(editor, control, inRow = false) {
  const nodes = listVisibleFields(editor, inRow).filter(
    (one) => one.id !== editor.id && typeTraits(one.field.type).fitsInText,
  );
  return nodes.length
    ? createFieldPicker(control, nodes, editor.store.language, "Insert an answer…", (name) => `{{${name}}}`)
    : null;
}

/** Return the fields that a rule of this field, or of the rows of this repeat, can refer to. */
export function listVisibleFields({ id, store }, inRow = false) {
  const outerRepeats = new Set(
    [...listAncestors(store.nodes, id), ...(inRow ? [store.get(id)] : [])]
      .filter((one) => one.field.type === "repeat")
      .map((one) => one.id),
  );
  const isInScope = (node) =>
    listAncestors(store.nodes, node.id).every((one) => one.field.type !== "repeat" || outerRepeats.has(one.id));
  // Looking for the ancestors of each field takes long in a form with hundreds of them.
  const hasRepeat = listNodes(store.nodes).some((node) => node.field.type === "repeat");
  return listNodes(store.nodes).filter((node) => hasAnswer(node.field.type) && (!hasRepeat || isInScope(node)));
}

export function createFieldPicker(control, nodes, language, title = "Insert a field…", format = (name) => name) {
  const choices = nodes.map((one) => [one.field.name, `${fieldLabel(one, language)} (${one.field.name})`]);
  return createInsertSelect(title, choices, (name) => insertText(control, format(name)));
}

const RULE_FUNCTIONS = [
  ["today()", "Today’s date"],
  ["now()", "Current date and time"],
  ["yearsBetween(, today())", "Full years since a date (age)"],
  ["daysBetween(, today())", "Days since a date"],
  ["addDays(today(), 7)", "Date some days later"],
  ["round(, 2)", "Rounded number"],
  ["roundHalfUp(, 2)", "Rounded number, halves up"],
  ["number()", "Number in a text"],
  ["sqrt()", "Square root"],
  ["pow(, 2)", "Power"],
  ["remainder(, 2.0)", "Remainder of a division"],
  ["exp()", "Exponential function"],
  ["log()", "Natural logarithm"],
  ["log10()", "Decimal logarithm"],
  ["sin()", "Sine of an angle in radians"],
  ["cos()", "Cosine of an angle in radians"],
  ["tan()", "Tangent of an angle in radians"],
  ["asin()", "Angle with this sine"],
  ["acos()", "Angle with this cosine"],
  ["atan()", "Angle with this tangent"],
  ["atan2(, )", "Angle to a point, from y and x"],
  ["sum([])", "Sum of numbers"],
  ["max([])", "Largest number"],
  ["min([])", "Smallest number"],
  ["digest(, 'SHA-256', 'base64')", "Digest of a text"],
  [".words()", "Words of a text, as a list"],
  ["rowCount()", "Number of entries of a repeat around the field"],
  ["points()", "Points of an answer"],
  ["score()", "Points of all answers"],
  ["maxScore()", "Most points that can be reached"],
  ["distance()", "Length of a line in metres"],
  ["perimeter()", "Length around an area in metres"],
  ["area()", "Size of an area in square metres"],
];

// In a call: where an argument is missing, before a comma or a closing bracket.
const MISSING_ARGUMENT = /(?<=[([])[,\]]|(?<=[a-z0-9]\()\)(?<!^(today|now|score|maxScore|\.words)\(\))/i;

export const createFunctionPicker = (control) =>
  createInsertSelect("Insert a function…", RULE_FUNCTIONS, (call) =>
    insertText(control, call, call.search(MISSING_ARGUMENT)),
  );

/** A list that calls `insert` with the chosen value, and is then as before. */
function createInsertSelect(title, choices, insert) {
  const change = (value) => {
    if (value) insert(value);
    list.value = "";
  };
  const list = createSelect([["", title], ...choices], "", change, { "aria-label": title.slice(0, -1) });
  return list;
}

/** Insert a text and place the cursor `inside` it, where something is missing, or after it. */
function insertText(control, text, inside = -1) {
  const start = control.selectionStart;
  control.setRangeText(text, start, control.selectionEnd, "end");
  if (inside >= 0) control.setSelectionRange(start + inside, start + inside);
  control.dispatchEvent(new Event("input"));
  control.focus();
}
