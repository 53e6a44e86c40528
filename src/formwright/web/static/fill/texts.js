// The page's texts in its language, or in English if there is no translation.

import { texts as english } from "./texts/en.js";

const TRANSLATED_LANGUAGES = ["de", "es", "fr", "it", "nl", "pl", "pt"];
let texts = english;

/** Return whether there is a translation into this language. */
export const hasTranslation = (tag) => ["en", ...TRANSLATED_LANGUAGES].includes(tag.split("-")[0]);

/** Return the text of this name, with its placeholders filled in order. */
export const t = (name, ...values) => texts[name].replace(/\{(\d)\}/g, (_, place) => values[place]);

/** Return the message of a refusal by its code: ours if there is one. */
export const rejectionText = (/** @type {{ code?: string, detail?: string }} */ { code, detail }) =>
  REJECTION_TEXTS[code] ? t(REJECTION_TEXTS[code]) : detail;

const REJECTION_TEXTS = {
  "form.not_found": "formClosed",
  "form.not_published": "formClosed",
  "form.archived": "formClosed",
  "form.link_closed": "formClosed",
  "form.link_full": "formFull",
  "form.device_answered": "deviceAnswered",
  "invite.link_ended": "linkEnded",
  "submission.saved_elsewhere": "savedElsewhere",
  "submission.submitted_already": "alreadySubmitted",
  "file.empty": "fileEmpty",
  "file.not_accepted": "fileType",
  "file.type": "fileType",
  "file.too_large": "fileLarge",
};

/**
 * Return a label of the form, a text or one for each language, in the page's language. `formLanguage` is the key of the
 * text in the form's own language, for pages in other ones.
 */
export function localizedLabel(label, formLanguage = "default") {
  const tag = document.documentElement.lang;
  if (typeof label === "string") return label;
  return label[tag] ?? label[tag.split("-")[0]] ?? label[formLanguage] ?? Object.values(label)[0];
}

/** Switch to the language `tag`, also in elements with `data-word` (text) or `data-called` (accessible name). */
export function switchLanguage(tag, translation) {
  const own = tag.split("-")[0];
  texts = translation ?? english;
  for (const element of findAll("[data-called]")) element.ariaLabel = t(element.dataset.called);
  for (const element of findAll("[data-word]")) {
    element.textContent = t(element.dataset.word);
    element.lang = TRANSLATED_LANGUAGES.includes(own) ? own : "en";
  }
}

/** @returns {Iterable<HTMLElement>} */
const findAll = (selector) => document.querySelectorAll(selector);
