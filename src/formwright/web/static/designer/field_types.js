// What fields of each type can do and which settings they have, and how a field begins, changes its type and is copied.

import { withoutBlock } from "./block_copies.js";
import { COMPOSED } from "./field_presets.js";
import { inLanguage } from "./labels.js";
import { follow, slug, unique } from "./field_names.js";
import { holdsOthers, node } from "./field_tree.js";

let types = {};
let common = {};

/** Take over what the server says of each type of fields, and of the settings that all of them have. */
export function loadFieldTypes(page) {
  types = page.types;
  common = page.commonSettings;
}

/** Return what the server says of a type: `title`, `answerKind`, `canBeTitle` and others, and its own `settings`. */
export const traits = (type) => types[type];

export const hasAnswer = (type) => types[type].answerKind !== "NONE";

export const isNumber = (type) => ["INTEGER", "DECIMAL"].includes(types[type].answerKind);

/** Return {kind, default, maxLength, …} of a setting, or undefined if fields of the type have none of this name. */
export const settingOf = (type, name) => types[type].settings[name] ?? common[name];

/** Whether fields of a type offer the rows of a data source. */
export const looksUp = (type) => Boolean(settingOf(type, "datasourceId"));

export class Kinds {
  #datasources;
  #mayAddDatasource;

  constructor(page) {
    this.#datasources = page.datasources;
    this.#mayAddDatasource = page.mayAddDatasource;
  }

  name(type) {
    return types[type].title;
  }

  /** Return the groups of the menu, in which each choice is [type, title, icon]. */
  get groups() {
    const choices = [...Object.entries(types), ...Object.entries(COMPOSED)];
    const names = new Set(choices.map(([, { group }]) => group));
    return [...names].map((name) => ({
      name,
      choices: choices.filter(([, one]) => one.group === name).map(([type, { title, icon }]) => [type, title, icon]),
    }));
  }

  /** Return the types that can be added without the menu. */
  get common() {
    const placed = Object.keys(types).filter((type) => types[type].buttonPlace);
    return placed.sort((one, other) => types[one].buttonPlace - types[other].buttonPlace);
  }

  /** Return why a type cannot be added, or "" if it can. */
  missing(type) {
    return types[type] && looksUp(type) && !this.#datasources.length
      ? "Requires a data source. There are none yet."
      : "";
  }

  /** Return where to create what a type requires, or "" if this user may not. */
  remedy(type) {
    return this.missing(type) && this.#mayAddDatasource ? "/datasources/new" : "";
  }

  fresh(type, taken) {
    if (COMPOSED[type]) return COMPOSED[type].create(taken);
    const label = types[type].newLabel || types[type].title;
    const field = { type, name: unique(slug(label, type), taken), label, ...this.#own(type) };
    if (!holdsOthers(type)) return node(field);
    return node(field, [this.fresh("text", new Set([...taken, field.name]))]);
  }

  #own(type) {
    if (settingOf(type, "options"))
      return { options: ["1", "2"].map((n) => ({ value: `option_${n}`, label: `Option ${n}` })) };
    if (looksUp(type)) return { datasourceId: this.#datasources[0]?.id };
    return {};
  }

  /** Types that a field can be changed to without losing the fields inside it. */
  beside(type) {
    const alike = Object.keys(types).filter((one) => !this.missing(one) || one === type);
    return holdsOthers(type) ? alike.filter(holdsOthers) : alike.filter((one) => !holdsOthers(one));
  }

  /** Return the field as another type, with the settings that both have. */
  become(field, type) {
    const kept = Object.keys(field).filter((member) => settingOf(type, member));
    const members = Object.fromEntries(kept.map((member) => [member, field[member]]));
    // A default, metadata, and what an imported workbook says about the question, are for the former type.
    if (type !== field.type) for (const member of ["default", "metadata", "xlsformColumns"]) delete members[member];
    return { type, ...this.#own(type), ...members };
  }
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
