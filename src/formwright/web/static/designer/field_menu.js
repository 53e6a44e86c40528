// The menu of all field types.

import { createElement, queryAll } from "../dom.js";
import { createIcon } from "./icons.js";

const ARROW_STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
/** After this time, a letter begins another title. */
const TYPING_PAUSE_MS = 700;

/**
 * Return the dialog with all types, and `open(type)`, which moves the focus to a type.
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
  moveByKeys(dialog);
  return {
    dialog,
    open(type = "") {
      target.textContent = describeTarget();
      dialog.showModal();
      listTypeButtons(dialog)
        .find((button) => button.dataset.type === type)
        ?.focus();
    },
  };
}

const listTypeButtons = (dialog) => queryAll("button[data-type]:not(:disabled)", HTMLElement, dialog);

/** Arrow keys go to the next type, and letters to the type whose title begins with them, as in a list of the browser. */
function moveByKeys(dialog) {
  let typed = "";
  let typedAt = 0;
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = listTypeButtons(dialog);
    const place = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const step = ARROW_STEPS[event.key];
    if (step) {
      event.preventDefault();
      buttons[(place + step + buttons.length) % buttons.length].focus();
    } else if (/^\p{L}$/u.test(event.key)) {
      typed = event.timeStamp - typedAt < TYPING_PAUSE_MS ? typed + event.key : event.key;
      typedAt = event.timeStamp;
      const start = Math.max(place + Number(typed.length === 1), 0);
      const ordered = [...buttons.slice(start), ...buttons.slice(0, start)];
      ordered.find((button) => button.textContent.toLowerCase().startsWith(typed.toLowerCase()))?.focus();
    }
  });
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
