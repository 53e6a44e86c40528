// What a field of each kind is when it is new, and what can be said of it.

import { inLanguage } from "./labels.js";
import { follow, slug, unique } from "./names.js";
import { holdsOthers, node } from "./tree.js";

export const hasAnswer = (type) => type !== "note" && type !== "section";

/** The members of its own that each kind has. */
export const MEMBERS = {
  text: ["minLength", "maxLength", "pattern", "default"],
  textarea: ["maxLength", "default"],
  integer: ["min", "max", "default"],
  decimal: ["min", "max", "default"],
  boolean: ["default"],
  choice: ["options", "default"],
  choices: ["options"],
  lookup: ["datasourceId", "display", "mapping", "filter"],
  rating: ["max"],
  slider: ["min", "max", "step"],
  photo: ["maxFiles"],
  file: ["maxFiles"],
  section: ["page"],
  repeat: ["min", "max"],
};

const EVERYWHERE = ["name", "label", "hint", "visibleIf", "required", "readOnly", "indexed", "validIf", "message", "calculate"];

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

  /** Why a kind cannot be added; "" when it can. */
  missing(type) {
    return type === "lookup" && !this.#datasources.length ? "Requires a data source. There are none yet." : "";
  }

  /** Where one makes what a kind misses; "" when this person may not. */
  remedy(type) {
    return this.missing(type) && this.#mayAddDatasource ? "/datasources/new" : "";
  }

  fresh(type, taken) {
    const label = type === "note" ? "Note text" : type === "section" ? "New section" : this.#names[type];
    const field = { type, name: unique(slug(label, type), taken), label, ...this.#own(type) };
    if (!holdsOthers(type)) return node(field);
    return node(field, [this.fresh("text", new Set([...taken, field.name]))]);
  }

  #own(type) {
    if (type === "choice" || type === "choices") return { options: ["1", "2"].map((n) => ({ value: `option_${n}`, label: `Option ${n}` })) };
    if (type === "lookup") return { datasourceId: this.#datasources[0]?.id };
    return {};
  }

  /** Kinds that a field can become without losing those inside it. */
  beside(type) {
    const alike = Object.keys(this.#names).filter((one) => !this.missing(one) || one === type);
    return holdsOthers(type) ? alike.filter(holdsOthers) : alike.filter((one) => !holdsOthers(one));
  }

  /** The field as another kind: what both know is kept. */
  become(field, type) {
    const kept = [...EVERYWHERE, ...(MEMBERS[type] ?? [])].filter((member) => member in field);
    const members = Object.fromEntries(kept.map((member) => [member, field[member]]));
    if (type !== field.type) delete members.default;
    return { type, ...this.#own(type), ...members };
  }
}

/** A copy of a node with names of its own. */
export function copyOf(one, taken) {
  const renamed = [];
  const copy = copied(one, new Set(taken), renamed);
  return renamed.reduce((whole, [from, to, inRows]) => following(whole, from, to, inRows), copy);
}

function copied(one, taken, renamed, inRows = false) {
  const name = unique(one.field.name.replace(/_\d+$/, ""), taken);
  taken.add(name);
  renamed.push([one.field.name, name, inRows]);
  const within = inRows || one.field.type === "repeat";
  const children = one.children?.map((child) => copied(child, taken, renamed, within)) ?? null;
  return node({ ...structuredClone(one.field), name }, children);
}

// Within a copied group the rules speak of the copies.
const following = (one, from, to, inRows) => ({
  ...one,
  field: follow(one.field, from, to, inRows),
  children: one.children?.map((child) => following(child, from, to, inRows)) ?? null,
});

export const labelOf = (one, language) => inLanguage(one.field.label, language) || one.field.name;
