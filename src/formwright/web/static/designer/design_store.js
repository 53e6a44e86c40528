// The state of the designer: the fields, the form's settings, the selection, and the undo history.

import { listLanguages } from "./labels.js";
import { renameInRules, renameInProperties } from "./field_names.js";
import { findNode, isInRepeat, listNodes, parseNodes, serializeNodes, updateNode } from "./field_tree.js";

const MAX_UNDO_STEPS = 100;

/**
 * It dispatches "change" (with `drawn: false` if the list of fields looks the same), "select" and "faults". `selectedId` is
 * the id of a node, "form" or null.
 */
export class DesignStore extends EventTarget {
  #past = [];
  #future = [];
  #mergeKey = null;
  // The name by which rules know a field that is temporarily named like something else in them.
  #ruleNames = new Map();

  constructor(page) {
    super();
    this.page = page;
    this.load(page);
    /** @type {string | null} */
    this.selectedId = null;
    /** @type {{id: string | null, property: string, detail: string}[]} */
    this.faults = [];
    this.addedLanguages = new Set();
  }

  load({ fields, settings }) {
    this.nodes = parseNodes(fields);
    this.settings = settings;
    this.#past = [];
    this.#future = [];
  }

  get language() {
    return this.settings.language ?? "en";
  }

  /** The form's default language, then the others. */
  get languages() {
    const used = listLanguages(listNodes(this.nodes).map((node) => node.field));
    for (const text of [this.settings.welcome, this.settings.thanks, ...Object.values(this.settings.buttons ?? {})]) {
      if (typeof text === "object") for (const tag of Object.keys(text)) used.add(tag);
    }
    return [...new Set([this.language, ...[...used, ...this.addedLanguages].sort()])];
  }

  get definition() {
    return { fields: serializeNodes(this.nodes), settings: this.settings };
  }

  /** Names that a new field must not have: existing ones, and those with a meaning in rules. */
  get takenNames() {
    return new Set([...this.fieldNames, ...this.page.reserved]);
  }

  get fieldNames() {
    return new Set(listNodes(this.nodes).map((node) => node.field.name));
  }

  get(id) {
    return findNode(this.nodes, id)?.node ?? null;
  }

  /** Change something. Consecutive changes with the same `merge` are one undo step. */
  applyChange({ nodes = this.nodes, settings = this.settings }, { merge = null, drawn = true } = {}) {
    if (!merge || merge !== this.#mergeKey) this.#past = [...this.#past.slice(-MAX_UNDO_STEPS + 1), this.#snapshot()];
    this.#mergeKey = merge;
    this.#future = [];
    Object.assign(this, { nodes, settings: clearMissingTitle(nodes, settings) });
    this.#notify("change", drawn);
  }

  /** Set a setting of the form, or remove it if `value` is undefined. */
  changeSetting(name, value, options) {
    const { [name]: _, ...settings } = this.settings;
    this.applyChange({ settings: value === undefined ? settings : { ...settings, [name]: value } }, options);
  }

  /** Change one field. `drawn: false` if only its own row, not the list, looks different. */
  editField(id, change, { merge = null, drawn = false } = {}) {
    const nodes = updateNode(this.nodes, id, (one) => ({ ...one, field: change(one.field) }));
    this.applyChange({ nodes }, { merge, drawn });
  }

  /** Rename a field, and update all rules, without passing through a name that means something else in them. */
  renameField(id, to, change = (field) => field, merge = null) {
    const from = this.get(id).field.name;
    const ruleName = this.#ruleNames.get(id) ?? from;
    const isReserved = (name) => this.page.reserved.includes(name);
    if (isReserved(to)) this.#ruleNames.set(id, ruleName);
    else this.#ruleNames.delete(id);
    const inRows = isInRepeat(this.nodes, id);
    const inRules = (field) =>
      isReserved(ruleName) || isReserved(to) ? field : renameInRules(field, ruleName, to, inRows);
    const renameIn = (nodes) =>
      nodes.map((one) => {
        const field = one.id === id ? { ...change(one.field), name: to } : one.field;
        return {
          ...one,
          field: inRules(renameInProperties(field, from, to)),
          children: one.children && renameIn(one.children),
        };
      });
    const settings = this.settings.titleField === from ? { ...this.settings, titleField: to } : this.settings;
    this.applyChange(
      {
        nodes:
          from === to
            ? updateNode(this.nodes, id, (one) => ({ ...one, field: change(one.field) }))
            : renameIn(this.nodes),
        settings,
      },
      { merge, drawn: false },
    );
  }

  select(id) {
    this.selectedId = id;
    this.#mergeKey = null;
    this.#notify("select");
  }

  setFaults(faults) {
    this.faults = faults;
    this.#notify("faults");
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  undo() {
    if (!this.canUndo) return;
    this.#future.push(this.#snapshot());
    this.#restore(this.#past.pop());
  }

  redo() {
    if (!this.canRedo) return;
    this.#past.push(this.#snapshot());
    this.#restore(this.#future.pop());
  }

  #snapshot() {
    return { nodes: this.nodes, settings: this.settings, selectedId: this.selectedId };
  }

  #restore(state) {
    this.#mergeKey = null;
    this.#ruleNames.clear();
    Object.assign(this, state);
    if (this.selectedId !== "form" && !this.get(this.selectedId)) this.selectedId = null;
    this.#notify("change", true);
    this.#notify("select");
  }

  #notify(type, drawn = false) {
    this.dispatchEvent(new CustomEvent(type, { detail: { drawn } }));
  }
}

/** Forget the field whose answer is the title of submissions when it is deleted. */
function clearMissingTitle(nodes, settings) {
  const { titleField, ...others } = settings;
  if (!titleField || listNodes(nodes).some((node) => node.field.name === titleField)) return settings;
  return others;
}
