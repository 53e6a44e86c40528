// A combobox that searches while people type (WAI-ARIA APG, editable with a list).

import { createElement, targetOf, uniqueId } from "./dom.js";

const KEY_ACTIONS = { ArrowDown: "next", ArrowUp: "previous", Enter: "choose", Escape: "close" };

/**
 * @typedef {{id: string, name: string, about?: string}} Item
 * @typedef {{items: Item[], more?: boolean}} SearchResult
 */

export class Combobox {
  #search;
  #delayMs;
  #onChoose;
  #list;
  #announcement;
  #items = [];
  #markedIndex = -1;
  #timer = null;
  #requestCount = 0;

  /**
   * @param {(text: string) => Promise<SearchResult | null>} search  null if it is unavailable
   * @param {string} id  of the input
   * @param {(item: Item) => any} onChoose  returns what screen readers announce, if anything
   * @param {number} delayMs  how long to wait for the next letter
   */
  constructor(search, id, onChoose, delayMs = 0) {
    this.#search = search;
    this.#delayMs = delayMs;
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
    this.input.addEventListener("click", () => this.#list.hidden && this.#showResults());
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
    if (this.#list.hidden) return this.#showResults();
    if (length)
      this.#mark((this.#markedIndex + (action === "next" ? 1 : this.#markedIndex < 0 ? 0 : -1) + length) % length);
  }

  #clear() {
    this.input.value = "";
    this.input.dispatchEvent(new Event("input"));
  }

  #searchSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#showResults(), this.#delayMs);
  }

  async #showResults() {
    this.#requestCount += 1;
    const requestNumber = this.#requestCount;
    const result = await this.#search(this.input.value);
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
