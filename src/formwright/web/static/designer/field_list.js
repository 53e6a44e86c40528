// The ordered list of fields, as a tree for the keyboard and for screen readers.

import { newerVersion } from "./block_copies.js";
import { closest, createElement, queryAll } from "../dom.js";
import { enableDragAndDrop } from "./drag_and_drop.js";
import { createIcon } from "./icons.js";
import { fieldLabel, typeTraits } from "./field_types.js";
import { findNode, walkNodes } from "./field_tree.js";

const MOVE_KEYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "into" };

export class FieldList {
  #store;
  #fieldTypes;
  #actions;
  #rows = new Map();

  /**
   * @param {import("./design_store.js").DesignStore} store
   * @param {import("./field_types.js").FieldTypes} fieldTypes
   * @param {ReturnType<import("./field_actions.js").createFieldActions> & {openPanel: (enter: boolean) => void}} actions
   */
  constructor(store, fieldTypes, actions) {
    const labels = { "aria-label": "Fields", "aria-describedby": "tree-help" };
    this.element = createElement("ul", { role: "tree", class: "tree", ...labels });
    this.#store = store;
    this.#fieldTypes = fieldTypes;
    this.#actions = actions;
    this.element.addEventListener("keydown", (event) => this.#handleKey(event));
    this.element.addEventListener("click", (event) => this.#handleClick(event));
    enableDragAndDrop(this.element, store, actions.moveTo);
    store.addEventListener("change", (/** @type {CustomEvent} */ { detail }) =>
      detail.drawn ? this.draw() : this.#refreshChangedRows(),
    );
    store.addEventListener("select", () => this.#showSelection());
    store.addEventListener("faults", () => this.#showFaults());
    this.draw();
  }

  draw() {
    const focused = this.element.contains(document.activeElement);
    const rows = [...walkNodes(this.#store.nodes)].map((position) => this.#createRow(position));
    this.#rows = new Map(rows.map((row) => [row.dataset.id, row]));
    this.element.replaceChildren(...rows);
    this.#showSelection();
    this.#showFaults();
    if (focused) this.focus();
  }

  get #firstRow() {
    return /** @type {HTMLElement | null} */ (this.element.firstElementChild);
  }

  /** Draw the selected field again, and those whose labels name other fields, which may have been renamed. */
  #refreshChangedRows() {
    const { selectedId, language, nodes } = this.#store;
    this.#refreshRow(selectedId);
    for (const { node } of walkNodes(nodes))
      if (node.id !== selectedId && fieldLabel(node, language).includes("{{")) this.#refreshRow(node.id);
  }

  focus() {
    (this.#rows.get(this.#store.selectedId) ?? this.#firstRow)?.focus();
  }

  #createRow({ node, level, index, count }) {
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
    return createElement("li", given, ...this.#createRowContent(node));
  }

  #createRowContent(node) {
    const { field } = node;
    const more = [
      this.#fieldTypes.title(field.type),
      field.visibleIf && "conditional",
      field.calculate && "calculated",
      field.hidden && "hidden",
    ];
    return [
      createElement("span", { class: "grip", "aria-hidden": "true", title: "Drag to move" }),
      createIcon(typeTraits(field.type).icon),
      createElement(
        "span",
        { class: "row-text" },
        createElement("bdi", { class: "name", text: fieldLabel(node, this.#store.language) }),
        field.required
          ? createElement(
              "span",
              { class: "star", title: "Required" },
              createElement("span", { "aria-hidden": "true", text: " *" }),
              createElement("span", { class: "visually-hidden", text: ", required" }),
            )
          : null,
        createElement("span", { class: "visually-hidden", text: ", " }),
        createElement("span", { class: "kind", text: more.filter(Boolean).join(", ") }),
        newerVersion(field, this.#store.page.blocks) && this.#isRoot(node)
          ? createElement("span", { class: "badge", text: "Update available" })
          : null,
        createElement("span", { class: "visually-hidden blame" }),
      ),
    ];
  }

  /** Whether no group around the field comes from the library with it. */
  #isRoot(node) {
    const around = findNode(this.#store.nodes, node.id)?.parent?.field.block;
    return around?.id !== node.field.block?.id;
  }

  #refreshRow(id) {
    const node = this.#store.get(id);
    const row = this.#rows.get(id);
    if (!node || !row) return;
    row.replaceChildren(...this.#createRowContent(node));
    this.#showFaults();
  }

  #showSelection() {
    const { selectedId } = this.#store;
    for (const [id, row] of this.#rows) row.setAttribute("aria-selected", String(id === selectedId));
    for (const row of queryAll('[tabindex="0"]', HTMLElement, this.element)) row.tabIndex = -1;
    const entry = this.#rows.get(selectedId) ?? this.#firstRow;
    if (entry) entry.tabIndex = 0;
    this.#rows.get(selectedId)?.scrollIntoView({ block: "nearest" });
  }

  #showFaults() {
    const faulty = new Set(this.#store.faults.map((fault) => fault.id));
    for (const [id, row] of this.#rows) {
      row.classList.toggle("wrong", faulty.has(id));
      row.querySelector(".blame").textContent = faulty.has(id) ? ", has an error" : "";
    }
  }

  #handleClick(event) {
    const row = closest(event, ".row");
    if (!row) return;
    this.#store.select(row.dataset.id);
    row.focus();
    this.#actions.openPanel(false);
  }

  #handleKey(event) {
    const row = closest(event, ".row");
    if (!row) return;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey;
    if (this.#runShortcut(event, row.dataset.id) || (!hasModifier && this.#moveFocus(event.key, row)))
      event.preventDefault();
  }

  /** Return whether the key is a shortcut. */
  #runShortcut(event, id) {
    const { key } = event;
    if (event.altKey && MOVE_KEYS[key]) this.#actions.move(id, MOVE_KEYS[key]);
    else if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "d") this.#actions.duplicate(id);
    else if (key === "Delete") this.#actions.remove(id);
    else if (key === "Enter" || key === " ") {
      this.#store.select(id);
      this.#actions.openPanel(true);
    } else return false;
    return true;
  }

  #moveFocus(key, row) {
    const targets = {
      ArrowUp: row.previousElementSibling,
      ArrowDown: row.nextElementSibling,
      Home: this.#firstRow,
      End: this.element.lastElementChild,
    };
    const target =
      key === "ArrowLeft"
        ? this.#findParentRow(row)
        : key === "ArrowRight"
          ? this.#findFirstChildRow(row)
          : targets[key];
    if (!target) return key in targets;
    this.#store.select(target.dataset.id);
    target.focus();
    return true;
  }

  #findParentRow(row) {
    return this.#rows.get(findNode(this.#store.nodes, row.dataset.id).parent?.id);
  }

  #findFirstChildRow(row) {
    return this.#rows.get(this.#store.get(row.dataset.id).children?.[0]?.id);
  }
}
