// Fields whose answers are keys of rows of a data source.

import { firstWrong, isSet, length, longest, MAX_KEY_LENGTH, picks } from "./base.js";

const MAX_LOOKUP_ROWS = 100;

const keys = (value) => firstWrong(value, (key) => length({ minLength: 1, maxLength: MAX_KEY_LENGTH }, key));

export const lookup = { check: (_, value) => longest(MAX_KEY_LENGTH, value) };
export const lookups = {
  check: (step, value) => (isSet(value) ? (keys(value) ?? picks({ maxChoices: MAX_LOOKUP_ROWS, ...step }, value)) : ["checkChoice"]),
};
