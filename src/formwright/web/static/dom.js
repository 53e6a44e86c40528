// Creates elements, so that text from users stays text.

/** `el("p", {class: "help", text: "…", on: {click}}, …children)`; null and false children are skipped. */
export function el(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  const { text, on = {}, data = {}, value, checked, ...attributes } = given;
  for (const [name, content] of Object.entries(attributes)) {
    if (content !== null && content !== undefined && content !== false)
      element.setAttribute(name, content === true ? "" : content);
  }
  for (const [name, content] of Object.entries(data)) element.dataset[name] = content;
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  if (text !== undefined) element.textContent = text;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  if (value !== undefined) element.value = value;
  if (checked !== undefined) element.checked = checked;
  return element;
}

export const at = (id) => document.getElementById(id);

export const button = (text, click, more = {}) =>
  el("button", { type: "button", class: "quiet small", text, on: { click }, ...more });

/** A select element; `choices` are [value, text] pairs. */
export function select(choices, chosen, change, more = {}) {
  const options = choices.map(([value, text]) => el("option", { value, text }));
  const list = el("select", more, ...options);
  list.value = chosen;
  list.addEventListener("change", () => change(list.value));
  return list;
}

let number = 0;
export const fresh = (prefix) => `${prefix}-${(number += 1)}`;

/** Announce a text to screen readers once. */
export function say(text) {
  at("announcement").textContent = "";
  requestAnimationFrame(() => (at("announcement").textContent = text));
}
