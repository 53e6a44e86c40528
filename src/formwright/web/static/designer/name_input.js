// The field name: made from the label until the field is published or its name is edited; renaming shows a warning.

import { button, el } from "../dom.js";
import { inLanguage } from "./labels.js";
import { isIn, madeFrom, NAME, slug, unique } from "./field_names.js";
import { row, text } from "./setting_rows.js";

/** Change a field's label with `change`; the name follows if it was made from the label. */
export function renameField(store, id, before, change, merge) {
  const { field } = store.get(id);
  const follows = !(field.name in store.page.published) && madeFrom(field.name, before, field.type);
  store.rename(
    id,
    follows ? nameFor(store, field, inLanguage(change(field).label, store.language)) : field.name,
    change,
    merge,
  );
}

function nameFor(store, field, label) {
  const others = store.taken;
  if (!store.page.reserved.includes(field.name)) others.delete(field.name);
  return unique(slug(label, field.type), others);
}

export function nameMember(store, id) {
  const field = () => store.get(id).field;
  const control = text(field().name, () => commit(), {
    maxlength: "64",
    spellcheck: "false",
    autocapitalize: "none",
    class: "code",
  });
  const warning = el("div", { class: "warning", role: "status", hidden: true });
  const whole = row("name", "Field name", control, "Used in rules, exports and the API.");
  whole.append(warning);
  const was = field().name;

  // An invalid name is not applied, and a message says so; the server reports names that are taken.
  function commit() {
    const good = NAME.test(control.value);
    control.setCustomValidity(good ? "" : "wrong");
    const slot = whole.querySelector(".field-error");
    slot.hidden = good;
    slot.textContent = good ? "" : "Start with a letter and use only letters, digits and _.";
    if (!good) return control.setAttribute("aria-invalid", "true");
    control.removeAttribute("aria-invalid");
    if (!isTaken()) store.rename(id, control.value, undefined, `${id} name`);
    else Object.assign(slot, { hidden: false, textContent: "Another field has this name. Choose a different one." });
    warn();
  }

  function isTaken() {
    const others = store.names;
    others.delete(field().name);
    return isIn(others, control.value);
  }

  function warn() {
    const breaks = was in store.page.published && field().name !== was;
    warning.hidden = !breaks;
    const words = `Renaming is a breaking change for integrations. Existing answers stay under “${was}”.`;
    const back = button("Keep old name", () => ((control.value = was), commit(), control.focus()));
    warning.replaceChildren(...(breaks ? [el("p", { text: words }), back] : []));
  }

  store.addEventListener("change", () => {
    if (document.activeElement !== control && control.isConnected && store.get(id)) control.value = field().name;
  });
  return whole;
}
