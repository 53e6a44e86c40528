// A button beside each password that shows what was typed. Passwords are hidden again before they are sent, so that
// browsers don't offer them as texts in other fields.

import { createElement, queryAll } from "./dom.js";

export function enablePasswordSwitches(root) {
  for (const input of queryAll("input[autocomplete$=-password]", HTMLInputElement, root)) addSwitch(input);
}

function addSwitch(input) {
  const [label] = input.labels;
  label.id ||= `${input.id}-label`;
  const button = createElement("button", { type: "button", class: "quiet", "aria-describedby": label.id });
  const show = (isShown) => {
    input.type = isShown ? "text" : "password";
    button.textContent = isShown ? "Hide" : "Show";
  };
  button.addEventListener("click", () => show(input.type === "password"));
  input.form?.addEventListener("submit", () => show(false));
  const row = createElement("div", { class: "with-switch" });
  const hasFocus = document.activeElement === input;
  input.replaceWith(row);
  row.append(input, button);
  if (hasFocus) input.focus();
  show(false);
}
