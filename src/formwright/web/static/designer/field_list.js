// The ordered list of fields, as a tree for the keyboard and for screen readers.

import { newerVersion } from "./block_copies.js";
import { el } from "../dom.js";
import { dragging } from "./drag_and_drop.js";
import { icon } from "./icons.js";
import { labelOf, traits } from "./field_types.js";
import { find, walk } from "./field_tree.js";

const MOVES = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "into" };

export class List {
  #store;
  #kinds;
  #does;
  #rows = new Map();

  /** `does`: {move(id, way), place(id, parent, index), duplicate(id), remove(id), open()}. */
  constructor(store, kinds, does) {
    Object.assign(this, {
      element: el("ul", { role: "tree", class: "tree", "aria-label": "Fields", "aria-describedby": "tree-help" }),
    });
    this.#store = store;
    this.#kinds = kinds;
    this.#does = does;
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("click", (event) => this.#clicked(event));
    dragging(this.element, store, does.place);
    store.addEventListener("change", ({ detail }) => (detail.drawn ? this.draw() : this.#refreshChanged()));
    store.addEventListener("choose", () => this.#choose());
    store.addEventListener("faults", () => this.#blame());
    this.draw();
  }

  draw() {
    const focused = this.element.contains(document.activeElement);
    const rows = [...walk(this.#store.nodes)].map((place) => this.#row(place));
    this.#rows = new Map(rows.map((row) => [row.dataset.id, row]));
    this.element.replaceChildren(...rows);
    this.#choose();
    this.#blame();
    if (focused) this.focus();
  }

  /** Draw the chosen field again, and those whose labels name other fields, which may have been renamed. */
  #refreshChanged() {
    const { chosen, language, nodes } = this.#store;
    this.#refresh(chosen);
    for (const { node } of walk(nodes))
      if (node.id !== chosen && labelOf(node, language).includes("{{")) this.#refresh(node.id);
  }

  focus() {
    (this.#rows.get(this.#store.chosen) ?? this.element.firstElementChild)?.focus();
  }

  #row({ node, level, index, count }) {
    const given = {
      role: "treeitem",
      class: `row level-${level}`,
      tabindex: "-1",
      "aria-level": String(level),
      "aria-posinset": String(index + 1),
      "aria-setsize": String(count),
      "aria-expanded": node.children ? "true" : null,
      data: { id: node.id },
    };
    return el("li", given, ...this.#content(node));
  }

  #content(node) {
    const { field } = node;
    const more = [
      this.#kinds.name(field.type),
      field.visibleIf && "conditional",
      field.calculate && "calculated",
      field.hidden && "hidden",
    ];
    return [
      el("span", { class: "grip", "aria-hidden": "true", title: "Drag to move" }),
      icon(traits(field.type).icon),
      el(
        "span",
        { class: "row-text" },
        el("span", { class: "name", text: labelOf(node, this.#store.language) }),
        field.required
          ? el(
              "span",
              { class: "star", title: "Required" },
              el("span", { "aria-hidden": "true", text: " *" }),
              el("span", { class: "visually-hidden", text: ", required" }),
            )
          : null,
        el("span", { class: "visually-hidden", text: ", " }),
        el("span", { class: "kind", text: more.filter(Boolean).join(", ") }),
        newerVersion(field, this.#store.page.blocks) && this.#isRoot(node)
          ? el("span", { class: "badge", text: "Update available" })
          : null,
        el("span", { class: "visually-hidden blame" }),
      ),
    ];
  }

  /** Whether no group around the field comes from the library with it. */
  #isRoot(node) {
    const around = find(this.#store.nodes, node.id)?.parent?.field.block;
    return around?.id !== node.field.block?.id;
  }

  #refresh(id) {
    const node = this.#store.get(id);
    const row = this.#rows.get(id);
    if (!node || !row) return;
    row.replaceChildren(...this.#content(node));
    this.#blame();
  }

  #choose() {
    const { chosen } = this.#store;
    for (const [id, row] of this.#rows) row.setAttribute("aria-selected", String(id === chosen));
    for (const row of this.element.querySelectorAll('[tabindex="0"]')) row.tabIndex = -1;
    const entry = this.#rows.get(chosen) ?? this.element.firstElementChild;
    if (entry) entry.tabIndex = 0;
    this.#rows.get(chosen)?.scrollIntoView({ block: "nearest" });
  }

  #blame() {
    const wrong = new Set(this.#store.faults.map((fault) => fault.id));
    for (const [id, row] of this.#rows) {
      row.classList.toggle("wrong", wrong.has(id));
      row.querySelector(".blame").textContent = wrong.has(id) ? ", has an error" : "";
    }
  }

  #clicked(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    this.#store.choose(row.dataset.id);
    row.focus();
    this.#does.open(false);
  }

  #key(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    if (
      this.#acts(event, row.dataset.id) ||
      (!event.altKey && !event.ctrlKey && !event.metaKey && this.#goes(event.key, row))
    )
      event.preventDefault();
  }

  #acts(event, id) {
    if (event.altKey && MOVES[event.key]) return (this.#does.move(id, MOVES[event.key]), true);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "d") return (this.#does.duplicate(id), true);
    if (event.key === "Delete") return (this.#does.remove(id), true);
    if (event.key === "Enter" || event.key === " ") return (this.#store.choose(id), this.#does.open(true), true);
    return false;
  }

  #goes(key, row) {
    const last = this.element.lastElementChild;
    const goals = {
      ArrowUp: row.previousElementSibling,
      ArrowDown: row.nextElementSibling,
      Home: this.element.firstElementChild,
      End: last,
    };
    const goal = key === "ArrowLeft" ? this.#outer(row) : key === "ArrowRight" ? this.#inner(row) : goals[key];
    if (!goal) return key in goals;
    this.#store.choose(goal.dataset.id);
    goal.focus();
    return true;
  }

  #outer(row) {
    return this.#rows.get(find(this.#store.nodes, row.dataset.id).parent?.id);
  }

  #inner(row) {
    return this.#rows.get(this.#store.get(row.dataset.id).children?.[0]?.id);
  }
}
