// The list of submissions: the operators of a filter depend on the chosen field, and arrow keys move between rows.

import { ticking } from "./row_selection.js";
import { parseTypedNumber } from "./designer/number_input.js";

const bulk = document.querySelector("form[data-bulk]");
if (bulk) ticking(bulk);

const form = document.querySelector("form[data-condition]");
if (form) {
  const field = form.elements.namedItem("field");
  const suit = () => {
    const { words, input, options } = field.selectedOptions[0].dataset;
    offer(form.elements.namedItem("op"), words.split(" "));
    setInputType(form.elements.namedItem("value"), input);
    document.getElementById("known").replaceChildren(...JSON.parse(options).map(createOption));
  };
  field.addEventListener("change", suit);
  form.elements.namedItem("op").addEventListener("change", () => updateInputType(form));
  form.addEventListener("submit", (event) => readCondition(form) || event.preventDefault());
  suit();
}

function offer(select, words) {
  for (const one of select.options) one.hidden = one.disabled = !words.includes(one.value);
  if (select.selectedOptions[0]?.disabled ?? true) select.value = words[0];
}

// Several values are joined into one text.
function updateInputType(of) {
  const { input } = of.elements.namedItem("field").selectedOptions[0].dataset;
  setInputType(of.elements.namedItem("value"), of.elements.namedItem("op").value === "in" ? "text" : input);
}

// The browser's own number input drops what it cannot read, and the mouse wheel changes it.
function setInputType(value, kind) {
  value.type = kind === "number" ? "text" : kind;
  value.inputMode = kind === "number" ? "decimal" : "";
  value.oninput = () => value.setCustomValidity("");
}

/** Write a number as the server reads it. Returns false if it is none; the browser then says why. */
function readCondition(of) {
  const value = of.elements.namedItem("value");
  if (value.inputMode !== "decimal") return true;
  const { value: read, refusal } = parseTypedNumber(value.value, false);
  value.setCustomValidity(refusal);
  if (read !== undefined) value.value = String(read);
  return value.reportValidity();
}

function createOption(text) {
  const made = document.createElement("option");
  made.value = text;
  return made;
}

for (const table of document.querySelectorAll("[data-rows]")) {
  table.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const rows = [...table.querySelectorAll("a.open")];
    const here = rows.indexOf(document.activeElement);
    if (!step || (here < 0 && event.target !== table)) return;
    event.preventDefault();
    rows[Math.min(Math.max(here + step, 0), rows.length - 1)].focus();
  });
}
