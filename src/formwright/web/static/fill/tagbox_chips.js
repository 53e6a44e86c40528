// The chosen items of a searchable list, each with a button that removes it. The library draws buttons for the mouse only.

import { t } from "./texts.js";

/** Replace how the form library draws the chosen items of a list. */
export function registerChips({ createElement, SurveyQuestionTagboxItem }) {
  SurveyQuestionTagboxItem.prototype.renderElement = function () {
    const { question, item } = this;
    const label = createElement("span", { className: "chip-label" }, this.renderLocString(item.locText));
    const button = {
      type: "button",
      "aria-label": t("remove", item.text),
      onClick: (event) => remove(event, question, item),
      onKeyDown: keep,
    };
    return createElement(
      "div",
      { className: "chip" },
      label,
      question.isInputReadOnly ? null : createElement("button", button, "×"),
    );
  };
}

function remove(event, question, { value }) {
  // The list would open.
  event.stopPropagation();
  // The button goes, so the keyboard goes on in the field. On a phone, that would open the list.
  if (event.detail === 0) event.currentTarget.closest(".sd-tagbox").querySelector("input")?.focus();
  question.dropdownListModel.deselectItem(value);
}

// The list around the button has other uses for these keys.
function keep(event) {
  if (event.key === "Enter" || event.key === " ") event.stopPropagation();
}
