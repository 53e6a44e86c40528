// Answers in texts: `{{name}}` in labels, hints, messages, notes and options. They are text, also within markup.

import { surveyLocalization } from "survey-core";
import { fieldType } from "../fields/types.js";
import { regionalLanguage } from "./numbers.js";

const PLACEHOLDER = /\{\{\s*([A-Za-z]\w{0,63})\s*\}\}/g;
const MAX_ANSWER_LENGTH = 200;
const MISSING = "…";

export class TextPlaceholders {
  #steps;
  #own;

  /** `steps` are all steps by name; `own` is the form's language. */
  constructor(steps, own) {
    this.#steps = steps;
    this.#own = own;
  }

  /** Return the label in the page's language, with the answers `known` in it. */
  fill(label, known) {
    return this.#fill(label, (name) => this.#shown(name, known));
  }

  /** Return the HTML of a label with answers, or undefined if it has no markup. */
  #fillMarkup(html, known) {
    return html && this.#fill(html, (name) => escapeHtml(this.#shown(name, known)));
  }

  #fill(label, shown) {
    const text = this.#inWords(label);
    return text.includes("{{")
      ? text.replace(PLACEHOLDER, (whole, name) => (this.#steps.has(name) ? shown(name) : whole))
      : text;
  }

  /** Show the texts of a step on its question, panel or page. */
  apply(drawn, { type, texts }, known) {
    const { label, hint, guidance, options = {}, lowLabel, highLabel, markup } = texts;
    const html = (one) => this.#fillMarkup(one, known);
    if (guidance) set(drawn, "guidance", html(markup.guidance));
    if (type === "note" && label)
      return set(drawn, "html", [markup.label, markup.hint].map((one) => escapeBraces(html(one) ?? "")).join(""));
    if (label || hint) set(drawn, "markup", { title: html(markup.label), description: html(markup.hint) });
    if (label) set(drawn, "title", this.fill(label, known));
    if (hint) set(drawn, "description", this.fill(hint, known));
    if (lowLabel) set(drawn, "minRateDescription", this.fill(lowLabel, known));
    if (highLabel) set(drawn, "maxRateDescription", this.fill(highLabel, known));
    const shown = Object.entries(options).map(([value, text]) => [
      value,
      { text: this.fill(text, known), html: html(markup.options[value]) },
    ]);
    // Those that the page draws itself have no items of the form library.
    if (shown.length && !drawn.choices) return set(drawn, "optionTexts", Object.fromEntries(shown));
    const items = new Map(shown);
    for (const item of drawn.choices ?? []) if (items.has(item.value)) setOption(item, items.get(item.value));
  }

  #inWords(label) {
    if (typeof label === "string") return label;
    const tag = document.documentElement.lang;
    return label[tag] ?? label[tag.split("-")[0]] ?? label[this.#own] ?? Object.values(label)[0];
  }

  #shown(name, known) {
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    const text =
      value === undefined || value === null || value === "" ? MISSING : this.#format(this.#steps.get(name), value);
    return text.length > MAX_ANSWER_LENGTH ? `${[...text].slice(0, MAX_ANSWER_LENGTH).join("")}${MISSING}` : text;
  }

  #format({ type, labels }, value) {
    const tag = regionalLanguage(document.documentElement.lang || this.#own);
    const option = (one) =>
      labels?.[one] === undefined ? String(one) : this.#inWords(labels[one]).replace(PLACEHOLDER, MISSING);
    const yesOrNo = (one) => surveyLocalization.getString(one ? "booleanCheckedLabel" : "booleanUncheckedLabel", tag);
    return fieldType(type).format?.(value, { tag, option, yesOrNo }) ?? (typeof value === "string" ? value : MISSING);
  }
}

function set(drawn, property, text) {
  if (JSON.stringify(drawn[property]) !== JSON.stringify(text)) drawn[property] = text;
}

function setOption(item, { text, html }) {
  set(item, "markup", { text: html });
  set(item, "text", text);
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "\n": "<br>" };
const escapeHtml = (text) => text.replace(/[&<>"'\n]/g, (letter) => ENTITIES[letter]);
// The library would replace `{name}` in a note.
const escapeBraces = (html) => html.replaceAll("{", "&#123;");
