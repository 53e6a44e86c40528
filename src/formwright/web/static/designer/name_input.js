// The field name: made from the label until the field is published or its name is edited; renaming shows a warning.

import { createButton, createElement } from "../dom.js";
import { localizeLabel } from "./labels.js";
import { isNameTaken, isDerivedFrom, NAME_PATTERN, slugify, uniqueName } from "./field_names.js";
import { createRow, createTextInput, showRowError } from "./setting_rows.js";

/** Change a field's label with `change`; the name follows if it was made from the label. */
export function changeLabelAndName(store, id, before, change, merge) {
  const { field } = store.get(id);
  const follows = !(field.name in store.page.published) && isDerivedFrom(field.name, before, field.type);
  store.renameField(
    id,
    follows ? nameForLabel(store, field, localizeLabel(change(field).label, store.language)) : field.name,
    change,
    merge,
  );
}

function nameForLabel(store, field, label) {
  const others = store.takenNames;
  if (!store.page.reserved.includes(field.name)) others.delete(field.name);
  return uniqueName(slugify(label, field.type), others);
}

export function createNameRow(store, id) {
  const field = () => store.get(id).field;
  const control = createTextInput(field().name, () => applyName(), {
    maxlength: "64",
    spellcheck: "false",
    autocapitalize: "none",
    class: "code",
  });
  const warning = createElement("div", { class: "warning", role: "status", hidden: true });
  const row = createRow("name", "Field name", control, "Used in rules, exports and the API.");
  row.append(warning);
  const initialName = field().name;

  // An invalid name is not applied, and a message says so; the server reports names that are taken.
  function applyName() {
    const isValid = NAME_PATTERN.test(control.value);
    control.setCustomValidity(isValid ? "" : "wrong");
    showRowError(row, isValid ? "" : "Start with a letter and use only letters, digits and _.");
    if (!isValid) return control.setAttribute("aria-invalid", "true");
    control.removeAttribute("aria-invalid");
    if (!isTaken()) store.renameField(id, control.value, undefined, `${id} name`);
    else showRowError(row, "Another field has this name. Choose a different one.");
    showWarning();
  }

  function isTaken() {
    const others = store.fieldNames;
    others.delete(field().name);
    return isNameTaken(others, control.value);
  }

  function showWarning() {
    const breaks = initialName in store.page.published && field().name !== initialName;
    warning.hidden = !breaks;
    const text = `Renaming is a breaking change for integrations. Existing answers stay under “${initialName}”.`;
    const restore = createButton("Keep old name", () => {
      control.value = initialName;
      applyName();
      control.focus();
    });
    warning.replaceChildren(...(breaks ? [createElement("p", { text }), restore] : []));
  }

  store.addEventListener("change", () => {
    if (document.activeElement !== control && control.isConnected && store.get(id)) control.value = field().name;
  });
  return row;
}
