// Inputs that choose among known values: a list, or a search if there are many.

import { Combobox } from "../combobox.js";
import { createElement, createSelect, query, uniqueId } from "../dom.js";
import { foldText } from "../fold_text.js";

/** Longer lists are searched. */
export const MAX_LISTED = 15;
const MAX_RESULTS = 50;

/** @typedef {[value: string, label: string]} Choice */

/**
 * An input for one of the choices, or none yet.
 * @param {Choice[]} choices
 * @param {string | undefined} value
 * @param {(value: string) => void} choose
 * @param {{"aria-label": string, placeholder: string}} texts
 * @returns {HTMLElement}
 */
export function createChoiceInput(choices, value, choose, { placeholder, ...attributes }) {
  if (choices.length > MAX_LISTED) return createSearch(choices, value, choose, { placeholder, ...attributes });
  const first = value === undefined ? [["", placeholder]] : [];
  const change = (chosen) => {
    // There is no way back to none.
    query('[value=""]', HTMLElement, select)?.remove();
    choose(chosen);
  };
  const select = createSelect([...first, ...choices], value ?? "", change, { dir: "auto", ...attributes });
  return select;
}

/** An input with a list that shows what contains the typed text. */
export function createSearch(choices, value, choose, attributes) {
  const labelOf = (one) => choices.find(([known]) => known === one)?.[1] ?? one ?? "";
  let chosenLabel = labelOf(value);
  const box = new Combobox(
    // The label of the choice is no search for it alone.
    async (text) => searchChoices(choices, text === chosenLabel ? "" : text),
    uniqueId("choice"),
    ({ id, name }) => {
      chosenLabel = name;
      box.input.value = name;
      choose(id);
      return `${name} selected`;
    },
  );
  for (const [name, text] of Object.entries(attributes)) box.input.setAttribute(name, text);
  box.input.value = chosenLabel;
  box.input.addEventListener("focus", () => box.input.select());
  // Text that is typed but not chosen is not a choice.
  box.input.addEventListener("blur", () => {
    box.input.value = chosenLabel;
  });
  return box.root;
}

function searchChoices(choices, text) {
  const wanted = foldText(text.trim());
  const found = choices.filter(([value, label]) => foldText(`${label} ${value}`).includes(wanted));
  return {
    items: found.slice(0, MAX_RESULTS).map(([id, name]) => ({ id, name })),
    more: found.length > MAX_RESULTS,
  };
}

/**
 * Inputs for several of the choices.
 * @param {Choice[]} choices
 * @param {string[]} values
 * @param {(values: string[]) => void} change
 */
export function createChoicesInput(choices, values, change, label) {
  if (choices.length > MAX_LISTED) return createChosenList(choices, values, change, label);
  const chosen = new Set(values);
  const unknown = values.filter((one) => !choices.some(([known]) => known === one)).map((one) => [one, one]);
  const boxes = [...choices, ...unknown].map(([value, text]) => {
    const toggle = () => {
      if (box.checked) chosen.add(value);
      else chosen.delete(value);
      change([...choices, ...unknown].map(([one]) => one).filter((one) => chosen.has(one)));
    };
    const box = createElement("input", { type: "checkbox", checked: chosen.has(value), on: { change: toggle } });
    return createElement("label", {}, box, createElement("bdi", { text }));
  });
  return createElement("div", { class: "choices", role: "group", "aria-label": label }, ...boxes);
}

function createChosenList(choices, values, change, label) {
  const labelOf = (value) => choices.find(([known]) => known === value)?.[1] ?? value;
  const chips = createChips(values, labelOf, change);
  const search = createSearch(choices, undefined, (value) => chips.add(value), {
    "aria-label": label,
    placeholder: "Search",
  });
  return createElement("div", { class: "chosen" }, chips.element, search);
}

/** A list of values that can be removed. `add` appends one, unless it is there. */
export function createChips(values, labelOf, change) {
  let current = values;
  const element = createElement("ul", { class: "chips" });
  const set = (changed) => {
    current = changed;
    draw();
    change(current);
  };
  const key = (value) => JSON.stringify(value);
  const createChip = (value, index) => {
    const remove = () => {
      set(current.toSpliced(index, 1));
      const next = element.querySelectorAll("button")[Math.min(index, current.length - 1)];
      (next ?? element.parentElement.querySelector("input")).focus();
    };
    const button = createElement("button", {
      type: "button",
      class: "quiet",
      text: "×",
      "aria-label": `Remove ${labelOf(value)}`,
      on: { click: remove },
    });
    return createElement("li", {}, createElement("bdi", { text: labelOf(value) }), button);
  };
  const draw = () => element.replaceChildren(...current.map(createChip));
  draw();
  const add = (value) => current.some((one) => key(one) === key(value)) || set([...current, value]);
  return {
    element,
    add,
    get values() {
      return current;
    },
  };
}
