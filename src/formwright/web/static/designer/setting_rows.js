// A setting in the panel: label above, control, help and error below.

import { createElement, query, uniqueId } from "../dom.js";

/** How many options the panel lists one by one. Each has several inputs, so thousands of them would take seconds. */
export const MAX_SHOWN_OPTIONS = 100;

/** A row around a control. Errors of `property` are shown in it. */
export function createRow(property, label, control, help = "") {
  const id = control.id || uniqueId("property");
  control.id = id;
  const described = [help && `${id}-help`, `${id}-fault`].filter(Boolean).join(" ");
  control.setAttribute("aria-describedby", described);
  return createElement(
    "div",
    { class: "field", data: { property } },
    createElement("label", { for: id, text: label }),
    control,
    createElement("p", { class: "field-error", id: `${id}-fault`, hidden: true }),
    help ? createElement("p", { class: "help", id: `${id}-help`, text: help }) : null,
  );
}

/** Show an error in a row, or none. */
export function showRowError(row, text = "") {
  const slot = query(".field-error", HTMLElement, row);
  slot.textContent = text;
  slot.hidden = !text;
}

/** An input, or a textarea if it has rows. `input` receives each changed text. */
export function createTextInput(value, input, more = {}) {
  const properties = { autocomplete: "off", ...more, value: value ?? "" };
  const control = more.rows ? createElement("textarea", properties) : createElement("input", properties);
  control.addEventListener("input", () => input(control.value));
  return control;
}

export function createCheckboxRow(property, label, checked, change, help = "") {
  const id = uniqueId("property");
  const box = createElement("input", {
    type: "checkbox",
    id,
    checked,
    "aria-describedby": `${id}-fault${help ? ` ${id}-help` : ""}`,
  });
  box.addEventListener("change", () => change(box.checked));
  return createElement(
    "div",
    { class: "field check", data: { property } },
    box,
    createElement("label", { for: id, text: label }),
    createElement("p", { class: "field-error", id: `${id}-fault`, hidden: true }),
    help ? createElement("p", { class: "help", id: `${id}-help`, text: help }) : null,
  );
}

export function createDetails(title, open, ...children) {
  return createElement("details", { open }, createElement("summary", { text: title }), ...children);
}
