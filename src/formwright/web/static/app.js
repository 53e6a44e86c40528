import { copying } from "./copy_button.js";
import { dialogs } from "./dialog.js";
import { goTo } from "./go_to.js";
import { menus } from "./menu.js";
import { preventDoubleSubmit } from "./double_submit.js";
import { pickers } from "./picker.js";

copying(document);
dialogs(document);
goTo(document);
menus(document);
preventDoubleSubmit(document);
pickers(document);

// On a phone, the navigation bar and tabs are wider than the screen: scroll to the current page.
for (const here of document.querySelectorAll(":is(.main-nav, .tabs) [aria-current]")) {
  const list = here.closest("ul");
  list.scrollTo({ left: here.offsetLeft - list.offsetLeft - (list.clientWidth - here.offsetWidth) / 2 });
}

// A filter applies as soon as it changes. The button next to it is for users without JavaScript, for changes made before
// this script ran, and for the keyboard: arrow keys pass over values that are not meant, and a date is complete after the
// first digit of its year.
for (const form of document.querySelectorAll("form[data-filter]")) {
  const button = form.querySelector("button");
  let byKey = false;
  form.addEventListener("change", (event) => clearOtherPeriod(form, event.target));
  form.addEventListener("keydown", () => (byKey = true));
  form.addEventListener("pointerdown", () => (byKey = false));
  form.addEventListener("change", () => (byKey ? show(true) : form.requestSubmit()));
  form.addEventListener("input", (event) => event.target.type === "search" && show(true));
  // It keeps its place, so that nothing moves when it appears. A form that only searches always has its button.
  const show = (needed) => button.toggleAttribute("data-idle", !needed && !form.matches(".search"));
  show([...form.querySelectorAll("select")].some(isChosen));
}

// A period is either the last days, or a first and a last day.
function clearOtherPeriod(form, changed) {
  const { days, from, to } = form.elements;
  if (!days || !changed.value) return;
  if (changed === days) from.value = to.value = "";
  else if (changed === from || changed === to) days.value = "";
}

function isChosen(select) {
  return !([...select.options].find((option) => option.defaultSelected) ?? select.options[0])?.selected;
}

// After all modules of the page, so that all handlers are attached.
document.addEventListener("DOMContentLoaded", () => {
  document.documentElement.dataset.ready = "";
});
