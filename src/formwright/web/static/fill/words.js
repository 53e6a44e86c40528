// Our own sentences in the language of the page; English where we do not speak it.

import { words as english } from "./words/en.js";

const SPOKEN = ["de", "es", "fr"];
let words = english;

/** The sentence of this name, its places filled in order. */
export const say = (name, ...values) => words[name].replace(/\{(\d)\}/g, (_, place) => values[place]);

/** A label of the form, a text or one for each language, in the language of the page. */
export function inWords(label) {
  const tag = document.documentElement.lang;
  if (typeof label === "string") return label;
  return label[tag] ?? label[tag.split("-")[0]] ?? label.default ?? Object.values(label)[0];
}

/** Speak `tag` from now on, also in the elements that name their sentence in `data-word`. */
export async function speak(tag) {
  const own = tag.split("-")[0];
  words = SPOKEN.includes(own) ? (await import(`./words/${own}.js`)).words : english;
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = say(element.dataset.word);
    element.lang = SPOKEN.includes(own) ? own : "en";
  }
}
