// The initial state of each field type, and the settings it has.

import { withoutBlock } from "./blocks.js";
import { inLanguage } from "./labels.js";
import { follow, slug, unique } from "./field_names.js";
import { holdsOthers, node } from "./field_tree.js";

/** The types whose answer is a number. */
export const NUMBERS = ["integer", "decimal", "rating", "slider", "nps"];

export const looksUp = (type) => type === "lookup" || type === "lookups";

let types = {};
let common = [];

/** Take over what the server says that fields of each type can do, and which settings they have. */
export function loadFieldTypes(page) {
  types = page.types;
  common = page.commonSettings;
}

/** Return what fields of a type can do: `hasAnswer`, `canBeTitle` and others, and its own `settings`. */
export const traits = (type) => types[type];

export const hasAnswer = (type) => types[type].hasAnswer;

/** Whether fields of a type have a setting of this name, beside those that all fields have. */
export const hasSetting = (type, name) => types[type].settings.includes(name);

export class Kinds {
  #names;
  #datasources;
  #mayAddDatasource;

  constructor(page) {
    this.groups = page.groups;
    this.#names = Object.fromEntries(page.groups.flatMap((group) => group.kinds));
    this.#datasources = page.datasources;
    this.#mayAddDatasource = page.mayAddDatasource;
  }

  name(type) {
    return this.#names[type];
  }

  /** Return why a type cannot be added, or "" if it can. */
  missing(type) {
    return looksUp(type) && !this.#datasources.length ? "Requires a data source. There are none yet." : "";
  }

  /** Return where to create what a type requires, or "" if this user may not. */
  remedy(type) {
    return this.missing(type) && this.#mayAddDatasource ? "/datasources/new" : "";
  }

  fresh(type, taken) {
    if (COMPOSED[type]) return COMPOSED[type](taken);
    const label = type === "note" ? "Note text" : type === "section" ? "New section" : this.#names[type];
    const field = { type, name: unique(slug(label, type), taken), label, ...this.#own(type) };
    if (!holdsOthers(type)) return node(field);
    return node(field, [this.fresh("text", new Set([...taken, field.name]))]);
  }

  #own(type) {
    if (hasSetting(type, "options")) return { options: ["1", "2"].map((n) => ({ value: `option_${n}`, label: `Option ${n}` })) };
    if (looksUp(type)) return { datasourceId: this.#datasources[0]?.id };
    return {};
  }

  /** Types that a field can be changed to without losing the fields inside it. */
  beside(type) {
    const alike = Object.keys(this.#names).filter((one) => !this.missing(one) || one === type);
    return holdsOthers(type) ? alike.filter(holdsOthers) : alike.filter((one) => !holdsOthers(one));
  }

  /** Return the field as another type, with the settings that both have. */
  become(field, type) {
    const kept = [...common, ...types[type].settings].filter((member) => member in field);
    const members = Object.fromEntries(kept.map((member) => [member, field[member]]));
    // A default, metadata, and what an imported workbook says about the question, are for the former type.
    if (type !== field.type) for (const member of ["default", "metadata", "xlsformColumns"]) delete members[member];
    return { type, ...this.#own(type), ...members };
  }
}

const DEGREES = ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"];

const degrees = () => DEGREES.map((label) => ({ value: slug(label, "option"), label }));

/** Fields with settings, and sections of several fields, that people look for under a name of their own. */
const COMPOSED = { matrix, likert, consent, period };

/** Return a function that gives a field a name that is not taken. */
function naming(taken) {
  const names = new Set(taken);
  return (rest, base) => {
    const name = unique(base, names);
    names.add(name);
    return { ...rest, name };
  };
}

function likert(taken) {
  return node(naming(taken)({ type: "choice", label: "Likert scale", options: degrees(), likert: true }, "likert"));
}

/** A text, the agreement to it, and a signature. */
function consent(taken) {
  const field = naming(taken);
  const section = field({ type: "section", label: "Consent" }, "consent");
  const parts = [
    field({ type: "note", label: "What people agree to" }, "consent_text"),
    field({ type: "boolean", label: "Agreement", agreement: true, required: true }, "agreed"),
    field({ type: "signature", label: "Signature" }, "consent_signature"),
  ];
  return node(section, parts.map((one) => node(one)));
}

/** Two dates, the second of which is not before the first. */
function period(taken) {
  const field = naming(taken);
  const section = field({ type: "section", label: "Period" }, "period");
  const start = field({ type: "date", label: "From" }, "from_date");
  const end = field({ type: "date", label: "Until", message: "This is before the first date." }, "until_date");
  end.validIf = `!answered.${start.name} || ${end.name} >= ${start.name}`;
  return node(section, [node(start), node(end)]);
}

/** A section that is shown as a table: statements, and how far people agree. */
function matrix(taken) {
  const options = degrees();
  const field = naming(taken);
  const section = field({ type: "section", label: "New matrix", table: true }, "matrix");
  const rows = [1, 2].map((number) => node(field({ type: "choice", label: `Statement ${number}`, options }, `statement_${number}`)));
  return node(section, rows);
}

/** Return a copy of a node with new names. */
export function copyOf(one, taken) {
  const renamed = [];
  const copy = copyNode(one, new Set(taken), renamed);
  return renamed.reduce((whole, [from, to, inRows]) => following(whole, from, to, inRows), copy);
}

function copyNode(one, taken, renamed, inRows = false) {
  const name = unique(one.field.name.replace(/_\d+$/, ""), taken);
  taken.add(name);
  renamed.push([one.field.name, name, inRows]);
  const within = inRows || one.field.type === "repeat";
  const children = one.children?.map((child) => copyNode(child, taken, renamed, within)) ?? null;
  // A copy is not linked to the question library: it would be updated with the original.
  return node({ ...withoutBlock(structuredClone(one.field)), name }, children);
}

// Rules within a copied group refer to the copies.
const following = (one, from, to, inRows) => ({
  ...one,
  field: follow(one.field, from, to, inRows),
  children: one.children?.map((child) => following(child, from, to, inRows)) ?? null,
});

export const labelOf = (one, language) => inLanguage(one.field.label, language) || one.field.name;
