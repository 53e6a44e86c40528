// On a phone, one of three views is visible at a time: fields, edit, preview.

import { closest, query, queryAll } from "../dom.js";

/** Return `show(view)`. */
export function enableViewSwitch(root) {
  const bar = query(".views", HTMLElement, root);
  const buttons = queryAll("button", HTMLButtonElement, bar);
  bar.hidden = false;
  const show = (view) => {
    root.dataset.view = view;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.show === view));
  };
  bar.addEventListener("click", (event) => {
    const button = closest(event, "button");
    if (button) show(button.dataset.show);
  });
  return show;
}
