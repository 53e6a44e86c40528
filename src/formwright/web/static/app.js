import { copying } from "./copy.js";
import { dialogs } from "./dialog.js";
import { menus } from "./menu.js";

copying(document);
dialogs(document);
menus(document);

// A choice in a filter line takes effect at once; the button beside it is for those without script.
for (const form of document.querySelectorAll("form[data-filter]")) {
  form.addEventListener("change", () => form.requestSubmit());
  form.querySelector("button").hidden = true;
}
