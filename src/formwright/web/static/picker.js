// Pickers: a combobox that searches on the server while the user types (WAI-ARIA APG, editable with a list). It precedes a
// list of checkboxes with the selection, or replaces a select. Without JavaScript, those are used.

import { createElement, query, queryAll, targetOf, uniqueId } from "./dom.js";

const SEARCH_DELAY_MS = 200;
const KEY_ACTIONS = { ArrowDown: "next", ArrowUp: "previous", Enter: "choose", Escape: "close" };

/** @typedef {{id: string, name: string, about?: string}} Item */

export function enablePickers(root) {
  for (const element of queryAll("[data-pick]", HTMLElement, root)) {
    if (element instanceof HTMLSelectElement) replaceSelect(element);
    else addToCheckboxes(element);
  }
}

/** Single selection: the hidden select holds the choice. */
function replaceSelect(select) {
  const { id } = select;
  const box = new Combobox(select.dataset.pick, id, choose);
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
  const box = new Combobox(fieldset.dataset.pick, `pick-${name}`, choose);
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

class Combobox {
  #url;
  #onChoose;
  #list;
  #announcement;
  #items = [];
  #markedIndex = -1;
  #timer = null;
  #requestCount = 0;

  /**
   * @param {string} url  to which the text is added
   * @param {string} id  of the input
   * @param {(item: Item) => any} onChoose  returns what screen readers announce, if anything
   */
  constructor(url, id, onChoose) {
    this.#url = url;
    this.#onChoose = onChoose;
    const listbox = { role: "listbox", "aria-label": "Results" };
    this.#list = createElement("ul", { id: uniqueId("picker-options"), hidden: true, class: "options", ...listbox });
    this.#announcement = createElement("p", { class: "visually-hidden", role: "status" });
    this.input = createElement("input", {
      id,
      type: "text",
      autocomplete: "off",
      dir: "auto",
      spellcheck: "false",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.#list.id,
    });
    this.root = createElement("div", { class: "pick" }, this.input, this.#list, this.#announcement);
    this.#listen();
  }

  #listen() {
    this.input.addEventListener("input", () => this.#searchSoon());
    this.input.addEventListener("click", () => this.#list.hidden && this.#search());
    this.input.addEventListener("blur", () => this.#close());
    this.input.addEventListener("keydown", (event) => this.#handleKey(event));
    // The input keeps the focus while an option is pressed.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const option = targetOf(event)?.closest("[role=option]");
      if (option) this.#choose([...this.#list.children].indexOf(option));
    });
  }

  #handleKey(event) {
    const action = KEY_ACTIONS[event.key];
    if (!action || event.isComposing) return;
    const { length } = this.#items;
    if (action === "choose" && this.#markedIndex < 0) return;
    if (action === "close" && this.#list.hidden && !this.input.value) return;
    event.preventDefault();
    if (action === "choose") return this.#choose(this.#markedIndex);
    if (action === "close") return this.#list.hidden ? this.#clear() : this.#close();
    if (this.#list.hidden) return this.#search();
    if (length)
      this.#mark((this.#markedIndex + (action === "next" ? 1 : this.#markedIndex < 0 ? 0 : -1) + length) % length);
  }

  #clear() {
    this.input.value = "";
    this.input.dispatchEvent(new Event("input"));
  }

  #searchSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), SEARCH_DELAY_MS);
  }

  async #search() {
    this.#requestCount += 1;
    const requestNumber = this.#requestCount;
    const result = await fetchItems(`${this.#url}&${new URLSearchParams({ q: this.input.value })}`);
    // The user has typed more, or moved on.
    if (requestNumber !== this.#requestCount || document.activeElement !== this.input) return;
    this.#open(result);
  }

  #open(result) {
    this.#items = result?.items ?? [];
    const text = describeResult(result);
    const options = this.#items.map((item, index) => createOption(item, `${this.#list.id}-${index}`));
    const note =
      !this.#items.length || result.more ? [createElement("li", { text, class: "note", role: "presentation" })] : [];
    this.#list.replaceChildren(...options, ...note);
    this.#list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.#announcement.textContent = text;
    this.#mark(this.input.value && this.#items.length === 1 ? 0 : -1);
  }

  #mark(index) {
    this.#list.children[this.#markedIndex]?.setAttribute("aria-selected", "false");
    this.#markedIndex = index;
    const marked = this.#list.children[index];
    if (!marked) return this.input.removeAttribute("aria-activedescendant");
    marked.setAttribute("aria-selected", "true");
    marked.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", marked.id);
  }

  #choose(index) {
    const text = this.#onChoose(this.#items[index]) ?? "";
    this.#close();
    this.#announcement.textContent = text;
  }

  #close() {
    clearTimeout(this.#timer);
    this.#requestCount += 1;
    this.#mark(-1);
    this.#list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}

async function fetchItems(url) {
  try {
    const response = await fetch(url, { headers: { Accept: "application/json" }, redirect: "manual" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function describeResult(result) {
  if (!result) return "Search is unavailable. Try again.";
  if (!result.items.length) return "No results";
  return result.more
    ? `Showing the first ${result.items.length}. Keep typing to narrow the list.`
    : `${result.items.length} ${result.items.length === 1 ? "result" : "results"}`;
}

function createOption({ name, about }, id) {
  const option = createElement("li", { id, role: "option", "aria-selected": "false" });
  option.append(createElement("span", { text: name, dir: "auto" }));
  if (about) option.append(" ", createElement("span", { text: about, class: "muted" }));
  return option;
}
