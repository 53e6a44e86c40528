// Light or dark mode. Loaded in the head, before anything is rendered, so that the page does not flash.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const readTheme = () => {
    try {
      return localStorage.getItem("formwright:theme");
    } catch {
      return null;
    }
  };
  const now = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");
  const other = () => (now() === "dark" ? "light" : "dark");

  if (["light", "dark"].includes(readTheme())) root.dataset.theme = readTheme();

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    if (!button) return;
    // A button with an icon has its name in the page's language.
    const name = () => {
      if (button.dataset.themeSwitch !== "icon") button.textContent = other() === "dark" ? "Dark" : "Light";
    };
    button.addEventListener("click", () => {
      root.dataset.theme = other();
      try {
        localStorage.setItem("formwright:theme", root.dataset.theme);
      } catch {
        // It applies to this page only.
      }
      name();
    });
    dark.addEventListener("change", name);
    name();
    button.hidden = false;
  });
})();
