// Labels: a text, or one for each language.

export const inLanguage = (label, language) =>
  typeof label === "string" ? label : (label?.[language] ?? Object.values(label ?? {})[0] ?? "");

/** What stands in one language only, and nothing in its place. */
export function written(label, language, own) {
  if (typeof label === "string") return language === own ? label : "";
  return label?.[language] ?? "";
}

/** The label with one language's text changed; undefined when nothing is left of it. */
export function rewritten(label, language, text, own) {
  const texts = typeof label === "string" ? { [own]: label } : { ...label };
  if (text) texts[language] = text;
  else delete texts[language];
  const tags = Object.keys(texts);
  if (!tags.length) return undefined;
  return tags.length === 1 && tags[0] === own ? texts[own] : texts;
}

/** All languages in which any of these fields speaks. */
export function languagesIn(fields) {
  const found = new Set();
  const look = (label) => typeof label === "object" && label && Object.keys(label).forEach((tag) => found.add(tag));
  for (const field of fields) {
    [field.label, field.hint, field.message].forEach(look);
    field.options?.forEach((option) => look(option.label));
  }
  return found;
}

/** A language as it is called in English. */
export function nameOf(language) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(language) ?? language;
  } catch {
    return language;
  }
}
