// The list of submissions: the operators of a filter depend on the chosen field.

import { parseTypedNumber } from "./designer/number_input.js";
import { byId, createElement, query } from "./dom.js";
import { enableRowSelection } from "./row_selection.js";

const bulkForm = query("form[data-bulk]", HTMLFormElement);
if (bulkForm) enableRowSelection(bulkForm);
const conditionFields = query("fieldset[data-condition]", HTMLFieldSetElement);
if (conditionFields) enableCondition(conditionFields);

function enableCondition(fields) {
  const field = query("[name=field]", HTMLSelectElement, fields);
  const operator = query("[name=op]", HTMLSelectElement, fields);
  const value = query("[name=value]", HTMLInputElement, fields);
  const showField = () => {
    const { words, input, options } = field.selectedOptions[0].dataset;
    showOperators(operator, words.split(" "));
    setInputType(value, input);
    byId("known").replaceChildren(...JSON.parse(options).map((option) => createElement("option", { value: option })));
  };
  field.addEventListener("change", showField);
  operator.addEventListener("change", () => {
    // Several values are joined into one text.
    setInputType(value, operator.value === "in" ? "text" : field.selectedOptions[0].dataset.input);
  });
  fields.form.addEventListener("submit", (event) => {
    // Without a value there is no condition, and its other fields would only lengthen the address.
    if (!value.value.trim()) fields.disabled = true;
    else if (!normalizeNumber(value)) event.preventDefault();
  });
  addEventListener("pageshow", () => {
    fields.disabled = false;
  });
  showField();
}

function showOperators(select, names) {
  for (const option of select.options) {
    option.disabled = !names.includes(option.value);
    option.hidden = option.disabled;
  }
  if (select.selectedOptions[0]?.disabled ?? true) select.value = names[0];
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
