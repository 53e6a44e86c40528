// The menu of all field types.

import { el } from "../dom.js";
import { icon } from "./icons.js";

/** A dialog with all types; `add(type)` is called with the chosen one. `where()` describes where the field will go. */
export function adding(kinds, add, where) {
  const place = el("p", { class: "help" });
  const dialog = el(
    "dialog",
    { class: "add-field", "aria-labelledby": "adding-title" },
    el("h2", { id: "adding-title", text: "Add field" }),
    place,
  );
  for (const group of kinds.groups) dialog.append(groupOf(group, kinds, dialog, add));
  const close = el("button", { type: "button", class: "quiet", text: "Cancel", on: { click: () => dialog.close() } });
  dialog.append(el("div", { class: "actions" }, close));
  return {
    dialog,
    open() {
      place.textContent = where();
      dialog.showModal();
    },
  };
}

function groupOf({ name: title, choices }, kinds, dialog, add) {
  const id = `adding-${title.toLowerCase().replaceAll(" ", "-")}`;
  const items = choices.map(([type, name, path]) => {
    const missing = kinds.missing(type);
    const choose = () => (dialog.close(), add(type));
    const one = el(
      "button",
      { type: "button", class: "quiet", disabled: Boolean(missing), data: { type }, on: { click: choose } },
      icon(path),
      el("span", { text: name }),
    );
    const why = missing && el("p", { class: "help", text: missing });
    const remedy = kinds.remedy(type);
    const link = remedy && el("a", { href: remedy, text: "Add data source" });
    return el("li", {}, one, why || null, link || null);
  });
  return el(
    "section",
    { "aria-labelledby": id },
    el("h3", { id, text: title }),
    el("ul", { class: "field-types" }, ...items),
  );
}
