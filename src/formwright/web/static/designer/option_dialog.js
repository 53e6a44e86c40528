// The dialog in which options are edited as text, or pasted from a table, with a preview of what will be read.

import { createElement, createSelect, queryAll, uniqueId } from "../dom.js";
import { hasPoints } from "./score_settings.js";
import { listColumns } from "./cascade.js";
import {
  COLUMN,
  detectSeparator,
  formatOptions,
  guessRoles,
  readOptions,
  SEPARATORS,
  SHOWN_FOR,
  splitRows,
} from "./option_text.js";

const MAX_PREVIEW_ROWS = 20;
const MAX_LISTED_PROBLEMS = 5;

/** @import { OptionContext } from "./option_text.js" */

/**
 * Open the dialog. `apply` receives {options, parent, shownFor} of a text without problems, `pasted` replaces the text of
 * the present options.
 * @param {OptionContext} context
 * @param {{title: string, pasted?: string, maxOptions: number, describeExcess: (count: number) => string, apply: (read: ReturnType<typeof readOptions>) => void}} manner
 */
export function openOptionDialog(context, { title, pasted, maxOptions, describeExcess, apply }) {
  const id = uniqueId("lines");
  const text = pasted ?? formatOptions(context);
  const area = createElement("textarea", {
    id,
    rows: "8",
    dir: "auto",
    "aria-describedby": `${id}-help ${id}-problems`,
    value: text,
    wrap: "off",
    spellcheck: "false",
  });
  // Only the heading that this dialog wrote is one without people saying so.
  const ownHeading = pasted === undefined && text.startsWith("value\tlabel\t") ? firstLine(text) : null;
  const heading = createElement("input", { type: "checkbox", id: `${id}-heading` });
  const separator = createSelect(Object.entries(SEPARATORS), "", () => update(), { id: `${id}-separator` });
  const preview = createElement("div", { class: "option-preview" });
  const problems = createElement("div", { id: `${id}-problems`, role: "status" });
  const dialog = createElement("dialog", { class: "option-dialog", "aria-labelledby": `${id}-title` });
  let isSeparatorChosen = false;
  let isHeadingChosen = false;
  /** What people chose for the columns, while the text has as many. */
  let chosenRoles = [];
  let read = null;

  function update() {
    if (!isHeadingChosen) heading.checked = firstLine(area.value) === ownHeading;
    if (!isSeparatorChosen) separator.value = detectSeparator(area.value);
    const rows = splitRows(area.value, separator.value);
    const guessed = guessRoles(rows, heading.checked, context);
    if (chosenRoles.length !== guessed.length) chosenRoles = [];
    const roles = guessed.map((role, place) => chosenRoles[place] ?? role);
    read = readOptions(rows, heading.checked, roles, context);
    if (read.options.length > maxOptions) read.problems = [describeExcess(read.options.length)];
    showProblems(problems, read.problems);
    const changeRole = (place, role) => {
      chosenRoles = roles.with(place, role);
      update();
      queryAll("select.role", HTMLElement, dialog)[place]?.focus();
    };
    preview.replaceChildren(...createPreview(heading.checked ? rows.slice(1) : rows, roles, context, changeRole, read));
  }

  separator.addEventListener("change", () => {
    isSeparatorChosen = true;
    update();
  });
  heading.addEventListener("input", () => {
    isHeadingChosen = true;
    update();
  });
  area.addEventListener("input", () => update());
  const submit = () => {
    update();
    if (read.problems.length) return area.focus();
    if (read.options.length) apply(read);
    dialog.close();
  };
  const help =
    "One label per line, or a table pasted from Excel. Say below what its columns are. A label that doesn’t change keeps its value and its translations.";
  dialog.append(
    createElement("h2", { id: `${id}-title`, text: title }),
    createElement(
      "div",
      { class: "field" },
      createElement("label", { for: id, text: "One option per line" }),
      area,
      createElement("p", { class: "help", id: `${id}-help`, text: help }),
    ),
    createElement(
      "div",
      { class: "option-notation" },
      createElement("label", { for: `${id}-separator`, text: "Between columns" }),
      separator,
      heading,
      createElement("label", { for: `${id}-heading`, text: "The first line is a heading" }),
    ),
    problems,
    preview,
    createElement(
      "div",
      { class: "actions" },
      createElement("button", { type: "button", class: "quiet", text: "Cancel", on: { click: () => dialog.close() } }),
      createElement("button", { type: "button", text: "Apply", on: { click: submit } }),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  update();
  dialog.showModal();
  area.focus();
}

const firstLine = (text) => text.split("\n", 1)[0];

// If a line does not fit, nothing is applied: half a list would look complete.
function showProblems(slot, problems) {
  const more = problems.length - MAX_LISTED_PROBLEMS;
  const listed = [...problems.slice(0, MAX_LISTED_PROBLEMS), ...(more > 0 ? [`And ${more} more.`] : [])];
  slot.replaceChildren(...listed.map((detail) => createElement("p", { class: "field-error", text: detail })));
}

function createPreview(rows, roles, context, changeRole, { options }) {
  if (!roles.length) return [];
  const choices = listRoleChoices(roles, context);
  const heads = roles.map((role, place) =>
    createElement(
      "th",
      { scope: "col" },
      createSelect(choices, role, (chosen) => changeRole(place, chosen), {
        class: "role",
        "aria-label": `Column ${place + 1} has`,
      }),
    ),
  );
  const body = rows
    .slice(0, MAX_PREVIEW_ROWS)
    .map(({ cells }) =>
      createElement(
        "tr",
        {},
        ...(cells.length === 1 && roles.length > 1
          ? [createElement("td", { colspan: String(roles.length), text: cells[0], dir: "auto" })]
          : roles.map((_, place) => createElement("td", { text: cells[place] ?? "", dir: "auto" }))),
      ),
    );
  const count = options.length === 1 ? "1 option" : `${options.length} options`;
  const more = rows.length > MAX_PREVIEW_ROWS ? ` The first ${MAX_PREVIEW_ROWS} are shown.` : "";
  return [
    createElement(
      "div",
      { class: "scrolled-table", tabindex: "0", role: "region", "aria-label": "Preview" },
      createElement(
        "table",
        {},
        createElement("thead", {}, createElement("tr", {}, ...heads)),
        createElement("tbody", {}, ...body),
      ),
    ),
    createElement("p", { class: "help", role: "status", text: `${count}.${more}` }),
  ];
}

function listRoleChoices(roles, { parents, options, cascade }) {
  const named = new Set([
    ...listColumns(options).filter((column) => !cascade?.columns.includes(column)),
    ...roles.filter((role) => role.startsWith(COLUMN)).map((role) => role.slice(COLUMN.length)),
  ]);
  return [
    ["label", "Label"],
    ["value", "Value"],
    ...parents.map((parent) => [SHOWN_FOR + parent.name, `Shown for: ${parent.label}`]),
    ...(hasPoints(options) || roles.includes("points") ? [["points", "Points"]] : []),
    ...[...named].map((column) => [COLUMN + column, `Column ${column}`]),
    ["", "Not used"],
  ];
}
