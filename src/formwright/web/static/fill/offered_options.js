// Shows only the options that the filter of a choice offers, and removes answers that it no longer offers.

import { explainRemoval, noteRemoval } from "./question_notices.js";
import { localizedLabel } from "./texts.js";

const allOptions = new WeakMap();

/** Show options in random order, where the form wants that: always the same for the same `seed`, also in rows. */
export function shuffleOptions(survey, step, seed) {
  const within = ({ template, panels }) =>
    template ? [template, ...panels].flatMap((row) => allOptions(row.questions)) : [];
  const allOptions = (questions) => questions.flatMap((question) => [question, ...within(question)]);
  const questions = allOptions(survey.getAllQuestions());
  for (const question of questions) if (step(question.name)?.randomize) shuffleQuestion(question, seed);
}

// Exclusive options and “other” keep their place.
function shuffleQuestion(question, seed) {
  const before = question.options ?? allOptions.get(question) ?? question.choices.map((item) => item.toJSON());
  const isFixed = (item) => item.isExclusive || optionValue(item) === "other";
  const shuffled = before
    .filter((item) => !isFixed(item))
    .map((item) => [hashText(`${seed}/${question.name}/${optionValue(item)}`), item]);
  shuffled.sort(([one], [other]) => other - one);
  question[question.options ? "options" : "choices"] = before.map((item) => (isFixed(item) ? item : shuffled.pop()[1]));
  allOptions.delete(question);
}

// FNV-1a with a final mix, because similar texts have similar sums.
function hashText(text) {
  let sum = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum ^ byte, 0x01000193);
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}

/** Show these options of a question, a set of values. */
export function showOfferedOptions(question, offered) {
  if (!allOptions.has(question))
    allOptions.set(
      question,
      question.choices.map((item) => item.toJSON()),
    );
  const shown = allOptions.get(question).filter((item) => offered.has(optionValue(item)));
  if (shown.map(optionValue).join("\0") === question.choices.map((item) => item.value).join("\0")) return;
  question.choices = shown;
}

const optionValue = (item) => (typeof item === "object" ? item.value : item);

/**
 * Remove what is not offered from the answer, and say so next to the question. Returns whether anything was removed.
 * `parents` are the questions that decide what is offered; `label` returns the label of a value.
 */
export function removeWithdrawnOptions(question, offered, parents, label = (value) => optionText(question, value)) {
  if (question.isEmpty()) return false;
  const withdrawn = [question.value].flat().filter((value) => !offered.has(value));
  if (!withdrawn.length) return false;
  const rest = Array.isArray(question.value) ? question.value.filter((value) => offered.has(value)) : [];
  if (rest.length) question.value = rest;
  else question.clearValue();
  noteRemoval(question, () => explainRemoval(withdrawn.map(label).join(", "), parents));
  return true;
}

function optionText(question, value) {
  const item = (allOptions.get(question) ?? []).find((one) => optionValue(one) === value);
  return localizedLabel(item?.text ?? value);
}
