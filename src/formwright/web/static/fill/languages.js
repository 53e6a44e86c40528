// Chooses the language of the form, and lets users switch between its languages.

import { surveyLocalization } from "survey-core";
import { t, switchLanguage } from "./texts.js";

const STORAGE_KEY = "formwright:language";

/** Return the first language to show: the one in the address, an earlier choice, or the browser's preference. */
export function chooseLanguage(languages, defaultTag) {
  const preferred = [new URLSearchParams(location.search).get("lang"), readStoredLanguage(), ...navigator.languages];
  for (const tag of preferred.filter(Boolean)) {
    const found =
      languages.find((one) => isSameTag(one, tag)) ??
      languages.find((one) => isSameTag(primarySubtag(one), primarySubtag(tag)));
    if (found) return found;
  }
  return defaultTag;
}

/**
 * Load the texts of this language from the module at its URL; without it, they are English. The form's own texts of
 * buttons replace them.
 * @param {string} tag
 * @param {import("./types.js").PageData} page
 */
export async function loadLanguage(tag, { languages, language, buttons }) {
  Object.assign(document.documentElement, { lang: tag, dir: direction(tag) });
  const url = languages[tag];
  const translation = url && (await import(url).catch(() => null));
  switchLanguage(tag, { ...translation?.texts, ...localizeButtons(buttons, tag, language) });
  overrideTexts(tag);
}

/** Return the texts in exactly this language: another one would be stranger than the text of the page. */
function localizeButtons(buttons, tag, own) {
  const localize = (label) =>
    typeof label === "string" ? tag === own && label : (label[tag] ?? label[primarySubtag(tag)]);
  const found = Object.entries(buttons).map(([name, label]) => [name, localize(label)]);
  return Object.fromEntries(found.filter(([, text]) => text));
}

/** The names of the texts of the form library that a page can show, with those of ours. */
const LIBRARY_TEXTS = {
  addPanel: "addEntry",
  booleanCheckedLabel: "yes",
  booleanUncheckedLabel: "no",
  cancel: "cancel",
  clearCaption: "clear",
  confirmDelete: "removeRow",
  emptyMessage: "noResults",
  filterStringPlaceholder: "search",
  loadingData: "loading",
  modalApplyButtonText: "done",
  modalCancelButtonText: "cancel",
  more: "moreInformation",
  noEntriesReadonlyText: "noEntries",
  noEntriesText: "noEntries",
  ok: "done",
  placeholder: "select",
  ratingOptionsCaption: "select",
  removePanel: "removeEntry",
  requiredError: "required",
  selectCaption: "select",
  tagboxDoneButtonCaption: "done",
};

/** Our texts are shown instead of the library's, some of whose translations are wrong. */
function overrideTexts(tag) {
  const texts = Object.entries(LIBRARY_TEXTS).map(([key, text]) => [key, t(text)]);
  const { locales } = surveyLocalization;
  locales[tag] = { ...locales[tag], ...Object.fromEntries(texts) };
}

// Not every browser knows text directions; for the others, the few right-to-left languages are listed.
function direction(tag) {
  const locale = new Intl.Locale(tag);
  const info = locale.getTextInfo?.() ?? locale.textInfo;
  return info?.direction ?? (["ar", "fa", "he", "ur"].includes(primarySubtag(tag)) ? "rtl" : "ltr");
}

/** Offer the languages in `select`; `change(tag)` is called when one is chosen. */
export function showLanguageSelect(select, languages, current, change) {
  if (languages.length < 2) return;
  select.replaceChildren(...languages.map((tag) => new Option(nameOf(tag), tag, false, tag === current)));
  for (const option of select.options) option.lang = option.value;
  select.setAttribute("aria-label", t("language"));
  select.hidden = false;
  select.addEventListener("change", async () => {
    storeLanguage(select.value);
    await change(select.value);
    select.setAttribute("aria-label", t("language"));
  });
}

const primarySubtag = (tag) => tag.split("-")[0];
const isSameTag = (one, other) => one.toLowerCase() === other.toLowerCase();

function nameOf(tag) {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag);
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

function readStoredLanguage() {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function storeLanguage(tag) {
  try {
    localStorage.setItem(STORAGE_KEY, tag);
  } catch {
    // It applies to this visit only.
  }
}
