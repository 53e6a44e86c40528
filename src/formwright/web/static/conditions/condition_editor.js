// Edits a rule that is true or false: as conditions that read like sentences, or as code. It knows neither the form nor the
// page that it is part of, so that everything with such rules can use it.

import { announce, createButton, createElement, createSelect, query } from "../dom.js";
import { readConditions, writeConditions } from "./condition_code.js";
import { chooseSubject, createRowElement, findRowError, isComplete, showRowFault } from "./condition_row.js";
import { createRuleCode } from "./rule_code.js";

const JOINS = { all: "All of these are true", any: "At least one of these is true" };
const OTHER_JOIN = { all: "any", any: "all" };
const MISSING_HINT = "Without an answer, only conditions with “not” are true.";

let isPressed = false;
addEventListener("pointerdown", () => (isPressed = true), { capture: true });
addEventListener("pointerup", () => (isPressed = false), { capture: true });

/** A message that appears while a button below is pressed would move the button away. */
function runAfterPress(act) {
  if (!isPressed) return act();
  addEventListener("pointerup", () => setTimeout(act), { once: true });
}

/**
 * - `listSubjects()` returns what conditions can be about, `initialName` what a first one is about.
 * - `explainMissing(name)` says why none of them has this name, and what to do.
 * - `change(rule, step)` receives each changed rule, and "" if there is none. Those with the same `step`, such as the letters of a
 *   value, are one change.
 * - `labelId` is the id of the element with the title; `createCodeAids(area)` returns what helps to write code.
 * @typedef {{rule: string, labelId: string, listSubjects: () => import("./value_inputs.js").Subject[],
 *   explainMissing: (name: string) => string, change: (rule: string, step: string | null) => void, initialName?: string, maxLength?: number,
 *   createCodeAids?: (area: HTMLTextAreaElement) => Node[]}} Settings
 */

export class ConditionEditor {
  /** @type {Settings} */
  #settings;
  #rule;
  #isCode = false;
  #isChanging = false;
  /** @type {import("./condition_code.js").Conditions} */
  #conditions;
  // What the rows came to last. A rule that nobody has changed stays as it was written.
  #written;
  #subjects = [];
  #elements = new Map();
  // Rows that somebody has left. Before, an incomplete one is no mistake.
  #left = new Set();

  /** @param {Settings} settings */
  constructor(settings) {
    this.#settings = settings;
    this.element = createElement("div", { class: "conditions", role: "group", "aria-labelledby": settings.labelId });
    this.#load(settings.rule);
    if (!this.#isCode && !this.#conditions.items.length)
      this.#conditions.items.push(this.#createRow(settings.initialName));
    this.#draw();
  }

  /** Show a rule that was changed elsewhere, and the fields as they are now. */
  update(rule) {
    if (this.#isChanging) return;
    const isOther = rule !== this.#rule;
    if (isOther) this.#load(rule);
    if (isOther || !this.element.contains(document.activeElement)) this.#draw();
  }

  focus() {
    query("select, input, textarea", HTMLElement, this.element)?.focus();
  }

  #load(rule) {
    this.#rule = rule;
    const conditions = readConditions(rule);
    this.#isCode ||= !conditions;
    this.#conditions = conditions ?? { join: "all", items: [] };
    this.#written = writeConditions(this.#conditions);
    this.#left.clear();
  }

  #draw() {
    this.#subjects = this.#settings.listSubjects();
    this.#elements.clear();
    this.element.replaceChildren(...(this.#isCode ? this.#createCode() : this.#createConditions()));
    this.#showFaults();
  }

  #createCode() {
    return createRuleCode(this.#rule, {
      ...this.#settings,
      names: this.#subjects.map(({ name }) => name),
      change: (rule) => this.#setRule(rule, "code"),
      close: () => {
        this.#isCode = false;
        this.#load(this.#rule);
        this.#draw();
        this.focus();
      },
    });
  }

  #createConditions() {
    const { join, items } = this.#conditions;
    const choose = (value) => {
      this.#conditions.join = value;
      this.#save();
      this.#draw();
      query(".join", HTMLElement, this.element).focus();
    };
    const joinSelect = createSelect(Object.entries(JOINS), join, choose, { class: "join", "aria-label": "How many" });
    const editCode = () => {
      this.#isCode = true;
      this.#draw();
      this.focus();
    };
    return [
      ...(items.length > 1 ? [joinSelect] : []),
      createElement("div", { class: "condition-list" }, ...items.map((item, index) => this.#createItem(item, index))),
      createElement(
        "div",
        { class: "actions" },
        createButton("Add condition", () => this.#add(items)),
        items.length ? createButton("Add group", () => this.#addGroup()) : null,
        createButton("Edit as code", editCode),
      ),
      createElement("p", { class: "help", text: MISSING_HINT }),
    ];
  }

  #createItem(item, index) {
    const { join, items } = this.#conditions;
    const label = `Condition ${index + 1}`;
    if (!("rows" in item)) return this.#createRowItem(item, items, label);
    const rows = item.rows.map((row, place) => this.#createRowItem(row, item.rows, `${label}.${place + 1}`));
    const title = JOINS[OTHER_JOIN[join]];
    return createElement(
      "div",
      { class: "condition-group", role: "group", "aria-label": `${label}: ${title}` },
      createElement("p", { text: title }),
      createElement("div", { class: "condition-list" }, ...rows),
      createButton("Add to group", () => this.#add(item.rows)),
    );
  }

  #createRowItem(row, rows, label) {
    const actions = {
      label,
      remove: () => this.#remove(row, rows),
      changed: (isTyped) => {
        this.#save(isTyped ? label : null);
        this.#showFaults();
      },
    };
    const element = createRowElement(row, this.#subjects, actions);
    element.addEventListener("focusout", (event) => {
      if (event.relatedTarget instanceof Node && element.contains(event.relatedTarget)) return;
      runAfterPress(() => {
        // A row that is removed, or drawn again, has not been left.
        if (!element.isConnected) return;
        this.#left.add(row);
        this.#showFaults();
      });
    });
    this.#elements.set(row, element);
    return element;
  }

  #createRow(name = "") {
    const row = { name: "", operator: "", value: undefined };
    const subject = this.#settings.listSubjects().find((one) => one.name === name);
    if (subject) chooseSubject(row, subject);
    return row;
  }

  #addGroup() {
    const rows = [];
    this.#conditions.items.push({ rows });
    this.#add(rows);
  }

  #add(rows) {
    const row = this.#createRow();
    rows.push(row);
    this.#draw();
    query("select, input", HTMLElement, this.#elements.get(row)).focus();
  }

  #remove(row, rows) {
    const index = rows.indexOf(row);
    rows.splice(index, 1);
    const { items } = this.#conditions;
    this.#conditions.items = items.filter((item) => !("rows" in item) || item.rows.length);
    this.#save();
    this.#draw();
    const next = this.#elements.get(rows[Math.min(index, rows.length - 1)]);
    query(next ? "select, input" : ".actions button", HTMLElement, next ?? this.element).focus();
    announce("Condition removed");
  }

  /** Changes with the same `step` can be undone together. */
  #save(step = null) {
    const { join, items } = this.#conditions;
    const complete = items.map((item) => ("rows" in item ? { rows: item.rows.filter(isComplete) } : item));
    const rule = writeConditions({ join, items: complete.filter((item) => "rows" in item || isComplete(item)) });
    if (rule === this.#written) return;
    this.#written = rule;
    this.#setRule(rule, step);
  }

  #setRule(rule, step) {
    this.#rule = rule;
    this.#isChanging = true;
    this.#settings.change(rule, step);
    this.#isChanging = false;
  }

  #showFaults() {
    for (const [row, element] of this.#elements) {
      const subject = this.#subjects.find(({ name }) => name === row.name);
      const error = findRowError(row, subject, this.#settings.explainMissing);
      showRowFault(element, isComplete(row) || row.refusal || this.#left.has(row) ? error : null);
    }
  }
}
