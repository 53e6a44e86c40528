// Creates the survey so that labels and values are shown exactly as the definition has them.

import * as Survey from "survey-core";
// @ts-expect-error scripts/survey_library.mjs takes them from the library.
import { ICONS } from "survey-core/icons";
import * as SurveyUI from "survey-js-ui";
import { completeElement, registerAddButton } from "./accessibility.js";
import { registerChips } from "./tagbox_chips.js";
import { registerMarkup } from "./markup.js";
import { registerNumberQuestion } from "./number_field.js";
import { registerNotices } from "./question_notices.js";
import { loadDeviceWidgets, registerWidgets } from "./widgets/index.js";

const LAZY_RENDERING_MIN_QUESTIONS = 60;
const ROWS_PER_IDLE_PERIOD = 8;

let isPrepared = false;

/**
 * Load the types of questions that only some forms have, if this one does, and then register our own.
 * @param {import("./types.js").PageData} page
 */
export async function loadQuestionTypes({ moreTypes, deviceWidgets, map }) {
  // @ts-expect-error scripts/survey_library.mjs splits the library in two.
  const more = moreTypes ? import("survey-js-ui/later") : null;
  const device = deviceWidgets ? loadDeviceWidgets(map) : null;
  const [loaded] = await Promise.all([more, device]);
  if (loaded) keepListsOpen(loaded.OptionsPopup.prototype);
  if (!isPrepared) prepareLibrary();
  isPrepared = true;
}

function prepareLibrary() {
  // Option values would be split at "|". No value can contain a NUL, because the API rejects it.
  Survey.settings.itemValueSeparator = "\u0000";
  // Removing a row cannot be undone: the browser asks first.
  Survey.settings.confirmActionFunc = (question) => confirm(question);
  Survey.SvgRegistry.registerIcons(ICONS);
  registerWidgets(Survey, SurveyUI);
  registerNumberQuestion(Survey);
  registerMarkup(Survey, SurveyUI);
  registerNotices(Survey, SurveyUI);
  registerChips(SurveyUI);
  registerAddButton(SurveyUI);
}

/** Create the survey of this JSON; `own` is the language of labels without a translation. */
export function createSurvey(json, own) {
  Survey.surveyLocalization.defaultLocale = own;
  const survey = new Survey.Model(json);
  survey.lazyRenderEnabled = survey.getAllQuestions().length > LAZY_RENDERING_MIN_QUESTIONS;
  // A label such as "{name}" is shown as it is; it is not a placeholder for an answer.
  survey.onProcessDynamicText.add((_, text) => {
    text.value = `{${text.name}}`;
    text.isExists = true;
  });
  survey.onUpdateQuestionCssClasses.add((_, { question, cssClasses }) => {
    if (question.tableRow) cssClasses.mainRoot += " table-row";
    if (question.likert) cssClasses.mainRoot += " likert";
  });
  survey.onAfterRenderQuestion.add((_, { question, htmlElement }) => {
    completeElement(question, htmlElement);
    if (question.getType() === "dropdown") replaceAnswerByTyping(question, htmlElement);
  });
  return survey;
}

// The field in which people search begins with the label of the answer, and what they type would be added to it.
function replaceAnswerByTyping(question, element) {
  element.addEventListener("beforeinput", ({ target, inputType }) => {
    const isUnchanged = !question.isEmpty() && !question.dropdownListModel.filterString;
    if (isUnchanged && inputType.startsWith("insert")) target.select();
  });
}

/** Render the rest of the rows a few at a time, because keyboard and screen-reader users do not scroll. */
export function renderRemainingRows(survey) {
  const places = [survey.currentPage, ...survey.getAllPanels()];
  const left = places.flatMap((place) => place.rows ?? []).filter((row) => !row.isNeedRender);
  const some = () => {
    for (const row of left.splice(0, ROWS_PER_IDLE_PERIOD)) row.isNeedRender = true;
    if (left.length) whenIdle(some);
  };
  whenIdle(some);
}

const whenIdle = (act) => (globalThis.requestIdleCallback ?? setTimeout)(act);

// The library closes a list of options as soon as the page scrolls. But the page also scrolls to a field that gets the
// focus: for users who type at once, the list would open and close, and Enter would choose nothing. So lists move with
// their field, and close when it leaves the window.
/** @param {any} popup the prototype of the library's popups */
function keepListsOpen(popup) {
  const { updateOnShowing } = popup;
  popup.updateOnShowing = /** @this {any} */ function () {
    if (!this.isOverlay)
      this.scrollEventCallBack = () => (isInView(this) ? this.updatePosition(true, false) : this.hidePopup());
    updateOnShowing.call(this);
  };
}

function isInView(popup) {
  const area = popup.getAvailableAreaRect();
  const field = popup.getTargetElementRect(area);
  return Boolean(field) && field.top + field.height > 0 && field.top < area.height;
}
