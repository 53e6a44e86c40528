// Field names: made from labels, unique, and replaced in rules when they change.

const LONGEST = 64;
const TEXT = /r?"""(?:[^\\]|\\.)*?"""|r?'''(?:[^\\]|\\.)*?'''|r?"(?:[^"\\]|\\.)*"|r?'(?:[^'\\]|\\.)*'/gs;

export const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Make a name from a text: “Größe des Raums” → `groesse_des_raums`. */
export function slug(text, otherwise) {
  const plain = text
    .replace(/\{\{.*?\}\}/g, " ")
    .replace(/[äöüÄÖÜ]/g, (letter) => `${letter}e`)
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();
  const name = plain.replace(/[^a-z0-9]+/g, "_").replace(/^[_0-9]+|_+$/g, "");
  return name.slice(0, LONGEST - 4).replace(/_+$/, "") || otherwise;
}

/** Whether a field has the name, also in other case, which the server refuses. */
export function isIn(names, name) {
  const lower = name.toLowerCase();
  return names.has(name) || [...names].some((other) => other.toLowerCase() === lower);
}

/** Return the name, with a number appended if it is taken. */
export function unique(name, taken) {
  const used = new Set([...taken].map((other) => other.toLowerCase()));
  let one = name;
  for (let number = 2; used.has(one.toLowerCase()); number += 1)
    one = `${name.slice(0, LONGEST - `_${number}`.length)}_${number}`;
  return one;
}

/** Return whether the name was made from that text. */
export const madeFrom = (name, text, otherwise) =>
  name.replace(/_\d+$/, "") === slug(text, otherwise).replace(/_\d+$/, "");

/** The settings that are rules, and those that are texts in the languages of the form, of any type. */
export const RULES = [
  "visibleIf",
  "requiredIf",
  "readOnlyIf",
  "validIf",
  "calculate",
  "defaultRule",
  "optionFilter",
  "countRule",
];
const TABLES = ["mapping", "filter"];
export const TEXTS = ["label", "hint", "guidance", "message", "requiredMessage", "lowLabel", "highLabel", "rowLabel"];
const PLACE = ["latitude", "longitude", "accuracy"];

/** Return the field with an old name replaced wherever it is used, also in texts; `inRows`: also where it is a column of a repeat. */
export const follow = (field, from, to, inRows) => followTables(followRules(field, from, to, inRows), from, to);

export function followRules(field, from, to, inRows) {
  const changed = { ...field };
  for (const rule of RULES) if (field[rule]) changed[rule] = inRule(field[rule], from, to, inRows);
  return changed;
}

export function followTables(field, from, to) {
  const changed = { ...field };
  for (const table of TABLES) if (field[table]) changed[table] = inTable(field[table], from, to);
  if (field.rowsFrom === from) changed.rowsFrom = to;
  if (field.recalculateOn) changed.recalculateOn = field.recalculateOn.map((name) => (name === from ? to : name));
  for (const member of TEXTS) if (field[member]) changed[member] = inText(field[member], from, to);
  if (field.options)
    changed.options = field.options.map((option) => ({ ...option, label: inText(option.label, from, to) }));
  if (field.media?.alt) changed.media = { ...field.media, alt: inText(field.media.alt, from, to) };
  return changed;
}

function inText(label, from, to) {
  const replaced = (text) => text.replace(new RegExp(`(\\{\\{\\s*)${from}(?=\\s*\\}\\})`, "g"), `$1${to}`);
  if (typeof label === "string") return replaced(label);
  return Object.fromEntries(Object.entries(label).map(([tag, text]) => [tag, replaced(text)]));
}

/** Return whether the field uses this name: in a rule, or as a filled-in field. */
export const says = (field, text) =>
  field.default === text ||
  RULES.some((rule) => (field[rule]?.match(TEXT) ?? []).some((one) => one.slice(1, -1) === text));

// Replaces only outside string literals, with the exception of `answered["x"]`, and no function names.
function inRule(rule, from, to, inRows) {
  const ends = "(?!\\w|\\s*\\()";
  // A location has properties of its own.
  const member = inRows && !PLACE.includes(from) ? "[\\w\\])]" : "\\banswered";
  const name = new RegExp(`(?<![\\w.]|\\.\\s+)${from}${ends}|(?<=${member}\\s*\\.\\s*)${from}${ends}`, "g");
  const quoted = new RegExp(`(\\banswered\\s*\\[\\s*)(["'])${from}\\2`, "g");
  const parts = [];
  let end = 0;
  for (const text of rule.matchAll(TEXT)) {
    parts.push(rule.slice(end, text.index).replace(name, to), text[0]);
    end = text.index + text[0].length;
  }
  return [...parts, rule.slice(end).replace(name, to)].join("").replace(quoted, `$1$2${to}$2`);
}

const inTable = (table, from, to) =>
  Object.fromEntries(Object.entries(table).map(([column, name]) => [column, name === from ? to : name]));
