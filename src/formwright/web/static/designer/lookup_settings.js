// The settings of a lookup: the rows it offers, and the fields it fills in.

import { button, el, fresh, select } from "../dom.js";
import { labelOf, looksUp, settingOf, traits } from "./field_types.js";
import { inLanguage } from "./labels.js";
import { check, row } from "./setting_rows.js";
import { walk } from "./field_tree.js";

export function lookupMembers(edit) {
  if (settingOf(edit.get().type, "rowsFrom")) return sourceOfRows(edit);
  if (!looksUp(edit.get().type)) return [];
  const sources = edit.store.page.datasources;
  const source = sources.find((one) => one.id === edit.get().datasourceId);
  const choices = sources.map((one) => [one.id, one.name]);
  if (!source) choices.unshift([edit.get().datasourceId ?? "", "Choose a data source"]);
  const change = (id) => {
    // Another data source has other columns.
    edit.store.edit(edit.id, ({ display, mapping, filter, ...field }) => ({ ...field, datasourceId: id }));
    edit.redraw();
  };
  const open =
    source && el("a", { href: `/datasources/${source.id}`, target: "_blank", rel: "noopener", text: "View rows" });
  const chosen = row("datasourceId", "Data source", select(choices, edit.get().datasourceId ?? "", change));
  if (open) chosen.append(open);
  const filling = traits(edit.get().type).canFillFields && source ? [pairs(edit, source, "mapping")] : [];
  return source
    ? [chosen, several(edit), columns(edit, source), ...filling, pairs(edit, source, "filter")]
    : [chosen, several(edit)];
}

function several(edit) {
  const change = (on) => edit.become(on ? "lookups" : "lookup");
  return check(
    "several",
    "Several rows can be chosen",
    traits(edit.get().type).answerKind === "CHOICES",
    change,
    "The answer is then a list. Several rows fill in no other fields.",
  );
}

/** The fields of each entry, without those of entries in it. */
const inRow = ({ children }) =>
  (children ?? []).flatMap((one) => [one.field, ...(one.field.type === "repeat" ? [] : inRow(one))]);

/** The lookup in a repeat that provides its first rows. */
function sourceOfRows(edit) {
  const node = edit.store.get(edit.id);
  const lookups = inRow(node).filter((one) => traits(one.type).canFillFields);
  if (!lookups.length && !node.field.rowsFrom) return [];
  const choices = lookups.map((one) => [one.name, inLanguage(one.label, edit.store.language)]);
  const control = select([["", "None"], ...choices], node.field.rowsFrom ?? "", (name) =>
    edit.set("rowsFrom", name || undefined),
  );
  return [
    row(
      "rowsFrom",
      "Begin with the rows of",
      control,
      "Adds an entry for each row that this lookup offers. People can remove entries and add others.",
    ),
  ];
}

function columns(edit, source) {
  const boxes = source.columns.map((column) => {
    const shown = edit.get().display ?? [];
    const box = el("input", { type: "checkbox", id: fresh("column"), checked: shown.includes(column) });
    box.addEventListener("change", () => {
      const others = (edit.get().display ?? []).filter((one) => one !== column);
      const display = box.checked ? [...others, column] : others;
      edit.set("display", display.length ? display : undefined, false, null);
    });
    return el("div", { class: "check" }, box, el("label", { for: box.id, text: column }));
  });
  return group(
    "display",
    "Columns to display",
    `If none is selected, “${source.key}” is displayed.`,
    el("div", { class: "columns" }, ...boxes),
  );
}

const WORDS = {
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

function pairs(edit, source, member) {
  const { title, help, between, add } = WORDS[member];
  const takes = (type) => (member === "mapping" ? traits(type).fitsInCell : traits(type).canFilterRows);
  const fields = [...walk(edit.store.nodes)]
    .map(({ node }) => node)
    .filter((one) => one.id !== edit.id && takes(one.field.type));
  const names = fields.map((one) => [one.field.name, labelOf(one, edit.store.language)]);
  const list = el("ul", { class: "pairs" });
  const all = () => Object.entries(edit.get()[member] ?? {});
  const keep = (entries) => edit.set(member, entries.length ? Object.fromEntries(entries) : undefined, false, null);
  const draw = () => list.replaceChildren(...all().map((_, index) => line(index)));
  const line = (index) => {
    const [column, name] = all()[index];
    const free = source.columns.filter((one) => one === column || !all().some(([other]) => other === one));
    return el(
      "li",
      {},
      select(
        free.map((one) => [one, one]),
        column,
        (value) => (keep(all().with(index, [value, all()[index][1]])), draw()),
        { "aria-label": "Column" },
      ),
      el("span", { text: between }),
      select(names, name, (value) => keep(all().with(index, [all()[index][0], value])), { "aria-label": "Field" }),
      button("✕", () => (keep(all().toSpliced(index, 1)), draw()), {
        "aria-label": `Remove: ${column} ${between} ${name}`,
      }),
    );
  };
  draw();
  const more = button(add, () => {
    const column = source.columns.find((one) => !all().some(([other]) => other === one));
    if (column === undefined || !names.length) return;
    keep([...all(), [column, names[0][0]]]);
    draw();
    list.lastElementChild.querySelector("select").focus();
  });
  return group(member, title, help, list, more);
}

function group(member, title, help, ...children) {
  const id = fresh("group");
  return el(
    "div",
    { class: "field", role: "group", "aria-labelledby": id, data: { member } },
    el("span", { class: "label", id, text: title }),
    ...children,
    el("p", { class: "field-error", hidden: true }),
    el("p", { class: "help", text: help }),
  );
}
