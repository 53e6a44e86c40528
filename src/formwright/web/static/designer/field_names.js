// Field names: made from labels, unique, and replaced in rules when they change.

const MAX_NAME_LENGTH = 64;
const STRING_LITERAL = /r?"""(?:[^\\]|\\.)*?"""|r?'''(?:[^\\]|\\.)*?'''|r?"(?:[^"\\]|\\.)*"|r?'(?:[^'\\]|\\.)*'/gs;

export const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Make a name from a text: “Größe des Raums” → `groesse_des_raums`. */
export function slugify(text, otherwise) {
  const plain = text
    .replace(/\{\{.*?\}\}/g, " ")
    .replace(/[äöüÄÖÜ]/g, (letter) => `${letter}e`)
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();
  const name = plain.replace(/[^a-z0-9]+/g, "_").replace(/^[_0-9]+|_+$/g, "");
  return name.slice(0, MAX_NAME_LENGTH - 4).replace(/_+$/, "") || otherwise;
}

/** Whether a field has the name, also in other case, which the server refuses. */
export function isNameTaken(names, name) {
  const lower = name.toLowerCase();
  return names.has(name) || [...names].some((other) => other.toLowerCase() === lower);
}

/** Return the name, with a number appended if it is taken. */
export function uniqueName(name, taken) {
  const used = new Set([...taken].map((other) => other.toLowerCase()));
  let unusedName = name;
  for (let number = 2; used.has(unusedName.toLowerCase()); number += 1)
    unusedName = `${name.slice(0, MAX_NAME_LENGTH - `_${number}`.length)}_${number}`;
  return unusedName;
}

/** Return whether the name was made from that text. */
export const isDerivedFrom = (name, text, otherwise) =>
  name.replace(/_\d+$/, "") === slugify(text, otherwise).replace(/_\d+$/, "");

/** The settings that are rules, and those that are texts in the languages of the form, of any type. */
export const RULE_PROPERTIES = [
  "visibleIf",
  "requiredIf",
  "readOnlyIf",
  "validIf",
  "calculate",
  "defaultRule",
  "optionFilter",
  "countRule",
];
const TABLE_PROPERTIES = ["mapping", "filter"];
export const TEXT_PROPERTIES = [
  "label",
  "hint",
  "guidance",
  "message",
  "requiredMessage",
  "lowLabel",
  "highLabel",
  "rowLabel",
];
const POSITION_PROPERTIES = ["latitude", "longitude", "accuracy"];

/** Return the field with an old name replaced wherever it is used, also in texts; `inRows`: also where it is a column of a repeat. */
export const renameReferences = (field, from, to, inRows) =>
  renameInProperties(renameInRules(field, from, to, inRows), from, to);

export function renameInRules(field, from, to, inRows) {
  const changed = { ...field };
  for (const rule of RULE_PROPERTIES) if (field[rule]) changed[rule] = renameInRule(field[rule], from, to, inRows);
  return changed;
}

export function renameInProperties(field, from, to) {
  const changed = { ...field };
  for (const table of TABLE_PROPERTIES) if (field[table]) changed[table] = renameInTable(field[table], from, to);
  if (field.rowsFrom === from) changed.rowsFrom = to;
  if (field.recalculateOn) changed.recalculateOn = field.recalculateOn.map((name) => (name === from ? to : name));
  for (const property of TEXT_PROPERTIES)
    if (field[property]) changed[property] = renameInText(field[property], from, to);
  if (field.options)
    changed.options = field.options.map((option) => ({ ...option, label: renameInText(option.label, from, to) }));
  if (field.media?.alt) changed.media = { ...field.media, alt: renameInText(field.media.alt, from, to) };
  return changed;
}

function renameInText(label, from, to) {
  const replaced = (text) => text.replace(new RegExp(`(\\{\\{\\s*)${from}(?=\\s*\\}\\})`, "g"), `$1${to}`);
  if (typeof label === "string") return replaced(label);
  return Object.fromEntries(Object.entries(label).map(([tag, text]) => [tag, replaced(text)]));
}

/** Return whether the field uses this name: in a rule, or as a filled-in field. */
export const isValueUsed = (field, text) =>
  field.default === text ||
  RULE_PROPERTIES.some((rule) =>
    (field[rule]?.match(STRING_LITERAL) ?? []).some((unusedName) => unusedName.slice(1, -1) === text),
  );

// Replaces only outside string literals, with the exception of `answered["x"]`, and no function names.
function renameInRule(rule, from, to, inRows) {
  const ends = "(?!\\w|\\s*\\()";
  // A location has properties of its own, and columns of options have names of their own.
  const property = inRows && !POSITION_PROPERTIES.includes(from) ? "(?<!\\boption)(?<=[\\w\\])])" : "\\banswered";
  const name = new RegExp(`(?<![\\w.]|\\.\\s+)${from}${ends}|(?<=${property}\\s*\\.\\s*)${from}${ends}`, "g");
  const quoted = new RegExp(`(\\banswered\\s*\\[\\s*)(["'])${from}\\2`, "g");
  const parts = [];
  let end = 0;
  for (const text of rule.matchAll(STRING_LITERAL)) {
    parts.push(rule.slice(end, text.index).replace(name, to), text[0]);
    end = text.index + text[0].length;
  }
  return [...parts, rule.slice(end).replace(name, to)].join("").replace(quoted, `$1$2${to}$2`);
}

const renameInTable = (table, from, to) =>
  Object.fromEntries(Object.entries(table).map(([column, name]) => [column, name === from ? to : name]));
