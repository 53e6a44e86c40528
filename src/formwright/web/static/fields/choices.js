// Fields whose answer is chosen from options, and yes or no.

import { firstWrong, formatList, isSet, longest, MAX_KEY_LENGTH, picks, readList } from "./base.js";

const areOptions = ({ values }, value) => value.every((one) => values.includes(one)) && isSet(value);

function texts({ most }, value) {
  if (value.length > most) return ["checkMostChoices", most];
  return firstWrong(value, (one) => longest(MAX_KEY_LENGTH, one));
}

const BOOLEANS = { true: true, yes: true, 1: true, false: false, no: false, 0: false };
const list = { isPicked: true, readCell: readList, format: formatList };

// A calculated answer need not be one of those that people choose from, because nobody could correct it.
export const boolean = {
  check: (step, value) => (step.agreement && value !== true ? ["required"] : null),
  checkCalculated: () => null,
  readCell: (cell) => BOOLEANS[cell.toLowerCase()],
  format: (value, { yesOrNo }) => (typeof value === "boolean" ? yesOrNo(value) : undefined),
};
export const choice = {
  check: (step, value) => (step.values.includes(value) ? null : ["checkChoice"]),
  checkCalculated: (_, value) => longest(MAX_KEY_LENGTH, value),
  isPicked: true,
  readCell: (cell) => cell,
  format: (value, { option }) => option(value),
};
export const choices = {
  ...list,
  check: (step, value) => (areOptions(step, value) ? picks(step, value) : ["checkChoice"]),
  checkCalculated: (step, value) => texts(step, value) ?? picks(step, value),
};
export const ranking = {
  ...list,
  check: (step, value) => (value.length === step.values.length && areOptions(step, value) ? null : ["checkRanking"]),
  checkCalculated: texts,
};
