// Pickers: a combobox that searches on the server while the user types. It precedes a list of checkboxes with the
// selection, or replaces a select. Without JavaScript, those are used.

import { Combobox } from "./combobox.js";
import { createElement, query, queryAll } from "./dom.js";

const SEARCH_DELAY_MS = 200;

export function enablePickers(root) {
  for (const element of queryAll("[data-pick]", HTMLElement, root)) {
    if (element instanceof HTMLSelectElement) replaceSelect(element);
    else addToCheckboxes(element);
  }
}

/** Single selection: the hidden select holds the choice. */
function replaceSelect(select) {
  const { id } = select;
  const box = createCombobox(select.dataset.pick, id, choose);
  for (const name of ["aria-invalid", "aria-errormessage"])
    if (select.hasAttribute(name)) box.input.setAttribute(name, select.getAttribute(name));
  select.removeAttribute("id");
  select.required = false;
  select.hidden = true;
  box.input.required = true;
  box.input.value = select.value ? select.selectedOptions[0].textContent : "";
  select.after(box.root);
  // Text that is typed but not chosen is not a choice.
  box.input.addEventListener("input", () => setValue(""));
  if (!select.value) setValue("");

  function choose({ id: value, name }) {
    if (![...select.options].some((option) => option.value === value)) select.add(new Option(name, value));
    box.input.value = name;
    setValue(value);
  }

  function setValue(value) {
    select.value = value;
    box.input.setCustomValidity(value ? "" : "Choose an option from the list.");
  }
}

/** Multiple selection: checked boxes stay; chosen items are added to them. */
function addToCheckboxes(fieldset) {
  const list = query(".many", HTMLElement, fieldset);
  const { name } = query("input", HTMLInputElement, list);
  const label = fieldset.querySelector("legend").textContent;
  const box = createCombobox(fieldset.dataset.pick, `pick-${name}`, choose);
  box.input.setAttribute("aria-label", `Search: ${label}`);
  box.input.placeholder = "Search by name";
  list.before(box.root);
  for (const item of list.querySelectorAll(".check"))
    if (!query("input", HTMLInputElement, item).checked) item.remove();
  showList();

  function choose({ id, name: text }) {
    const known = queryAll("input", HTMLInputElement, list).find((input) => input.value === id);
    if (known) known.checked = true;
    else list.append(createCheckbox(id, text));
    box.input.value = "";
    showList();
    return `${text} selected`;
  }

  function createCheckbox(value, text) {
    const id = `${name}-${value}`;
    const input = createElement("input", { type: "checkbox", id, name, value, checked: true });
    return createElement("div", { class: "check" }, input, createElement("label", { for: id, dir: "auto", text }));
  }

  function showList() {
    list.hidden = !list.querySelector(".check");
  }
}

/** A combobox that adds its text to `url`. */
export const createCombobox = (url, id, choose) =>
  new Combobox((text) => fetchItems(`${url}&${new URLSearchParams({ q: text })}`), id, choose, SEARCH_DELAY_MS);

async function fetchItems(url) {
  try {
    const response = await fetch(url, { headers: { Accept: "application/json" }, redirect: "manual" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
