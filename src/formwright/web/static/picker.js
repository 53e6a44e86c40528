// Pickers: a combobox that searches on the server while the user types (WAI-ARIA APG, editable with a list). It precedes a
// list of checkboxes with the selection, or replaces a select. Without JavaScript, those are used.

const PAUSE = 200;
let count = 0;

export function pickers(root) {
  for (const place of root.querySelectorAll("[data-pick]"))
    place.matches("select") ? enhanceSelect(place) : enhanceMultiSelect(place);
}

/** Single selection: the hidden select holds the choice. */
function enhanceSelect(select) {
  const { id } = select;
  const box = new Combobox(select.dataset.pick, id, (item) => choose(item));
  for (const name of ["aria-invalid", "aria-errormessage"])
    if (select.hasAttribute(name)) box.input.setAttribute(name, select.getAttribute(name));
  select.removeAttribute("id");
  select.required = false;
  select.hidden = true;
  box.input.required = true;
  box.input.value = select.value ? select.selectedOptions[0].textContent : "";
  select.after(box.root);
  // Text that is typed but not chosen is not a choice.
  box.input.addEventListener("input", () => settle(""));
  if (!select.value) settle("");

  function choose({ id: value, name }) {
    if (![...select.options].some((option) => option.value === value)) select.add(new Option(name, value));
    box.input.value = name;
    settle(value);
  }

  function settle(value) {
    select.value = value;
    box.input.setCustomValidity(value ? "" : "Choose an option from the list.");
  }
}

/** Multiple selection: checked boxes stay; chosen items are added to them. */
function enhanceMultiSelect(fieldset) {
  const list = fieldset.querySelector(".many");
  const name = list.querySelector("input").name;
  const label = fieldset.querySelector("legend").textContent;
  const box = new Combobox(fieldset.dataset.pick, `pick-${name}`, (item) => choose(item));
  box.input.setAttribute("aria-label", `Search: ${label}`);
  box.input.placeholder = "Search by name";
  list.before(box.root);
  for (const line of list.querySelectorAll(".check")) if (!line.querySelector("input").checked) line.remove();
  show();

  function choose({ id, name: words }) {
    const known = [...list.querySelectorAll("input")].find((input) => input.value === id);
    if (known) known.checked = true;
    else list.append(line(id, words));
    box.input.value = "";
    show();
    return `${words} selected`;
  }

  function line(id, words) {
    const input = Object.assign(document.createElement("input"), {
      type: "checkbox",
      id: `${name}-${id}`,
      name,
      value: id,
      checked: true,
    });
    const about = Object.assign(document.createElement("label"), {
      htmlFor: input.id,
      dir: "auto",
      textContent: words,
    });
    const createElement = Object.assign(document.createElement("div"), { className: "check" });
    createElement.append(input, about);
    return createElement;
  }

  function show() {
    list.hidden = !list.querySelector(".check");
  }
}

class Combobox {
  #address;
  #chosen;
  #list;
  #announcement;
  #items = [];
  #at = -1;
  #timer = null;
  #asked = 0;

  constructor(address, id, chosen) {
    count += 1;
    this.#address = address;
    this.#chosen = chosen;
    this.#list = made(
      "ul",
      { id: `options-${count}`, hidden: true, className: "options" },
      { role: "listbox", "aria-label": "Results" },
    );
    this.#announcement = made("p", { className: "visually-hidden" }, { role: "status" });
    const states = {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.#list.id,
    };
    this.input = made("input", { id, type: "text", autocomplete: "off", dir: "auto", spellcheck: false }, states);
    this.root = made("div", { className: "pick" });
    this.root.append(this.input, this.#list, this.#announcement);
    this.#listen();
  }

  #listen() {
    this.input.addEventListener("input", () => this.#soon());
    this.input.addEventListener("click", () => this.#list.hidden && this.#search());
    this.input.addEventListener("blur", () => this.#close());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    // The input keeps the focus while an option is pressed.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", ({ target }) => {
      const option = target.closest("[role=option]");
      if (option) this.#take([...this.#list.children].indexOf(option));
    });
  }

  #key(event) {
    const act = KEYS[event.key];
    if (!act || event.isComposing) return;
    const { length } = this.#items;
    if (act === "take" && this.#at < 0) return;
    if (act === "close" && this.#list.hidden && !this.input.value) return;
    event.preventDefault();
    if (act === "take") return this.#take(this.#at);
    if (act === "close") return this.#list.hidden ? this.#clear() : this.#close();
    if (this.#list.hidden) return this.#search();
    if (length) this.#mark((this.#at + (act === "next" ? 1 : this.#at < 0 ? 0 : -1) + length) % length);
  }

  #clear() {
    this.input.value = "";
    this.input.dispatchEvent(new Event("input"));
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), PAUSE);
  }

  async #search() {
    const mine = ++this.#asked;
    const answer = await ask(`${this.#address}&${new URLSearchParams({ q: this.input.value })}`);
    // The user has typed more, or moved on.
    if (mine !== this.#asked || document.activeElement !== this.input) return;
    this.#open(answer);
  }

  #open(answer) {
    this.#items = answer?.items ?? [];
    const words = describeResult(answer);
    const lines = this.#items.map((item, at) => option(item, `${this.#list.id}-${at}`));
    const note =
      !this.#items.length || answer.more
        ? [made("li", { textContent: words, className: "note" }, { role: "presentation" })]
        : [];
    this.#list.replaceChildren(...lines, ...note);
    this.#list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.#announcement.textContent = words;
    this.#mark(this.input.value && this.#items.length === 1 ? 0 : -1);
  }

  #mark(at) {
    this.#list.children[this.#at]?.setAttribute("aria-selected", "false");
    this.#at = at;
    const marked = this.#list.children[at];
    if (!marked) return this.input.removeAttribute("aria-activedescendant");
    marked.setAttribute("aria-selected", "true");
    marked.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", marked.id);
  }

  #take(at) {
    const words = this.#chosen(this.#items[at]);
    this.#close();
    this.#announcement.textContent = words ?? "";
  }

  #close() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#mark(-1);
    this.#list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}

const KEYS = { ArrowDown: "next", ArrowUp: "back", Enter: "take", Escape: "close" };

async function ask(address) {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" }, redirect: "manual" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function describeResult(answer) {
  if (!answer) return "Search is unavailable. Try again.";
  if (!answer.items.length) return "No results";
  return answer.more
    ? `Showing the first ${answer.items.length}. Keep typing to narrow the list.`
    : `${answer.items.length} ${answer.items.length === 1 ? "result" : "results"}`;
}

function option({ name, about }, id) {
  const line = made("li", { id }, { role: "option", "aria-selected": "false" });
  line.append(made("span", { textContent: name, dir: "auto" }));
  if (about) line.append(" ", made("span", { textContent: about, className: "muted" }));
  return line;
}

function made(tag, members, attributes = {}) {
  const element = Object.assign(document.createElement(tag), members);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
