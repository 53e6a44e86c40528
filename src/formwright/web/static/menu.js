// `<details class="menu">` closes when the focus leaves it; without JavaScript, its own button closes it.

import { query, queryAll } from "./dom.js";

export function enableMenus(root) {
  const listOpenMenus = () => queryAll("details.menu[open]", HTMLDetailsElement, root);
  const closeOthers = (event) => {
    for (const menu of listOpenMenus()) if (!menu.contains(event.target)) menu.open = false;
  };
  root.addEventListener("click", closeOthers);
  root.addEventListener("focusin", closeOthers);
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of listOpenMenus()) {
      menu.open = false;
      query("summary", HTMLElement, menu).focus();
    }
  });
}
