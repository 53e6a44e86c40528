// Fields whose answer is a text that people type or scan.

import { matches } from "../fill/patterns.js";
import { length, longest, MAX_KEY_LENGTH } from "./base.js";

const DEFAULT_MAX_LENGTH = 10_000;
const [MAX_EMAIL_LENGTH, MAX_URL_LENGTH] = [254, 2048];
const EMAIL = /^[^\s@"(),:;<>[\\\]]+@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const PHONE = /^\+?[0-9 ()/.-]{3,30}$/;
const URI = /^https?:\/\/([A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

const typed = (step, value) => length({ maxLength: DEFAULT_MAX_LENGTH, ...step }, value);
const pattern = (step, value) => (!step.pattern || matches(step.pattern, value) ? null : ["checkPattern"]);

const readCell = (cell) => cell;

export const text = { check: (step, value) => typed(step, value) ?? pattern(step, value), readCell };
export const textarea = { check: typed, readCell };
export const email = {
  check: (_, value) => (EMAIL.test(value) && value.length <= MAX_EMAIL_LENGTH ? null : ["checkEmail"]),
  checkCalculated: (_, value) => longest(MAX_EMAIL_LENGTH, value),
  readCell,
};
export const phone = {
  check: (_, value) => (PHONE.test(value) ? null : ["checkPhone"]),
  checkCalculated: (_, value) => longest(MAX_KEY_LENGTH, value),
  readCell,
};
export const url = {
  check: (_, value) => (URI.test(value) && value.length <= MAX_URL_LENGTH ? null : ["checkUrl"]),
  checkCalculated: (_, value) => longest(MAX_URL_LENGTH, value),
  readCell,
};
export const barcode = { check: (_, value) => longest(MAX_KEY_LENGTH, value), readCell };
