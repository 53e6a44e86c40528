// Answers in texts: `{{name}}` in labels, hints, messages, notes and options. They are text, also within markup.

import { fieldType } from "../fields/types.js";
import { regionalLanguage } from "./numbers.js";
import { localizedLabel, t } from "./texts.js";

const PLACEHOLDER = /\{\{\s*([A-Za-z]\w{0,63})\s*\}\}/g;
const MAX_ANSWER_LENGTH = 200;
const MISSING = "…";

export class TextPlaceholders {
  #steps;
  #formLanguage;

  /** `steps` are all steps by name; `formLanguage` is the form's language. */
  constructor(steps, formLanguage) {
    this.#steps = steps;
    this.#formLanguage = formLanguage;
  }

  /** Return the label in the page's language, with `answers` in it. */
  fill(label, answers) {
    return this.#fill(label, (name) => this.#answerText(name, answers));
  }

  /** Return the HTML of a label with answers, or undefined if it has no markup. */
  #fillMarkup(html, answers) {
    return html && this.#fill(html, (name) => escapeHtml(this.#answerText(name, answers)));
  }

  #fill(label, answerText) {
    const text = localizedLabel(label, this.#formLanguage);
    return text.includes("{{")
      ? text.replace(PLACEHOLDER, (whole, name) => (this.#steps.has(name) ? answerText(name) : whole))
      : text;
  }

  /** Show the texts of a step on its question, panel or page. */
  apply(target, { type, texts }, answers) {
    const { label, hint, guidance, options = {}, lowLabel, highLabel, markup } = texts;
    const html = (one) => this.#fillMarkup(one, answers);
    if (guidance) setProperty(target, "guidance", html(markup.guidance));
    if (type === "note" && label)
      return setProperty(
        target,
        "html",
        [markup.label, markup.hint].map((one) => escapeBraces(html(one) ?? "")).join(""),
      );
    if (label || hint) setProperty(target, "markup", { title: html(markup.label), description: html(markup.hint) });
    if (label) setProperty(target, "title", this.fill(label, answers));
    if (hint) setProperty(target, "description", this.fill(hint, answers));
    if (lowLabel) setProperty(target, "minRateDescription", this.fill(lowLabel, answers));
    if (highLabel) setProperty(target, "maxRateDescription", this.fill(highLabel, answers));
    const items = new Map();
    for (const [value, text] of Object.entries(options))
      items.set(value, { text: this.fill(text, answers), html: html(markup.options[value]) });
    // Those that the page draws itself have no items of the form library.
    if (items.size && !target.choices) return setProperty(target, "optionTexts", Object.fromEntries(items));
    for (const item of target.choices ?? []) if (items.has(item.value)) setOption(item, items.get(item.value));
  }

  #answerText(name, answers) {
    const value = Object.hasOwn(answers, name) ? answers[name] : undefined;
    const text =
      value === undefined || value === null || value === "" ? MISSING : this.#format(this.#steps.get(name), value);
    return text.length > MAX_ANSWER_LENGTH ? `${[...text].slice(0, MAX_ANSWER_LENGTH).join("")}${MISSING}` : text;
  }

  #format({ type, labels }, value) {
    const tag = regionalLanguage(document.documentElement.lang || this.#formLanguage);
    const option = (one) =>
      labels?.[one] === undefined
        ? String(one)
        : localizedLabel(labels[one], this.#formLanguage).replace(PLACEHOLDER, MISSING);
    const yesOrNo = (one) => t(one ? "yes" : "no");
    return fieldType(type).format?.(value, { tag, option, yesOrNo }) ?? (typeof value === "string" ? value : MISSING);
  }
}

function setProperty(target, property, text) {
  if (JSON.stringify(target[property]) !== JSON.stringify(text)) target[property] = text;
}

function setOption(item, { text, html }) {
  setProperty(item, "markup", { text: html });
  setProperty(item, "text", text);
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "\n": "<br>" };
const escapeHtml = (text) => text.replace(/[&<>"'\n]/g, (letter) => ENTITIES[letter]);
// The library would replace `{name}` in a note.
const escapeBraces = (html) => html.replaceAll("{", "&#123;");
