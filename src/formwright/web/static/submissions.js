// The list of submissions: the operators of a filter depend on the chosen field, and arrow keys move between rows.

import { ticking } from "./bulk.js";

const bulk = document.querySelector("form[data-bulk]");
if (bulk) ticking(bulk);

const form = document.querySelector("form[data-condition]");
if (form) {
  const field = form.elements.namedItem("field");
  const suit = () => {
    const { words, input, options } = field.selectedOptions[0].dataset;
    offer(form.elements.namedItem("op"), words.split(" "));
    const value = form.elements.namedItem("value");
    value.type = input;
    value.step = "any";
    document.getElementById("known").replaceChildren(...JSON.parse(options).map(createOption));
  };
  field.addEventListener("change", suit);
  form.elements.namedItem("op").addEventListener("change", () => updateInputType(form));
  suit();
}

function offer(select, words) {
  for (const one of select.options) one.hidden = one.disabled = !words.includes(one.value);
  if (select.selectedOptions[0]?.disabled ?? true) select.value = words[0];
}

// Several values are joined into one text.
function updateInputType(of) {
  const { input } = of.elements.namedItem("field").selectedOptions[0].dataset;
  of.elements.namedItem("value").type = of.elements.namedItem("op").value === "in" ? "text" : input;
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
