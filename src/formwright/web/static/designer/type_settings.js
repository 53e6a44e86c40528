// The settings that only some field types have.

import { MEMBERS } from "./field_types.js";
import { inLanguage } from "./labels.js";
import { check, choice, number, row, text } from "./rows.js";

const WHOLE = { step: "1", inputmode: "numeric" };
const LABELS = {
  text: { minLength: "Minimum length", maxLength: "Maximum length" },
  textarea: { maxLength: "Maximum length" },
  integer: { min: "Minimum", max: "Maximum" },
  decimal: { min: "Minimum", max: "Maximum" },
  choices: { minChoices: "Minimum choices", maxChoices: "Maximum choices" },
  rating: { max: "Number of stars" },
  slider: { min: "Minimum", max: "Maximum", step: "Step" },
  photo: { maxFiles: "Maximum number of photos" },
  file: { maxFiles: "Maximum number of files" },
  repeat: { min: "Minimum entries", max: "Maximum entries" },
};
const RANDOM = "Options that exclude others, and “other”, keep their place.";
const USUAL = { rating: { max: 5 }, slider: { min: 0, max: 100, step: 1 }, photo: { maxFiles: 1 }, file: { maxFiles: 1 }, repeat: { min: 0, max: 100 } };

export function ownMembers(edit) {
  const { type } = edit.get();
  const numbers = Object.entries(LABELS[type] ?? {}).map(([member, label]) => {
    const input = number(edit.get()[member], (value) => edit.set(member, value), { ...(type === "decimal" ? {} : WHOLE), placeholder: USUAL[type]?.[member] });
    return row(member, label, input);
  });
  const page = type === "section" ? [check("page", "Show on its own page", Boolean(edit.get().page), (on) => edit.set("page", on || undefined))] : [];
  const random = MEMBERS[type]?.includes("randomize") ? [check("randomize", "Show options in random order", Boolean(edit.get().randomize), (on) => edit.set("randomize", on || undefined), RANDOM)] : [];
  return [...numbers, ...random, ...pattern(edit, type), ...page, ...preset(edit, type)];
}

function pattern(edit, type) {
  if (type !== "text") return [];
  const control = text(edit.get().pattern, (value) => edit.set("pattern", value || undefined), { class: "code", spellcheck: "false", maxlength: "500" });
  return [row("pattern", "Pattern", control, "A regular expression that the whole answer must match. ^[A-Z]{2}[0-9]{4}$ accepts AB1234.")];
}

function preset(edit, type) {
  if (!MEMBERS[type]?.includes("default")) return [];
  const given = edit.get().default;
  const set = (value) => edit.set("default", value === "" ? undefined : value);
  if (type === "boolean") {
    const control = choice([["", "None"], ["true", "Yes"], ["false", "No"]], given === undefined ? "" : String(given), (value) => set(value && value === "true"));
    return [row("default", "Default", control)];
  }
  if (type === "choice") {
    const options = edit.get().options.map((one) => [one.value, inLanguage(one.label, edit.store.language)]);
    return [row("default", "Default", choice([["", "None"], ...options], given ?? "", set))];
  }
  const control = type === "text" || type === "textarea" ? text(given, set, { rows: type === "textarea" ? "2" : null, maxlength: "2000" }) : number(given, set, type === "integer" ? WHOLE : {});
  return [row("default", "Default", control)];
}

