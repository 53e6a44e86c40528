// What all pages of signed-in people have: menus, dialogs, pickers, filters and the search "Go to".

import { enableCopyButtons } from "./copy_button.js";
import { enableDialogs } from "./dialog.js";
import { query, queryAll } from "./dom.js";
import { preventDoubleSubmit } from "./double_submit.js";
import { enableGoTo } from "./go_to.js";
import { enableShortcuts } from "./keyboard_shortcuts.js";
import { enableMenus } from "./menu.js";
import { enablePasswordSwitches } from "./password_switch.js";
import { enablePickers } from "./picker.js";
import { keepUnsavedInput } from "./unsaved_input.js";

enableCopyButtons(document);
enableDialogs(document);
enableGoTo(document);
enableMenus(document);
enableShortcuts();
preventDoubleSubmit(document);
enablePasswordSwitches(document);
enablePickers(document);
keepUnsavedInput(document);

// On a phone, the navigation bar and tabs are wider than the screen: scroll to the current page.
for (const link of queryAll(":is(.main-nav, .tabs) [aria-current]")) {
  const list = link.closest("ul");
  list.scrollTo({ left: link.offsetLeft - list.offsetLeft - (list.clientWidth - link.offsetWidth) / 2 });
}

// A filter applies as soon as it changes. The button next to it is for users without JavaScript, for changes made before
// this script ran, and for the keyboard: arrow keys pass over values that are not meant, and a date is complete after the
// first digit of its year.
for (const form of queryAll("form[data-filter]", HTMLFormElement)) {
  const button = query("[data-apply]", HTMLButtonElement, form);
  let isByKey = false;
  form.addEventListener("change", (event) => clearOtherPeriod(form, event.target));
  form.addEventListener("keydown", () => {
    isByKey = true;
  });
  form.addEventListener("pointerdown", () => {
    isByKey = false;
  });
  // In a menu or a sheet, several fields can be changed before they apply.
  form.addEventListener("change", ({ target }) => {
    if (targetIn(target, ".panel-body, :popover-open")) return;
    if (isByKey) showButton(true);
    else form.requestSubmit();
  });
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "search") showButton(true);
  });
  const showButton = (isNeeded) => button?.toggleAttribute("data-idle", !isNeeded);
  showButton(queryAll("select", HTMLSelectElement, form).some(isChanged));
}

// A period is either the last days, or a first and a last day.
function clearOtherPeriod(form, changed) {
  const { days, from, to } = form.elements;
  if (!days || !changed.value) return;
  if (changed === days) {
    from.value = "";
    to.value = "";
  } else if (changed === from || changed === to) days.value = "";
}

function targetIn(target, selector) {
  return target instanceof Element && target.closest(selector);
}

function isChanged(select) {
  return !([...select.options].find((option) => option.defaultSelected) ?? select.options[0])?.selected;
}

// After all modules of the page, so that all handlers are attached.
document.addEventListener("DOMContentLoaded", () => {
  document.documentElement.dataset.ready = "";
});
