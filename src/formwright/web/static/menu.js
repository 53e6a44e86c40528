// `<details class="menu">` closes when the focus leaves it; without JavaScript, its own button closes it.

export function menus(root) {
  const open = () => root.querySelectorAll("details.menu[open]");
  root.addEventListener("click", (event) => {
    for (const menu of open()) if (!menu.contains(event.target)) menu.open = false;
  });
  root.addEventListener("focusin", (event) => {
    for (const menu of open()) if (!menu.contains(event.target)) menu.open = false;
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
}
