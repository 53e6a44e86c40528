// `<details class="menu">` closes when the focus leaves it; without JavaScript, its own button closes it.

import { closest, query, queryAll } from "./dom.js";

export function enableMenus(root) {
  // In a sheet on a phone, what is in its only menu is shown at once.
  for (const sheet of queryAll(".sheet", HTMLElement, root)) {
    sheet.addEventListener("toggle", () => {
      const isOpen = sheet.matches(":popover-open");
      for (const menu of queryAll("details.panel", HTMLDetailsElement, sheet)) menu.open = isOpen;
    });
  }
  const listOpenMenus = () => queryAll("details.menu[open]", HTMLDetailsElement, root);
  const closeOthers = (event) => {
    for (const menu of listOpenMenus())
      if (!menu.contains(event.target) && !menu.closest(":popover-open")) menu.open = false;
  };
  root.addEventListener("click", closeOthers);
  // A link to a file leaves the page as it is, and its menu would cover what is below.
  root.addEventListener("click", (event) => {
    const menu = closest(event, "details.menu[open]");
    if (!(menu instanceof HTMLDetailsElement) || !closest(event, "a[href]")) return;
    menu.open = false;
    query("summary", HTMLElement, menu).focus();
  });
  root.addEventListener("focusin", closeOthers);
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of listOpenMenus()) {
      menu.open = false;
      query("summary", HTMLElement, menu).focus();
    }
  });
}
