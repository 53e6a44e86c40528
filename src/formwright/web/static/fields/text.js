// Fields whose answer is a text that people type or scan.

import { matches } from "../fill/patterns.js";
import { checkLength } from "./answer_checks.js";

const EMAIL =
  /^[^\s@"(),:;<>[\\\]]+@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const PHONE = /^\+?[0-9 ()/.-]{3,30}$/;
const URI = /^https?:\/\/([A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

const checkPattern = (step, value) => (!step.pattern || matches(step.pattern, value) ? null : ["checkPattern"]);

const parseCell = (cell) => cell;

export const text = {
  check: (step, value) => checkLength(step, value) ?? checkPattern(step, value),
  parseCell: parseCell,
};
export const textarea = { check: checkLength, parseCell: parseCell, typedDefault: { input: { rows: "2" } } };
export const email = {
  check: ({ maxLength }, value) => (EMAIL.test(value) && value.length <= maxLength ? null : ["checkEmail"]),
  checkCalculated: checkLength,
  parseCell: parseCell,
};
export const phone = {
  check: (_, value) => (PHONE.test(value) ? null : ["checkPhone"]),
  checkCalculated: checkLength,
  parseCell: parseCell,
};
export const url = {
  check: ({ maxLength }, value) => (URI.test(value) && value.length <= maxLength ? null : ["checkUrl"]),
  checkCalculated: checkLength,
  parseCell: parseCell,
};
export const barcode = { check: checkLength, parseCell: parseCell };
