// Shows only the options that the filter of a choice offers, and removes answers that it no longer offers.

import { say } from "./texts.js";

const all = new WeakMap();

/** Show these options of a question, a set of values. */
export function offer(question, offered) {
  if (!all.has(question)) all.set(question, question.choices.map((item) => item.toJSON()));
  const shown = all.get(question).filter((item) => offered.has(valueOf(item)));
  if (shown.map(valueOf).join("\0") === question.choices.map((item) => item.value).join("\0")) return;
  question.choices = shown;
}

const valueOf = (item) => (typeof item === "object" ? item.value : item);

/** Remove what is not offered from the answer, and say so next to the question. Returns whether anything was removed. */
export function withdraw(question, offered) {
  if (question.isEmpty()) return false;
  const gone = [question.value].flat().filter((value) => !offered.has(value));
  if (!gone.length) return false;
  const names = gone.map((value) => textOf(question, value));
  const rest = Array.isArray(question.value) ? question.value.filter((value) => offered.has(value)) : [];
  if (rest.length) question.value = rest;
  else question.clearValue();
  question.addError(say("optionGone", names.join(", ")));
  return true;
}

function textOf(question, value) {
  const item = (all.get(question) ?? []).find((one) => valueOf(one) === value);
  const text = item?.text ?? value;
  if (typeof text === "string") return text;
  const tag = document.documentElement.lang;
  return text[tag] ?? text[tag.split("-")[0]] ?? text.default ?? value;
}
