// A setting in the panel: label above, control, help and error below.

import { el, fresh, select } from "../dom.js";

/** A row around a control. Errors of `member` are shown in it. */
export function row(member, label, control, help = "") {
  const id = control.id || fresh("member");
  control.id = id;
  const described = [help && `${id}-help`, `${id}-fault`].filter(Boolean).join(" ");
  control.setAttribute("aria-describedby", described);
  return el(
    "div",
    { class: "field", data: { member } },
    el("label", { for: id, text: label }),
    control,
    el("p", { class: "field-error", id: `${id}-fault`, hidden: true }),
    help ? el("p", { class: "help", id: `${id}-help`, text: help }) : null,
  );
}

export function text(value, input, more = {}) {
  const long = more.rows;
  const control = el(long ? "textarea" : "input", { autocomplete: "off", ...more, value: value ?? "" });
  control.addEventListener("input", () => input(control.value));
  return control;
}

export function check(member, label, checked, change, help = "") {
  const id = fresh("member");
  const box = el("input", {
    type: "checkbox",
    id,
    checked,
    "aria-describedby": `${id}-fault${help ? ` ${id}-help` : ""}`,
  });
  box.addEventListener("change", () => change(box.checked));
  return el(
    "div",
    { class: "field check", data: { member } },
    box,
    el("label", { for: id, text: label }),
    el("p", { class: "field-error", id: `${id}-fault`, hidden: true }),
    help ? el("p", { class: "help", id: `${id}-help`, text: help }) : null,
  );
}

export const choice = (choices, chosen, change) => select(choices, chosen, change);

export function collapsible(title, open, ...children) {
  return el("details", { open }, el("summary", { text: title }), ...children);
}
