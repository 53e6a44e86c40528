import { copying } from "./copy.js";
import { dialogs } from "./dialog.js";
import { menus } from "./menu.js";
import { once } from "./once.js";
import { pickers } from "./pick.js";

copying(document);
dialogs(document);
menus(document);
once(document);
pickers(document);

// On a phone the places are a bar that is wider than the screen: show the one where we are.
const here = document.querySelector(".places [aria-current]");
here?.closest("ul").scrollTo({ left: here.offsetLeft - (here.closest("ul").clientWidth - here.offsetWidth) / 2 });

// A choice in a filter line takes effect at once; the button beside it is for those without script, for what was chosen
// before this ran, and for the keyboard: there an arrow passes over what is not meant, and a day is whole with the first
// digit of its year.
for (const form of document.querySelectorAll("form[data-filter]")) {
  const button = form.querySelector("button");
  let byKey = false;
  form.addEventListener("keydown", () => (byKey = true));
  form.addEventListener("pointerdown", () => (byKey = false));
  form.addEventListener("change", () => (byKey ? (button.hidden = false) : form.requestSubmit()));
  button.hidden = ![...form.querySelectorAll("select")].some(isChosen);
}

function isChosen(select) {
  return !([...select.options].find((option) => option.defaultSelected) ?? select.options[0])?.selected;
}

// From now on all that only script does is done.
document.documentElement.dataset.ready = "";
