// What fields of each type can do and which settings they have, and how a field begins, changes its type and is copied.

import { omitOrigin } from "./block_copies.js";
import { FIELD_PRESETS } from "./field_presets.js";
import { localizeLabel } from "./labels.js";
import { renameReferences, slugify, uniqueName } from "./field_names.js";
import { isGroupType, createNode } from "./field_tree.js";

let typesByName = {};
let commonSettings = {};

/** Take over what the server says of each type of fields, and of the settings that all of them have. */
export function loadFieldTypes(page) {
  typesByName = page.types;
  commonSettings = page.commonSettings;
}

/** Return what the server says of a type: `title`, `answerKind`, `canBeTitle` and others, and its own `settings`. */
export const typeTraits = (type) => typesByName[type];

export const hasAnswer = (type) => typesByName[type].answerKind !== "NONE";

export const isNumericType = (type) => ["INTEGER", "DECIMAL"].includes(typesByName[type].answerKind);

/** Return {kind, default, maxLength, …} of a setting, or undefined if fields of the type have none of this name. */
export const typeSetting = (type, name) => typesByName[type].settings[name] ?? commonSettings[name];

/** Whether fields of a type offer the rows of a data source. */
export const isLookupType = (type) => Boolean(typeSetting(type, "datasourceId"));

export class FieldTypes {
  #datasources;
  #mayAddDatasource;

  constructor(page) {
    this.#datasources = page.datasources;
    this.#mayAddDatasource = page.mayAddDatasource;
  }

  title(type) {
    return typesByName[type].title;
  }

  /** Return the groups of the menu, in which each choice is [type, title, icon]. */
  get groups() {
    const choices = [...Object.entries(typesByName), ...Object.entries(FIELD_PRESETS)];
    const names = new Set(choices.map(([, { group }]) => group));
    return [...names].map((name) => ({
      name,
      choices: choices.filter(([, one]) => one.group === name).map(([type, { title, icon }]) => [type, title, icon]),
    }));
  }

  /** Return the types that can be added without the menu. */
  get quickTypes() {
    const shown = Object.keys(typesByName).filter((type) => typesByName[type].buttonPlace);
    return shown.sort((one, other) => typesByName[one].buttonPlace - typesByName[other].buttonPlace);
  }

  /** Return why a type cannot be added, or "" if it can. */
  missingRequirement(type) {
    return typesByName[type] && isLookupType(type) && !this.#datasources.length
      ? "Requires a data source. There are none yet."
      : "";
  }

  /** Return where to create what a type requires, or "" if this user may not. */
  requirementUrl(type) {
    return this.missingRequirement(type) && this.#mayAddDatasource ? "/datasources/new" : "";
  }

  createField(type, taken) {
    if (FIELD_PRESETS[type]) return FIELD_PRESETS[type].create(taken);
    const label = typesByName[type].newLabel || typesByName[type].title;
    const field = { type, name: uniqueName(slugify(label, type), taken), label, ...this.#createRequiredSettings(type) };
    if (!isGroupType(type)) return createNode(field);
    return createNode(field, [this.createField("text", new Set([...taken, field.name]))]);
  }

  #createRequiredSettings(type) {
    if (typeSetting(type, "options"))
      return { options: ["1", "2"].map((n) => ({ value: `option_${n}`, label: `Option ${n}` })) };
    if (isLookupType(type)) return { datasourceId: this.#datasources[0]?.id };
    return {};
  }

  /** Types that a field can be changed to without losing the fields inside it. */
  convertibleTypes(type) {
    const alike = Object.keys(typesByName).filter((one) => !this.missingRequirement(one) || one === type);
    return isGroupType(type) ? alike.filter(isGroupType) : alike.filter((one) => !isGroupType(one));
  }

  /** Return the field as another type, with the settings that both have. */
  convertField(field, type) {
    const shared = Object.keys(field).filter((property) => typeSetting(type, property));
    const properties = Object.fromEntries(shared.map((property) => [property, field[property]]));
    // A default, metadata, and what an imported workbook says about the question, are for the former type.
    if (type !== field.type)
      for (const property of ["default", "metadata", "xlsformColumns"]) delete properties[property];
    return { type, ...this.#createRequiredSettings(type), ...properties };
  }
}

/** Return a copy of a node with new names. */
export function duplicateNode(one, taken) {
  const renamed = [];
  const copy = copyWithNewNames(one, new Set(taken), renamed);
  return renamed.reduce((whole, [from, to, inRows]) => renameInNode(whole, from, to, inRows), copy);
}

function copyWithNewNames(one, taken, renamed, inRows = false) {
  const name = uniqueName(one.field.name.replace(/_\d+$/, ""), taken);
  taken.add(name);
  renamed.push([one.field.name, name, inRows]);
  const within = inRows || one.field.type === "repeat";
  const children = one.children?.map((child) => copyWithNewNames(child, taken, renamed, within)) ?? null;
  // A copy is not linked to the question library: it would be updated with the original.
  return createNode({ ...omitOrigin(structuredClone(one.field)), name }, children);
}

// Rules within a copied group refer to the copies.
const renameInNode = (one, from, to, inRows) => ({
  ...one,
  field: renameReferences(one.field, from, to, inRows),
  children: one.children?.map((child) => renameInNode(child, from, to, inRows)) ?? null,
});

export const fieldLabel = (one, language) => localizeLabel(one.field.label, language) || one.field.name;
