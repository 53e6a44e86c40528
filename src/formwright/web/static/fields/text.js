// Fields whose answer is a text that people type or scan.

import { matches } from "../fill/patterns.js";
import { length } from "./answer_checks.js";

const EMAIL =
  /^[^\s@"(),:;<>[\\\]]+@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const PHONE = /^\+?[0-9 ()/.-]{3,30}$/;
const URI = /^https?:\/\/([A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

const pattern = (step, value) => (!step.pattern || matches(step.pattern, value) ? null : ["checkPattern"]);

const readCell = (cell) => cell;

export const text = { check: (step, value) => length(step, value) ?? pattern(step, value), readCell };
export const textarea = { check: length, readCell, typedDefault: { input: { rows: "2" } } };
export const email = {
  check: ({ maxLength }, value) => (EMAIL.test(value) && value.length <= maxLength ? null : ["checkEmail"]),
  checkCalculated: length,
  readCell,
};
export const phone = {
  check: (_, value) => (PHONE.test(value) ? null : ["checkPhone"]),
  checkCalculated: length,
  readCell,
};
export const url = {
  check: ({ maxLength }, value) => (URI.test(value) && value.length <= maxLength ? null : ["checkUrl"]),
  checkCalculated: length,
  readCell,
};
export const barcode = { check: length, readCell };
