// The members that one kind of field has and another has not.

import { MEMBERS } from "./kinds.js";
import { inLanguage } from "./labels.js";
import { check, choice, number, row, text } from "./rows.js";

const WHOLE = { step: "1", inputmode: "numeric" };
const LABELS = {
  text: { minLength: "Shortest, in characters", maxLength: "Longest, in characters" },
  textarea: { maxLength: "Longest, in characters" },
  integer: { min: "Least", max: "Greatest" },
  decimal: { min: "Least", max: "Greatest" },
  rating: { max: "How many stars" },
  slider: { min: "From", max: "To", step: "In steps of" },
  photo: { maxFiles: "How many photos at most" },
  file: { maxFiles: "How many files at most" },
  repeat: { min: "At least so many times", max: "At most so many times" },
};
const USUAL = { rating: { max: 5 }, slider: { min: 0, max: 100, step: 1 }, photo: { maxFiles: 1 }, file: { maxFiles: 1 }, repeat: { min: 0, max: 100 } };

export function ownMembers(edit) {
  const { type } = edit.get();
  const numbers = Object.entries(LABELS[type] ?? {}).map(([member, label]) => {
    const input = number(edit.get()[member], (value) => edit.set(member, value), { ...(type === "decimal" ? {} : WHOLE), placeholder: USUAL[type]?.[member] });
    return row(member, label, input);
  });
  const page = type === "section" ? [check("page", "A page of its own", Boolean(edit.get().page), (on) => edit.set("page", on || undefined))] : [];
  return [...numbers, ...pattern(edit, type), ...page, ...preset(edit, type)];
}

function pattern(edit, type) {
  if (type !== "text") return [];
  const control = text(edit.get().pattern, (value) => edit.set("pattern", value || undefined), { class: "code", spellcheck: "false", maxlength: "500" });
  return [row("pattern", "Pattern", control, "A regular expression the whole answer is matched with: ^[A-Z]{2}[0-9]{4}$ takes AB1234.")];
}

function preset(edit, type) {
  if (!MEMBERS[type]?.includes("default")) return [];
  const given = edit.get().default;
  const set = (value) => edit.set("default", value === "" ? undefined : value);
  if (type === "boolean") {
    const control = choice([["", "Nothing"], ["true", "Yes"], ["false", "No"]], given === undefined ? "" : String(given), (value) => set(value && value === "true"));
    return [row("default", "Filled in beforehand", control)];
  }
  if (type === "choice") {
    const options = edit.get().options.map((one) => [one.value, inLanguage(one.label, edit.store.language)]);
    return [row("default", "Chosen beforehand", choice([["", "Nothing"], ...options], given ?? "", set))];
  }
  const control = type === "text" || type === "textarea" ? text(given, set, { rows: type === "textarea" ? "2" : null, maxlength: "2000" }) : number(given, set, type === "integer" ? WHOLE : {});
  return [row("default", "Filled in beforehand", control)];
}

