// What a question says besides its title and its errors: why it has no options, and why an answer was removed. Also the
// button that clears a single choice, below its options.

import { t } from "./texts.js";

/** {waiting, removed} by question: functions that return the text in the present language. */
const noticesByQuestion = new WeakMap();

/** Let questions have a `notice`, and be `clearable`. */
export function registerNotices(Survey, { createElement, Fragment, SurveyQuestion }) {
  for (const name of ["notice", "clearable"]) Survey.Serializer.addProperty("question", name);
  const { renderQuestion } = SurveyQuestion.prototype;
  SurveyQuestion.prototype.renderQuestion = function () {
    const { question } = this;
    const drawn = isEmptyList(question) ? null : renderQuestion.call(this);
    if (question.notice === undefined && !question.clearable) return drawn;
    return createElement(Fragment, null, drawn, createClearButton(question), createNotice(question.notice));
  };

  function createClearButton(question) {
    if (!question.clearable || question.isEmpty() || question.isInputReadOnly) return null;
    const label = `${t("clear")}: ${question.processedTitle}`;
    const onClick = ({ currentTarget }) => {
      // The button goes, so the keyboard goes on at the options.
      currentTarget.closest("[data-name]").querySelector("input")?.focus();
      question.clearValueFromUI();
    };
    return createElement("button", { type: "button", className: "clear", "aria-label": label, onClick }, t("clear"));
  }

  // Screen readers announce what appears in an element that was there before.
  function createNotice(text) {
    if (text === undefined) return null;
    const lines = text.split("\n").filter(Boolean);
    const content = lines.map((line) => createElement("p", { dir: "auto" }, line));
    return createElement("div", { className: "question-notice", role: "status" }, ...content);
  }
}

const isEmptyList = ({ notice, visibleChoices, choicesLazyLoadEnabled }) =>
  notice && visibleChoices && !choicesLazyLoadEnabled && !visibleChoices.length;

/** Say why a question has no options, or nothing if `text` is null. */
export function noteMissingOptions(question, text) {
  noticesByQuestion.set(question, { ...noticesByQuestion.get(question), waiting: text });
  refreshNotice(question);
}

/** Say that an answer was removed, until there is another one. */
export function noteRemoval(question, text) {
  noticesByQuestion.set(question, { ...noticesByQuestion.get(question), removed: text, value: readValue(question) });
  refreshNotice(question);
}

/** Show the notices in the present language, without those about an answer that has changed since. */
export function refreshNotice(question) {
  const notices = noticesByQuestion.get(question);
  if (!notices) return;
  if (notices.removed && notices.value !== readValue(question)) notices.removed = null;
  const text = [notices.removed, notices.waiting]
    .map((one) => one?.() ?? "")
    .filter(Boolean)
    .join("\n");
  if (question.notice !== text) question.notice = text;
}

export function forgetNotices(question) {
  if (noticesByQuestion.delete(question)) question.notice = "";
}

const readValue = (question) => JSON.stringify(question.isEmpty() ? null : question.value);

/** Return the text about a question without options: which of the questions before it to answer first. */
export function explainMissingOptions(parents) {
  const first = parents.find((parent) => parent.isVisible && parent.isEmpty());
  return first ? t("answerFirst", first.processedTitle) : t("noOptions");
}

/** Return the text about a removed answer. `parents` are the questions whose answers decided it. */
export function explainRemoval(labels, parents) {
  const answered = parents.filter((parent) => parent.isVisible && !parent.isEmpty());
  const isClear = answered.length === 1 && parents.length === 1;
  return isClear ? t("optionGoneFor", labels, answered[0].processedTitle) : t("optionGone", labels);
}
