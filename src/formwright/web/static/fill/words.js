// Our own sentences in the language of the page; English where we do not speak it.

import { words as english } from "./words/en.js";

const SPOKEN = ["de", "es", "fr", "it", "nl", "pl", "pt"];
let words = english;

/** Whether we have words of our own in this language. */
export const speaks = (tag) => ["en", ...SPOKEN].includes(tag.split("-")[0]);

/** The sentence of this name, its places filled in order. */
export const say = (name, ...values) => words[name].replace(/\{(\d)\}/g, (_, place) => values[place]);

/** What the server says of a refusal, by its code: in our words where we have them. */
export const reason = ({ code, detail }) => (REASONS[code] ? say(REASONS[code]) : detail);

const REASONS = {
  "form.not_found": "formClosed",
  "form.not_published": "formClosed",
  "form.archived": "formClosed",
  "invite.link_ended": "linkEnded",
  "submission.submitted_already": "sentBefore",
  "file.empty": "fileEmpty",
  "file.not_accepted": "fileKind",
  "file.type": "fileKind",
  "file.too_large": "fileLarge",
};

/** A label of the form, a text or one for each language, in the language of the page. */
export function inWords(label) {
  const tag = document.documentElement.lang;
  if (typeof label === "string") return label;
  return label[tag] ?? label[tag.split("-")[0]] ?? label.default ?? Object.values(label)[0];
}

/** Speak `tag` from now on, also in the elements that say their sentence in `data-word` or are called so in `data-called`. */
export async function speak(tag) {
  const own = tag.split("-")[0];
  words = SPOKEN.includes(own) ? (await import(`./words/${own}.js`)).words : english;
  for (const element of document.querySelectorAll("[data-called]")) element.ariaLabel = say(element.dataset.called);
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = say(element.dataset.word);
    element.lang = SPOKEN.includes(own) ? own : "en";
  }
}
