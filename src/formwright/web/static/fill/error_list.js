// Shows errors next to their fields, and in a list with links above the Submit button.

import { t } from "./texts.js";

/** Show the server's errors next to their fields; returns the messages that belong to no field. */
export function showFieldErrors(survey, errors) {
  const rest = [];
  for (const { pointer, detail } of errors) {
    const question = findQuestion(survey, pointer);
    if (question?.isVisible) addOnce(question, detail);
    else rest.push(question ? `${question.processedTitle}: ${detail}` : detail);
  }
  return rest;
}

// The form library may have found the same error.
function addOnce(question, detail) {
  if (!question.errors.some(({ text }) => text === detail)) question.addError(detail);
}

/** Return whether all answers are valid, and show the errors. */
export function validateForm(survey, evaluator, box) {
  const sound = survey.validate(true, true);
  const faults = evaluator.findErrors();
  showErrorList(survey, box, showFieldErrors(survey, faults));
  return sound && faults.length === 0;
}

/** Show the errors of a refused submission, and go to the first field with one; `detail` is shown if there are none. */
export function showRejection(survey, box, errors, detail) {
  const rest = showFieldErrors(survey, errors);
  showErrorList(survey, box, errors.length ? rest : [detail ?? t("submitFailed")]);
  survey
    .getAllQuestions(false, false, true)
    .find((question) => question.errors.length)
    ?.focus(true);
}

export function showErrorList(survey, box, rest = []) {
  const found = findInvalidQuestions(survey);
  const count = found.length + rest.length;
  box.hidden = count === 0;
  box.querySelector("h2").textContent = count === 1 ? t("oneError") : t("errors", count);
  box.querySelector("ul").replaceChildren(...rest.map(item), ...found.map((question) => item(link(question))));
}

/** Return the questions with an error, including those in rows. */
export const findInvalidQuestions = (survey) =>
  survey.getAllQuestions(false, false, true).filter((question) => question.isVisible && question.errors.length);

function item(content) {
  const line = document.createElement("li");
  line.append(content);
  return line;
}

function link(question) {
  const anchor = document.createElement("a");
  anchor.href = `#${question.inputId}`;
  anchor.textContent = `${question.processedTitle}: ${question.errors[0].getText()}`;
  anchor.addEventListener("click", (event) => {
    event.preventDefault();
    question.focus(true);
  });
  return anchor;
}

// JSON Pointer (RFC 6901): "/data/choices/0" is about the field "choices", "/data/rows/1/x" about "x" in the second row.
function findQuestion(survey, pointer) {
  const [, data, ...path] = (pointer ?? "").split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return data === "data" ? questionAt(survey, path) : null;
}

function questionAt(place, [name, row, ...inner]) {
  const question = place.getQuestionByName(name ?? "");
  const panel = inner.length ? question?.panels?.[row] : null;
  return (panel && questionAt(panel, inner)) ?? question;
}
