// Fields whose answer is chosen from options, and yes or no.

import { formatList, hasNoDuplicates, checkLength, checkChoices, parseList } from "./answer_checks.js";

const areOptions = ({ values }, value) => value.every((one) => values.includes(one)) && hasNoDuplicates(value);

const BOOLEANS = { true: true, yes: true, 1: true, false: false, no: false, 0: false };
const listType = { isPicked: true, parseCell: parseList, format: formatList };

// A calculated answer need not be one of those that people choose from, because nobody could correct it.
export const boolean = {
  check: (step, value) => (step.agreement && value !== true ? ["required"] : null),
  checkCalculated: () => null,
  parseCell: (cell) => BOOLEANS[cell.toLowerCase()],
  format: (value, { yesOrNo }) => (typeof value === "boolean" ? yesOrNo(value) : undefined),
};
export const choice = {
  check: (step, value) => (step.values.includes(value) ? null : ["checkChoice"]),
  checkCalculated: checkLength,
  isPicked: true,
  parseCell: (cell) => cell,
  format: (value, { option }) => option(value),
};
export const choices = {
  ...listType,
  check: (step, value) => (areOptions(step, value) ? checkChoices(step, value) : ["checkChoice"]),
  checkCalculated: checkChoices,
};
export const ranking = {
  ...listType,
  check: (step, value) => (value.length === step.values.length && areOptions(step, value) ? null : ["checkRanking"]),
  checkCalculated: checkChoices,
};
