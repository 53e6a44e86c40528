// Labels: a text, or one for each language.

import { TEXT_PROPERTIES } from "./field_names.js";

export const localizeLabel = (label, language) =>
  typeof label === "string" ? label : (label?.[language] ?? Object.values(label ?? {})[0] ?? "");

export const optionLabel = (option, language) => localizeLabel(option.label, language) || option.value;

/** Return the text in exactly this language, without a fallback. */
export function readLabel(label, language, own) {
  if (typeof label === "string") return language === own ? label : "";
  return label?.[language] ?? "";
}

/** Return the label with one language's text changed, or undefined if it becomes empty. */
export function changeLabel(label, language, text, own) {
  const texts = typeof label === "string" ? { [own]: label } : { ...label };
  if (text) texts[language] = text;
  else delete texts[language];
  const tags = Object.keys(texts);
  if (!tags.length) return undefined;
  return tags.length === 1 && tags[0] === own ? texts[own] : texts;
}

/** Return all languages used by any of these fields. */
export function listLanguages(fields) {
  const found = new Set();
  const add = (label) => {
    if (typeof label === "object" && label) for (const tag of Object.keys(label)) found.add(tag);
  };
  for (const field of fields) {
    for (const property of TEXT_PROPERTIES) add(field[property]);
    for (const option of field.options ?? []) add(option.label);
  }
  return found;
}

/** Return a language's English name. */
export function languageName(language) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(language) ?? language;
  } catch {
    return language;
  }
}
