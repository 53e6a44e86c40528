// The survey as the page shows it, made so that labels and values stay exactly what the definition says.

import { accessible } from "./access.js";
import { register } from "./widgets/index.js";

const { Survey, SurveyUI } = globalThis;
const MANY = 60;
const AT_ONCE = 8;

// Option values would be split at "|". No value can hold a NUL: the API refuses it.
if (Survey) Survey.settings.itemValueSeparator = "\u0000";
// A row that is removed does not come back: the browser asks first.
if (Survey) Survey.settings.confirmActionFunc = (question) => confirm(question);
if (Survey) register(Survey, SurveyUI);

/** The survey of this JSON; `own` is the language in which labels without another are written. */
export function model(json, own) {
  Survey.surveyLocalization.defaultLocale = own;
  const survey = new Survey.Model(json);
  survey.lazyRenderEnabled = survey.getAllQuestions().length > MANY;
  // A label that reads "{name}" is shown so; it is no place for an answer.
  survey.onProcessDynamicText.add((_, text) => {
    text.value = `{${text.name}}`;
    text.isExists = true;
  });
  plainIcons();
  survey.onAfterRenderQuestion.add((_, { question, htmlElement }) => accessible(question, htmlElement));
  return survey;
}

/** Draw what was left out below at first, a few rows at a time: who tabs or listens does not scroll. */
export function drawRest(survey) {
  const places = [survey.currentPage, ...survey.getAllPanels()];
  const left = places.flatMap((place) => place.rows ?? []).filter((row) => !row.isNeedRender);
  const some = () => {
    for (const row of left.splice(0, AT_ONCE)) row.isNeedRender = true;
    if (left.length) soon(some);
  };
  soon(some);
}

const soon = (act) => (globalThis.requestIdleCallback ?? setTimeout)(act);

// Icons drawn with style attributes, as that of a timer which no form of ours has, are against our content policy.
function plainIcons() {
  const { icons } = Survey.SvgRegistry;
  for (const name of Object.keys(icons)) if (icons[name].includes("style=")) delete icons[name];
}
