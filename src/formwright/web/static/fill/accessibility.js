// Adds what the form library lacks: accessible names, on-screen keypads, and units.

import { completeNumberField, nameSignButton } from "./number_field.js";
import { t } from "./texts.js";

export function completeElement(question, element) {
  if (question.getType() === "rating") labelStars(question, element);
  if (question.getType() === "boolean") labelGroup(question, element);
  if (question.getType() === "slider") element.querySelector('[role="textbox"]')?.setAttribute("role", "presentation");
  if (element.getAttribute("role") === "textbox") element.setAttribute("role", "presentation");
  if (question.getType() === "tagbox")
    element.querySelector('[role="listbox"]')?.setAttribute("aria-multiselectable", "true");
  // Announce "No results" when it appears.
  element.querySelector(".sv-list__empty-container")?.setAttribute("role", "status");
  if (question.inputType === "url") element.querySelector("input")?.setAttribute("dir", "ltr");
  if (question.getType() === "number") completeNumberField(question, element);
  if (question.getType() === "text")
    element.querySelector("input")?.addEventListener("input", (event) => readInput(question, event));
  if (question.unit) showUnit(question, element.querySelector("input"));
  if (question.keypad) element.querySelector("input")?.setAttribute("inputmode", question.keypad);
}

/** Name the buttons that add a row after their repeat, because a form can have several. */
export function registerAddButton({ createElement, ReactElementFactory, SurveyQuestionPanelDynamicAddButton }) {
  class AddButton extends SurveyQuestionPanelDynamicAddButton {
    renderElement() {
      const button = super.renderElement();
      if (button) button.props["aria-label"] = `${this.question.addPanelText}: ${this.question.processedTitle}`;
      return button;
    }
  }
  ReactElementFactory.Instance.registerElement("sv-paneldynamic-add-btn", (props) => createElement(AddButton, props));
}

function showUnit({ unit: text }, input) {
  if (!input) return;
  input.setAttribute("aria-description", text);
  const shown = document.createElement("span");
  shown.className = "unit";
  shown.textContent = text;
  shown.dir = "auto";
  shown.setAttribute("aria-hidden", "true");
  input.after(shown);
}

// The library reads an address, and pasted or dictated text, only when the field loses focus; until then the value would
// not be stored, and lost if the field is rendered again. Incomplete dates are left to it.
function readInput(question, event) {
  if (!event.target.validity.badInput) question.updateValueOnEvent(event);
}

/** Set the names again in another language. */
export function updateAccessibleNames(survey) {
  for (const question of survey.getAllQuestions(true, false, true)) {
    const element = document.getElementById(question.id);
    if (element && question.getType() === "rating") labelStars(question, element);
    if (element && question.getType() === "number") nameSignButton(element);
  }
}

function labelStars(question, element) {
  for (const star of element.querySelectorAll("input")) {
    star.setAttribute("aria-label", t("rating", star.value, question.rateMax));
  }
}

function labelGroup(question, element) {
  const set = element.querySelector("fieldset") ?? element;
  set.setAttribute("role", "radiogroup");
  set.setAttribute("aria-label", question.processedTitle);
}
