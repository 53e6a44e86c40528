// Shows errors next to their fields, and in a list with links above the Submit button.

import { isolate, t } from "./texts.js";

/** Show the server's errors next to their fields; returns the messages that belong to no field. */
export function showFieldErrors(survey, errors) {
  const others = [];
  for (const { pointer, detail } of errors) {
    const question = findQuestion(survey, pointer);
    if (question?.isVisible) addOnce(question, detail);
    else others.push(question ? `${question.processedTitle}: ${detail}` : detail);
  }
  return others;
}

// The form library may have found the same error.
function addOnce(question, detail) {
  if (!question.errors.some(({ text }) => text === detail)) question.addError(detail);
}

/** Return whether all answers are valid, and show the errors. */
export function validateForm(survey, evaluator, summary) {
  const isValid = survey.validate(true, true);
  const errors = evaluator.findErrors();
  showErrorList(survey, summary, showFieldErrors(survey, errors));
  return isValid && errors.length === 0;
}

/** Show the errors of a refused submission, and go to the first field with one; `detail` is shown if there are none. */
export function showRejection(survey, summary, errors, detail) {
  const others = showFieldErrors(survey, errors);
  showErrorList(survey, summary, errors.length ? others : [detail ?? t("submitFailed")]);
  survey
    .getAllQuestions(false, false, true)
    .find((question) => question.errors.length)
    ?.focus(true);
}

export function showErrorList(survey, summary, others = []) {
  const invalid = findInvalidQuestions(survey);
  const count = invalid.length + others.length;
  summary.hidden = count === 0;
  summary.querySelector("h2").textContent = count === 1 ? t("oneError") : t("errors", count);
  summary
    .querySelector("ul")
    .replaceChildren(...others.map(listItem), ...invalid.map((question) => listItem(questionLink(question))));
}

/** Return the questions with an error, including those in rows. */
export const findInvalidQuestions = (survey) =>
  survey.getAllQuestions(false, false, true).filter((question) => question.isVisible && question.errors.length);

function listItem(content) {
  const line = document.createElement("li");
  line.append(content);
  return line;
}

function questionLink(question) {
  const anchor = document.createElement("a");
  anchor.href = `#${question.inputId}`;
  anchor.textContent = `${isolate(question.processedTitle)}: ${isolate(question.errors[0].getText())}`;
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

/**
 * @param {any} container the survey, or a row of a repeat
 * @param {string[]} path
 */
function questionAt(container, [name, row, ...inner]) {
  const question = container.getQuestionByName(name ?? "");
  const panel = inner.length ? question?.panels?.[row] : null;
  return (panel && questionAt(panel, inner)) ?? question;
}
