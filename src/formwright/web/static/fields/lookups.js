// Fields whose answers are keys of rows of a data source.

import { firstWrong, formatList, isSet, length, longest, MAX_KEY_LENGTH, picks, readList } from "./base.js";

const MAX_LOOKUP_ROWS = 100;

const keys = (value) => firstWrong(value, (key) => length({ minLength: 1, maxLength: MAX_KEY_LENGTH }, key));

export const lookup = { check: (_, value) => longest(MAX_KEY_LENGTH, value), readCell: (cell) => cell };
export const lookups = {
  isPicked: true,
  readCell: readList,
  format: formatList,
  check: (step, value) => (isSet(value) ? (keys(value) ?? picks({ maxChoices: MAX_LOOKUP_ROWS, ...step }, value)) : ["checkChoice"]),
};
