// The survey as the page shows it, made so that labels and values stay exactly what the definition says.

import { accessible } from "./access.js";

const { Survey } = globalThis;

// Option values would be split at "|". No value can hold a NUL: the API refuses it.
if (Survey) Survey.settings.itemValueSeparator = "\u0000";

export function model(json) {
  const survey = new Survey.Model(json);
  // A label that reads "{name}" is shown so; it is no place for an answer.
  survey.onProcessDynamicText.add((_, text) => {
    text.value = `{${text.name}}`;
    text.isExists = true;
  });
  plainIcons();
  survey.onAfterRenderQuestion.add((_, { question, htmlElement }) => accessible(question, htmlElement));
  return survey;
}

// Icons drawn with style attributes, as that of a timer which no form of ours has, are against our content policy.
function plainIcons() {
  const { icons } = Survey.SvgRegistry;
  for (const name of Object.keys(icons)) if (icons[name].includes("style=")) delete icons[name];
}
