// Fields whose answer is chosen from options, and yes or no.

import { firstWrong, isSet, longest, MAX_KEY_LENGTH, picks } from "./base.js";

const areOptions = ({ values }, value) => value.every((one) => values.includes(one)) && isSet(value);

function texts({ most }, value) {
  if (value.length > most) return ["checkMostChoices", most];
  return firstWrong(value, (one) => longest(MAX_KEY_LENGTH, one));
}

// A calculated answer need not be one of those that people choose from, because nobody could correct it.
export const boolean = {
  check: (step, value) => (step.agreement && value !== true ? ["required"] : null),
  checkCalculated: () => null,
};
export const choice = {
  check: (step, value) => (step.values.includes(value) ? null : ["checkChoice"]),
  checkCalculated: (_, value) => longest(MAX_KEY_LENGTH, value),
};
export const choices = {
  check: (step, value) => (areOptions(step, value) ? picks(step, value) : ["checkChoice"]),
  checkCalculated: (step, value) => texts(step, value) ?? picks(step, value),
};
export const ranking = {
  check: (step, value) => (value.length === step.values.length && areOptions(step, value) ? null : ["checkRanking"]),
  checkCalculated: texts,
};
