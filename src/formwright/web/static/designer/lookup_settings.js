// The settings of a lookup: the rows it offers, and the fields it fills in.

import { createButton, createElement, createSelect, query, uniqueId } from "../dom.js";
import { fieldLabel, isLookupType, typeSetting, typeTraits } from "./field_types.js";
import { localizeLabel } from "./labels.js";
import { createCheckboxRow, createRow } from "./setting_rows.js";
import { listNodes } from "./field_tree.js";

/** @param {import("./field_editor.js").FieldEditor} editor */
export function createLookupRows(editor) {
  if (typeSetting(editor.field.type, "rowsFrom")) return createRowsFromRow(editor);
  if (!isLookupType(editor.field.type)) return [];
  const sources = editor.store.page.datasources;
  const source = sources.find((one) => one.id === editor.field.datasourceId);
  const choices = sources.map((one) => [one.id, one.name]);
  if (!source) choices.unshift([editor.field.datasourceId ?? "", "Choose a data source"]);
  const change = (id) => {
    // Another data source has other columns.
    editor.store.editField(editor.id, ({ display, mapping, filter, ...field }) => ({ ...field, datasourceId: id }));
    editor.redraw();
  };
  const open =
    source &&
    createElement("a", { href: `/datasources/${source.id}`, target: "_blank", rel: "noopener", text: "View rows" });
  const sourceRow = createRow(
    "datasourceId",
    "Data source",
    createSelect(choices, editor.field.datasourceId ?? "", change),
  );
  if (open) sourceRow.append(open);
  const filled =
    typeTraits(editor.field.type).canFillFields && source ? [createPairsGroup(editor, source, "mapping")] : [];
  return source
    ? [
        sourceRow,
        createMultipleRow(editor),
        createColumnsGroup(editor, source),
        ...filled,
        createPairsGroup(editor, source, "filter"),
      ]
    : [sourceRow, createMultipleRow(editor)];
}

function createMultipleRow(editor) {
  const change = (on) => editor.convertTo(on ? "lookups" : "lookup");
  return createCheckboxRow(
    "several",
    "Several rows can be chosen",
    typeTraits(editor.field.type).answerKind === "CHOICES",
    change,
    "The answer is then a list. Several rows fill in no other fields.",
  );
}

/** The fields of each entry, without those of entries in it. */
const listRowFields = ({ children }) =>
  (children ?? []).flatMap((one) => [one.field, ...(one.field.type === "repeat" ? [] : listRowFields(one))]);

/** The lookup in a repeat that provides its first rows. */
function createRowsFromRow(editor) {
  const node = editor.store.get(editor.id);
  const lookups = listRowFields(node).filter((one) => typeTraits(one.type).canFillFields);
  if (!lookups.length && !node.field.rowsFrom) return [];
  const choices = lookups.map((one) => [one.name, localizeLabel(one.label, editor.store.language)]);
  const control = createSelect([["", "None"], ...choices], node.field.rowsFrom ?? "", (name) =>
    editor.setProperty("rowsFrom", name || undefined),
  );
  return [
    createRow(
      "rowsFrom",
      "Begin with the rows of",
      control,
      "Adds an entry for each row that this lookup offers. People can remove entries and add others.",
    ),
  ];
}

function createColumnsGroup(editor, source) {
  const boxes = source.columns.map((column) => {
    const shown = editor.field.display ?? [];
    const box = createElement("input", { type: "checkbox", id: uniqueId("column"), checked: shown.includes(column) });
    box.addEventListener("change", () => {
      const others = (editor.field.display ?? []).filter((one) => one !== column);
      const display = box.checked ? [...others, column] : others;
      editor.setProperty("display", display.length ? display : undefined, false, null);
    });
    return createElement("div", { class: "check" }, box, createElement("label", { for: box.id, text: column }));
  });
  return createGroup(
    "display",
    "Columns to display",
    `If none is selected, “${source.key}” is displayed.`,
    createElement("div", { class: "columns" }, ...boxes),
  );
}

const PAIR_TEXTS = {
  mapping: {
    title: "Fill other fields",
    help: "When someone selects a row, these columns are copied into other fields.",
    between: "fills",
    add: "Add field to fill",
  },
  filter: {
    title: "Filter rows",
    help: "Only rows where the column equals the answer are offered.",
    between: "equals",
    add: "Add filter",
  },
};

function createPairsGroup(editor, source, property) {
  const { title, help, between, add } = PAIR_TEXTS[property];
  const isSuitable = (type) => (property === "mapping" ? typeTraits(type).fitsInCell : typeTraits(type).canFilterRows);
  const fields = listNodes(editor.store.nodes).filter((one) => one.id !== editor.id && isSuitable(one.field.type));
  const names = fields.map((one) => [one.field.name, fieldLabel(one, editor.store.language)]);
  const list = createElement("ul", { class: "pairs" });
  const listPairs = () => Object.entries(editor.field[property] ?? {});
  const storePairs = (pairs) =>
    editor.setProperty(property, pairs.length ? Object.fromEntries(pairs) : undefined, false, null);
  const draw = () => list.replaceChildren(...listPairs().map((_, index) => createPair(index)));
  const createPair = (index) => {
    const [column, name] = listPairs()[index];
    const free = source.columns.filter((one) => one === column || !listPairs().some(([other]) => other === one));
    return createElement(
      "li",
      {},
      createSelect(
        free.map((one) => [one, one]),
        column,
        (value) => {
          storePairs(listPairs().with(index, [value, listPairs()[index][1]]));
          draw();
        },
        { "aria-label": "Column" },
      ),
      createElement("span", { text: between }),
      createSelect(names, name, (value) => storePairs(listPairs().with(index, [listPairs()[index][0], value])), {
        "aria-label": "Field",
      }),
      createButton("✕", () => removePair(index), { "aria-label": `Remove: ${column} ${between} ${name}` }),
    );
  };
  const removePair = (index) => {
    storePairs(listPairs().toSpliced(index, 1));
    draw();
  };
  draw();
  const more = createButton(add, () => {
    const column = source.columns.find((one) => !listPairs().some(([other]) => other === one));
    if (column === undefined || !names.length) return;
    storePairs([...listPairs(), [column, names[0][0]]]);
    draw();
    query("li:last-child select", HTMLElement, list).focus();
  });
  return createGroup(property, title, help, list, more);
}

function createGroup(property, title, help, ...children) {
  const id = uniqueId("group");
  return createElement(
    "div",
    { class: "field", role: "group", "aria-labelledby": id, data: { property } },
    createElement("span", { class: "label", id, text: title }),
    ...children,
    createElement("p", { class: "field-error", hidden: true }),
    createElement("p", { class: "help", text: help }),
  );
}
