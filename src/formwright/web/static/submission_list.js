// The list of submissions: the operators of a filter depend on the chosen field.

import { parseTypedNumber } from "./designer/number_input.js";
import { createElement, createSelect, query } from "./dom.js";
import { createCombobox } from "./picker.js";
import { enableRowSelection } from "./row_selection.js";

const bulkForm = query("form[data-bulk]", HTMLFormElement);
if (bulkForm) enableRowSelection(bulkForm);
const conditionFields = query("fieldset[data-condition]", HTMLFieldSetElement);
if (conditionFields) enableCondition(conditionFields);

function enableCondition(fields) {
  const field = query("[name=field]", HTMLSelectElement, fields);
  const operator = query("[name=op]", HTMLSelectElement, fields);
  const showField = () => {
    const operators = JSON.parse(field.selectedOptions[0].dataset.operators);
    operator.replaceChildren(...operators.map(([value, text]) => createElement("option", { value, text })));
    showValue();
  };
  const showValue = () => {
    const control = createValueControl(field.selectedOptions[0].dataset, operator.value === "in");
    query("[data-value]", HTMLElement, fields).replaceChildren(control);
    query(".help", HTMLElement, fields).hidden = operator.value !== "in" || control.matches(".many");
  };
  field.addEventListener("change", showField);
  operator.addEventListener("change", showValue);
  fields.form.addEventListener("submit", (event) => {
    const values = new FormData(fields.form).getAll("value");
    const typed = query("input[name=value]", HTMLInputElement, fields);
    // Without a value there is no condition, and its other fields would only lengthen the address.
    if (!values.some((value) => String(value).trim())) fields.disabled = true;
    else if (typed && !normalizeNumber(typed)) event.preventDefault();
  });
  addEventListener("pageshow", () => {
    fields.disabled = false;
  });
  showField();
}

/** The control for a value: options of the field, rows of its lookup, or an input of its type. */
function createValueControl(dataset, isSeveral) {
  const { input, options, search } = dataset;
  const choices = JSON.parse(options);
  if (choices.length && isSeveral)
    return createElement("div", { class: "many", role: "group", "aria-label": "Values" }, ...choices.map(createTick));
  if (choices.length) return createSelect([["", "Choose…"], ...choices], "", () => {}, { id: "value", name: "value" });
  if (search) return createRowPicker(search);
  // Several values are joined into one text.
  const text = createElement("input", { id: "value", name: "value", maxlength: 200, autocomplete: "off", dir: "auto" });
  setInputType(text, isSeveral ? "text" : input);
  return text;
}

const createTick = ([value, text]) =>
  createElement(
    "label",
    { class: "tick" },
    createElement("input", { type: "checkbox", name: "value", value }),
    " ",
    createElement("bdi", { text }),
  );

/** Rows are found by what people see of them, and sent by their key. */
function createRowPicker(url) {
  const key = createElement("input", { type: "hidden", name: "value" });
  const box = createCombobox(url, "value", ({ id, name }) => {
    key.value = id;
    box.input.value = name;
  });
  box.input.addEventListener("input", () => {
    key.value = "";
  });
  return createElement("div", {}, box.root, key);
}

// The browser's own number input drops what it cannot read, and the mouse wheel changes it.
function setInputType(input, type) {
  input.type = type === "number" ? "text" : type;
  input.inputMode = type === "number" ? "decimal" : "";
  input.oninput = () => input.setCustomValidity("");
}

/** Write a number as the server reads it. Return false if it is none; the browser then says why. */
function normalizeNumber(input) {
  if (input.inputMode !== "decimal") return true;
  const { value, refusal } = parseTypedNumber(input.value, false);
  input.setCustomValidity(refusal);
  if (value !== undefined) input.value = String(value);
  return input.reportValidity();
}
