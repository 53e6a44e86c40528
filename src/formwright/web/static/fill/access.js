// What the form library leaves without a name for those who listen, and the keypad and the comma for those who type.

import { say } from "./words.js";

export function accessible(question, element) {
  if (question.getType() === "rating") stars(question, element);
  if (question.getType() === "boolean") group(question, element);
  if (question.getType() === "slider") element.querySelector('[role="textbox"]')?.setAttribute("role", "presentation");
  if (element.getAttribute("role") === "textbox") element.setAttribute("role", "presentation");
  // "Nothing found" is heard when it comes.
  element.querySelector(".sv-list__empty-container")?.setAttribute("role", "status");
  // As a telephone number is, without being told: signs before and behind stay where they are also in a form from the right.
  if (["url", "number"].includes(question.inputType)) element.querySelector("input")?.setAttribute("dir", "ltr");
  if (question.inputType === "number") element.querySelector("input")?.addEventListener("beforeinput", point);
  if (question.getType() === "text") element.querySelector("input")?.addEventListener("input", (event) => heard(question, event));
  if (question.keypad) element.querySelector("input")?.setAttribute("inputmode", question.keypad);
}

// The library would hear of an address or a number when one leaves the field, and of what was pasted or spoken too: until
// then it is kept nowhere, and gone when the field is drawn anew. A number that is none yet, as "-", stays with it.
function heard(question, event) {
  if (!event.target.validity.badInput) question.updateValueOnEvent(event);
}

// A browser of another language than the form drops its decimal comma without a word, and makes 15 of "1,5".
function point(event) {
  const { data, defaultPrevented } = event;
  if (defaultPrevented || !data?.includes(",") || !hasComma(document.documentElement.lang) || hasComma()) return;
  event.preventDefault();
  document.execCommand("insertText", false, data.replaceAll(".", "").replace(",", "."));
}

const hasComma = (tag) => new Intl.NumberFormat(tag).format(1.5).includes(",");

/** The names once more, in another language. */
export function renamed(survey) {
  for (const question of survey.getAllQuestions(true, false, true)) {
    const element = question.getType() === "rating" && document.getElementById(question.id);
    if (element) stars(question, element);
  }
}

function stars(question, element) {
  for (const star of element.querySelectorAll("input")) {
    star.setAttribute("aria-label", say("star", star.value, question.rateMax));
  }
}

function group(question, element) {
  const set = element.querySelector("fieldset") ?? element;
  set.setAttribute("role", "radiogroup");
  set.setAttribute("aria-label", question.processedTitle);
}
