// The menu of all field types.

import { createElement } from "../dom.js";
import { createIcon } from "./icons.js";

/**
 * Return the dialog with all types, and `open()`.
 * @param {import("./field_types.js").FieldTypes} fieldTypes
 * @param {(type: string) => void} add  called with the chosen type
 * @param {() => string} describeTarget  where the field will go
 */
export function createFieldMenu(fieldTypes, add, describeTarget) {
  const target = createElement("p", { class: "help" });
  const dialog = createElement(
    "dialog",
    { class: "add-field", "aria-labelledby": "adding-title" },
    createElement("h2", { id: "adding-title", text: "Add field" }),
    target,
  );
  for (const group of fieldTypes.groups) dialog.append(createGroup(group, fieldTypes, dialog, add));
  const close = createElement("button", {
    type: "button",
    class: "quiet",
    text: "Cancel",
    on: { click: () => dialog.close() },
  });
  dialog.append(createElement("div", { class: "actions" }, close));
  return {
    dialog,
    open() {
      target.textContent = describeTarget();
      dialog.showModal();
    },
  };
}

function createGroup({ name, choices }, fieldTypes, dialog, add) {
  const id = `adding-${name.toLowerCase().replaceAll(" ", "-")}`;
  const items = choices.map(([type, title, icon]) => {
    const missing = fieldTypes.missingRequirement(type);
    const choose = () => {
      dialog.close();
      add(type);
    };
    const button = createElement(
      "button",
      { type: "button", class: "quiet", disabled: Boolean(missing), data: { type }, on: { click: choose } },
      createIcon(icon),
      createElement("span", { text: title }),
    );
    const help = missing && createElement("p", { class: "help", text: missing });
    const url = fieldTypes.requirementUrl(type);
    const link = url && createElement("a", { href: url, text: "Add data source" });
    return createElement("li", {}, button, help || null, link || null);
  });
  return createElement(
    "section",
    { "aria-labelledby": id },
    createElement("h3", { id, text: name }),
    createElement("ul", { class: "field-types" }, ...items),
  );
}
