// Finds and creates elements. A text given to an element stays text: nothing here reads HTML.

/**
 * Return the element, or null. Another type of element than expected is a mistake in the template.
 * @template {Element} [T=HTMLElement]
 * @param {Element | null} element
 * @param {new () => T} [type]
 * @returns {T | null}
 */
function expectType(element, type) {
  if (element && type && !(element instanceof type)) throw new TypeError(`<${element.localName}> is no ${type.name}`);
  return /** @type {T | null} */ (element);
}

/**
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [type]
 */
export const byId = (id, type) => expectType(document.getElementById(id), type);

/**
 * Return the first match, or null.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {new () => T} [type]
 * @param {ParentNode} [root]
 */
export const query = (selector, type, root = document) => expectType(root.querySelector(selector), type);

/**
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {new () => T} [type]
 * @param {ParentNode} [root]
 */
export const queryAll = (selector, type, root = document) =>
  [...root.querySelectorAll(selector)].map((element) => expectType(element, type));

/** @param {Event} event  @returns {Element | null} null for events of the document or the window. */
export const targetOf = (event) => (event.target instanceof Element ? event.target : null);

/**
 * Return the innermost match that contains the target of an event, or null.
 * @template {Element} [T=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @param {new () => T} [type]
 */
export const closest = (event, selector, type) => expectType(targetOf(event)?.closest(selector) ?? null, type);

/**
 * `createElement("p", {class: "help", text: "…", on: {click}}, …children)`; null and undefined children are skipped, and
 * so are attributes without a value.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} properties
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function createElement(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  const { text, on = {}, data = {}, value, checked, ...attributes } = properties;
  for (const [name, content] of Object.entries(attributes)) {
    if (content !== null && content !== undefined && content !== false)
      element.setAttribute(name, content === true ? "" : content);
  }
  for (const [name, content] of Object.entries(data)) element.dataset[name] = content;
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  if (text !== undefined) element.textContent = text;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  // Only now: the value of a textarea or select is set after its attributes and options.
  if (value !== undefined) Object.assign(element, { value });
  if (checked !== undefined) Object.assign(element, { checked });
  return element;
}

export const createButton = (text, click, more = {}) =>
  createElement("button", { type: "button", class: "quiet small", text, on: { click }, ...more });

/** A select element; `choices` are [value, text] pairs. */
export function createSelect(choices, chosen, change, more = {}) {
  const options = choices.map(([value, text]) => createElement("option", { value, text }));
  const select = createElement("select", more, ...options);
  select.value = chosen;
  select.addEventListener("change", () => change(select.value));
  return select;
}

let lastNumber = 0;
/** Return an id that no other element has. */
export const uniqueId = (prefix) => {
  lastNumber += 1;
  return `${prefix}-${lastNumber}`;
};

/** Announce a text to screen readers, also if it is the same as before. */
export function announce(text) {
  byId("announcement").textContent = "";
  requestAnimationFrame(() => {
    byId("announcement").textContent = text;
  });
}
