// For which answers to another question an option is shown: the other question, and a list beside each option.

import { announce, createButton, createElement, createSelect, query, uniqueId } from "../dom.js";
import { foldText } from "../fold_text.js";
import {
  countOtherColumns,
  findShownFor,
  listAncestorNames,
  readCascade,
  readShownFor,
  removeCascade,
  writeCascade,
} from "./cascade.js";
import { listVisibleFields } from "./field_pickers.js";
import { fieldLabel, typeSetting, typeTraits } from "./field_types.js";
import { findNode, listNodes } from "./field_tree.js";
import { optionLabel } from "./labels.js";
import { createRow } from "./setting_rows.js";

const OWN_RULE = "rule";
/** A list with more options can be searched. */
const MAX_UNSEARCHED = 8;
const MAX_NAMED = 3;

/** @param {import("./field_editor.js").FieldEditor} editor */
export function canDepend({ store, id, field }) {
  // The rows of a table have the same options.
  return Boolean(typeSetting(field.type, "optionFilter")) && !findNode(store.nodes, id)?.parent?.field.table;
}

/** Return the questions on which the options of this one can depend, those before it first. */
export function listParents(editor) {
  const { store, id, field } = editor;
  const ids = listNodes(store.nodes).map((node) => node.id);
  const isAfter = (node) => Number(ids.indexOf(node.id) > ids.indexOf(id));
  const fields = new Map(listNodes(store.nodes).map((node) => [node.field.name, node.field]));
  const isIndependent = (node) => !listAncestorNames(fields, node.field).includes(field.name);
  return listVisibleFields(editor)
    .filter((node) => node.id !== id && isChoiceNode(node) && isIndependent(node))
    .sort((one, other) => isAfter(one) - isAfter(other));
}

const isChoiceNode = ({ field }) => typeTraits(field.type).isChoice && Boolean(field.options);

export const toParent = ({ field }) => ({
  name: field.name,
  isList: typeTraits(field.type).answerKind === "CHOICES",
});

/** The question on which the options of the field depend: its node, or null. */
export function findParent(editor) {
  const cascade = readCascade(editor.field);
  return cascade ? (listParents(editor).find((node) => node.field.name === cascade.parent) ?? null) : null;
}

/** Return for how many answers an option can be shown: each needs a column. */
export const countMaxShownFor = ({ field, store }) =>
  store.page.optionSettings.columns.maxItems - countOtherColumns(field);

/** The choice of the other question; `draw` shows the options again. null if there is none. */
export function createDependencyRow(editor, draw) {
  const { store } = editor;
  const cascade = readCascade(editor.field);
  const parents = canDepend(editor) ? listParents(editor) : [];
  if (!parents.length && !cascade) return null;
  const parent = findParent(editor);
  const isOwnRule = Boolean(editor.field.optionFilter) && !cascade;
  const other = cascade && !parent && listNodes(store.nodes).find((node) => node.field.name === cascade.parent);
  const choices = [
    ["", "No other question"],
    ...(isOwnRule ? [[OWN_RULE, "A rule of your own, see Rules"]] : []),
    ...(other ? [[cascade.parent, fieldLabel(other, store.language)]] : []),
    ...(cascade && !parent && !other ? [[cascade.parent, `${cascade.parent} (removed)`]] : []),
    ...parents.map((node) => [node.field.name, fieldLabel(node, store.language)]),
  ];
  const select = createSelect(choices, isOwnRule ? OWN_RULE : (cascade?.parent ?? ""), (name) => {
    if (name === OWN_RULE) return;
    changeParent(
      editor,
      parents.find((node) => node.field.name === name),
    );
    draw();
    query('[data-property="optionFilter"] select', HTMLElement)?.focus();
  });
  return createRow(
    "optionFilter",
    "Options depend on",
    select,
    describeDependency(cascade, parent ?? other, store, Boolean(parent)),
  );
}

function describeDependency(cascade, node, { language }, hasOptions) {
  if (!cascade) return "";
  if (!node)
    return `The question “${cascade.parent}” is not in this form. Choose another one, or none to always show all options.`;
  const label = fieldLabel(node, language);
  if (hasOptions) return `Say below for which answers to “${label}” each option is shown.`;
  return `“${label}” has no options to choose from. An option is shown if its column is the answer: see “Edit as text”.`;
}

function changeParent(editor, node) {
  const change = (field) => {
    const plain = removeCascade(field);
    if (!node) return plain;
    const values = new Set(node.field.options.map(({ value }) => value));
    const shownFor = findShownFor(plain, { name: node.field.name, values }) ?? plain.options.map(() => null);
    return writeCascade(plain, toParent(node), shownFor);
  };
  editor.store.editField(editor.id, change);
  announce(node ? "Say for each option when it is shown." : "All options are always shown.");
}

/**
 * The button and the list of one option, and `close()`. `isOpened` is called before the list opens, to close another one.
 * @param {import("./field_editor.js").FieldEditor} editor
 */
export function createShownFor(editor, index, parent, isOpened) {
  const { language } = editor.store;
  const choices = parent.field.options.map((option) => ({ value: option.value, label: optionLabel(option, language) }));
  const id = uniqueId("shown-for");
  const read = () => readShownFor(editor.field.options[index], readCascade(editor.field));
  const list = createElement("div", { id, class: "shown-for", role: "group", hidden: true });
  const button = createButton("", () => (list.hidden ? open() : close()), {
    class: "quiet small shown-for-button",
    "aria-expanded": "false",
    "aria-controls": id,
  });
  const showSummary = () => {
    button.textContent = `Shown for: ${describeShownFor(read(), choices)}`;
    button.setAttribute("aria-label", `${button.textContent} (option ${index + 1})`);
  };
  function open() {
    isOpened(close);
    list.setAttribute("aria-label", `Option ${index + 1} is shown for`);
    list.replaceChildren(...createChoiceList(editor, index, choices, read, parent, showSummary));
    list.hidden = false;
    button.setAttribute("aria-expanded", "true");
    query("input", HTMLElement, list).focus();
  }
  function close() {
    list.hidden = true;
    list.replaceChildren();
    button.setAttribute("aria-expanded", "false");
  }
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    close();
    button.focus();
  });
  showSummary();
  return [button, list];
}

function describeShownFor(values, choices) {
  if (values === null) return "all";
  if (!values.length) return "none";
  if (values.length > MAX_NAMED) return `${values.length} of ${choices.length}`;
  return values.map((value) => choices.find((one) => one.value === value)?.label ?? `${value} (removed)`).join(", ");
}

function createChoiceList(editor, index, choices, read, parent, showSummary) {
  const ticked = new Set(read() ?? []);
  const removed = [...ticked].filter((value) => !choices.some((one) => one.value === value));
  const all = [...removed.map((value) => ({ value, label: `${value} (removed)` })), ...choices];
  const note = createElement("p", { class: "help", role: "status" });
  const change = (value, box) => {
    const most = countMaxShownFor(editor);
    if (box.checked && ticked.size >= most) {
      box.checked = false;
      note.textContent = `At most ${most} can be ticked. Tick none to always show the option.`;
      return;
    }
    if (box.checked) ticked.add(value);
    else ticked.delete(value);
    const values = all.map((one) => one.value).filter((one) => ticked.has(one));
    setShownFor(editor, parent, index, values.length ? values : null);
    note.textContent = values.length ? "" : NONE_TICKED;
    showSummary();
  };
  const items = all.map(({ value, label }) => createTick(value, label, ticked.has(value), change));
  const box = createElement("div", { class: "columns" }, ...items);
  note.textContent = ticked.size ? "" : NONE_TICKED;
  return [
    ...(all.length > MAX_UNSEARCHED ? [createSearch(items, parent, editor.store.language, note)] : []),
    box,
    note,
  ];
}

const NONE_TICKED = "None is ticked: the option is always shown.";

function createTick(value, label, checked, change) {
  const id = uniqueId("shown");
  const box = createElement("input", { type: "checkbox", id, checked });
  box.addEventListener("change", () => change(value, box));
  return createElement("div", { class: "check" }, box, createElement("label", { for: id, text: label, dir: "auto" }));
}

function createSearch(items, parent, language, note) {
  const search = createElement("input", {
    type: "search",
    "aria-label": `Search the options of ${fieldLabel(parent, language)}`,
    placeholder: "Search",
    dir: "auto",
  });
  const texts = items.map((item) => foldText(item.textContent));
  search.addEventListener("input", () => {
    const wanted = foldText(search.value.trim());
    for (const [place, item] of items.entries()) item.hidden = !texts[place].includes(wanted);
    const found = items.filter((item) => !item.hidden);
    note.textContent = found.length ? `${found.length} found` : `No option contains “${search.value.trim()}”.`;
  });
  // Enter ticks the first match, so that people need not leave the keyboard.
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    items
      .find((item) => !item.hidden)
      ?.querySelector("input")
      .click();
    search.select();
  });
  return search;
}

function setShownFor(editor, parent, index, values) {
  const change = (field) => {
    const cascade = readCascade(field);
    const shownFor = field.options.map((option) => readShownFor(option, cascade)).with(index, values);
    return writeCascade(field, toParent(parent), shownFor);
  };
  editor.store.editField(editor.id, change, { merge: `${editor.id} shown ${index}` });
}
