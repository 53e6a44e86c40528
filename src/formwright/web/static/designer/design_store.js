// The state of the designer: the fields, the form's settings, the selection, and the undo history.

import { languagesIn } from "./labels.js";
import { followRules, followTables } from "./field_names.js";
import * as tree from "./field_tree.js";

const STEPS = 100;

export class Store extends EventTarget {
  #past = [];
  #future = [];
  #merged = null;
  // The name by which rules know a field that is temporarily named like something else in them.
  #spoken = new Map();

  constructor(page) {
    super();
    this.page = page;
    this.load(page);
    this.chosen = null;
    this.faults = [];
    this.added = new Set();
  }

  load({ fields, settings }) {
    this.nodes = tree.read(fields);
    this.settings = settings;
    this.#past = [];
    this.#future = [];
  }

  get language() {
    return this.settings.language ?? "en";
  }

  /** The form's default language, then the others. */
  get languages() {
    const used = languagesIn([...tree.walk(this.nodes)].map(({ node }) => node.field));
    for (const text of [this.settings.welcome, this.settings.thanks]) {
      if (typeof text === "object") Object.keys(text).forEach((tag) => used.add(tag));
    }
    return [...new Set([this.language, ...[...used, ...this.added].sort()])];
  }

  get document() {
    return { fields: tree.write(this.nodes), settings: this.settings };
  }

  /** Names that a new field must not have: existing ones, and those with a meaning in rules. */
  get taken() {
    return new Set([...this.names, ...this.page.reserved]);
  }

  get names() {
    return new Set([...tree.walk(this.nodes)].map(({ node }) => node.field.name));
  }

  get(id) {
    return tree.find(this.nodes, id)?.node ?? null;
  }

  /** Change something. Consecutive changes with the same `merge` are one undo step. */
  change({ nodes = this.nodes, settings = this.settings }, { merge = null, drawn = true } = {}) {
    if (!merge || merge !== this.#merged) this.#past = [...this.#past.slice(-STEPS + 1), this.#state()];
    this.#merged = merge;
    this.#future = [];
    Object.assign(this, { nodes, settings: withoutGoneTitle(nodes, settings) });
    this.#tell("change", drawn);
  }

  /** Change one field. `drawn: false` if only its own row, not the list, looks different. */
  edit(id, change, { merge = null, drawn = false } = {}) {
    const nodes = tree.update(this.nodes, id, (one) => ({ ...one, field: change(one.field) }));
    this.change({ nodes }, { merge, drawn });
  }

  /** Rename a field, and update all rules, without passing through a name that means something else in them. */
  rename(id, to, change = (field) => field, merge = null) {
    const from = this.get(id).field.name;
    const spoken = this.#spoken.get(id) ?? from;
    const meant = (name) => this.page.reserved.includes(name);
    if (meant(to)) this.#spoken.set(id, spoken);
    else this.#spoken.delete(id);
    const inRows = tree.inRepeat(this.nodes, id);
    const inRules = (field) => (meant(spoken) || meant(to) ? field : followRules(field, spoken, to, inRows));
    const into = (nodes) =>
      nodes.map((one) => {
        const field = one.id === id ? { ...change(one.field), name: to } : one.field;
        return { ...one, field: inRules(followTables(field, from, to)), children: one.children && into(one.children) };
      });
    const settings = this.settings.titleField === from ? { ...this.settings, titleField: to } : this.settings;
    this.change(
      {
        nodes:
          from === to ? tree.update(this.nodes, id, (one) => ({ ...one, field: change(one.field) })) : into(this.nodes),
        settings,
      },
      { merge, drawn: false },
    );
  }

  choose(id) {
    this.chosen = id;
    this.#merged = null;
    this.#tell("choose");
  }

  blame(faults) {
    this.faults = faults;
    this.#tell("faults");
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  undo() {
    if (!this.canUndo) return;
    this.#future.push(this.#state());
    this.#restore(this.#past.pop());
  }

  redo() {
    if (!this.canRedo) return;
    this.#past.push(this.#state());
    this.#restore(this.#future.pop());
  }

  #state() {
    return { nodes: this.nodes, settings: this.settings, chosen: this.chosen };
  }

  #restore(state) {
    this.#merged = null;
    this.#spoken.clear();
    Object.assign(this, state);
    if (this.chosen !== "form" && !this.get(this.chosen)) this.chosen = null;
    this.#tell("change", true);
    this.#tell("choose");
  }

  #tell(what, drawn = false) {
    this.dispatchEvent(new CustomEvent(what, { detail: { drawn } }));
  }
}

/** Forget the field whose answer is the title of submissions when it is deleted. */
function withoutGoneTitle(nodes, settings) {
  const { titleField, ...others } = settings;
  if (!titleField || [...tree.walk(nodes)].some(({ node }) => node.field.name === titleField)) return settings;
  return others;
}
