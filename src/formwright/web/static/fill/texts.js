// The page's texts in its language, or in English if there is no translation. Some languages have those of buttons only.

import { texts as english } from "./texts/en.js";

/** @type {Record<string, string>} */
let texts = english;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Return the text of this name, with its placeholders filled in order. */
export const t = (name, ...values) => texts[name].replace(/\{(\d)\}/g, (_, place) => isolate(values[place]));

/** Keep the order of what is around a value if one of them is read from right to left: in the isolates of Unicode. */
export function isolate(value) {
  const isMixed = RIGHT_TO_LEFT.test(value) || globalThis.document?.documentElement.dir === "rtl";
  return isMixed && /\p{L}/u.test(value) ? `\u2068${value}\u2069` : value;
}

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
  texts = { ...english, ...translation };
  for (const element of findAll("[data-called]")) {
    element.ariaLabel = t(element.dataset.called);
    if (element.dataset.themeSwitch) element.hidden = false;
  }
  for (const element of findAll("[data-word]")) {
    const { word } = element.dataset;
    element.textContent = t(word);
    element.lang = translation && word in translation ? tag : "en";
    // English words in a page that is read from right to left.
    element.dir = "auto";
  }
}

/** @returns {Iterable<HTMLElement>} */
const findAll = (selector) => document.querySelectorAll(selector);
