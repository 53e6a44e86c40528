// Light or dark mode. Loaded in the head, before anything is rendered, so that the page does not flash.
(() => {
  const STORAGE_KEY = "formwright:theme";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const readTheme = () => {
    try {
      return localStorage.getItem(STORAGE_KEY);
    } catch {
      return null;
    }
  };
  const currentTheme = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");
  const otherTheme = () => (currentTheme() === "dark" ? "light" : "dark");

  if (["light", "dark"].includes(readTheme())) root.dataset.theme = readTheme();

  addEventListener("DOMContentLoaded", () => {
    /** @type {HTMLButtonElement | null} */
    const button = document.querySelector("[data-theme-switch]");
    if (!button) return;
    // A button with an icon is shown once it has its name, in the language of the page.
    const isIcon = button.dataset.themeSwitch === "icon";
    const showLabel = () => {
      if (!isIcon) button.textContent = otherTheme() === "dark" ? "Dark" : "Light";
    };
    button.addEventListener("click", () => {
      root.dataset.theme = otherTheme();
      try {
        localStorage.setItem(STORAGE_KEY, root.dataset.theme);
      } catch {
        // It applies to this page only.
      }
      showLabel();
    });
    dark.addEventListener("change", showLabel);
    showLabel();
    button.hidden = isIcon && !button.ariaLabel;
  });
})();
