// Inputs for numbers, which are read like those of the page (`fill/numbers.js`): the mouse wheel does not change them.

import { isPlainNumber, parseNumber, formatNumber } from "../fill/numbers.js";
import { t } from "../fill/texts.js";
import { fieldType } from "../fields/types.js";
import { createElement } from "../dom.js";
import { typeTraits } from "./field_types.js";

const ENGLISH_NOTATION = { digits: [..."0123456789"], separator: ".", mark: "." };
/**
 * How people type numbers of a type: `read` returns {value, refusal}, and `isWritten` whether a text is already written as
 * the page writes the number.
 * @typedef {{read: (text: string) => {value?: any, refusal: string}, write: (value: any) => string,
 *   isWritten?: (text: string) => boolean, inputmode?: string, placeholder?: string}} Notation
 */

/** @returns {Notation} */
const createNotation = (isInteger) => ({
  read: (text) => parseTypedNumber(text, isInteger),
  write: (value) => formatNumber(value, ENGLISH_NOTATION),
  isWritten: (text) => isPlainNumber(text, ENGLISH_NOTATION),
  inputmode: isInteger ? "numeric" : "decimal",
});
const INTEGER_NOTATION = createNotation(true);
const DECIMAL_NOTATION = createNotation(false);

/** Return how people type answers of this type, and limits of them: as numbers, unless the type has a notation. */
export const numberNotation = (type, kind = typeTraits(type).answerKind) =>
  fieldType(type).notation ?? (kind === "DECIMAL" ? DECIMAL_NOTATION : INTEGER_NOTATION);

/** An input for a number. `input` receives the number, the text if it is none, or undefined. */
export const createNumberInput = (value, input, more = {}) => createNotationInput(value, input, DECIMAL_NOTATION, more);

export const createIntegerInput = (value, input, more = {}) =>
  createNotationInput(value, input, INTEGER_NOTATION, more);

/**
 * Like `createNumberInput`, in a notation.
 * @param {Notation} notation
 */
export function createNotationInput(value, input, notation, more = {}) {
  const { read, write, isWritten, inputmode, placeholder } = notation;
  const format = (one) => (typeof one === "number" ? write(one) : (one ?? ""));
  const control = createElement("input", {
    type: "text",
    autocomplete: "off",
    inputmode,
    placeholder,
    ...more,
    value: format(value),
  });
  if (typeof value === "string") control.dataset.refusal = read(value).refusal;
  control.addEventListener("input", () => {
    const { value: number, refusal } = read(control.value);
    control.dataset.refusal = refusal;
    // The server refuses the text too, so that no other number is saved or published instead.
    input(refusal ? control.value : number);
  });
  control.addEventListener("change", () => {
    const { value: number } = read(control.value);
    if (number !== undefined && !isWritten?.(control.value)) control.value = format(number);
  });
  return control;
}

/** Read a typed number: {value, refusal}; the refusal is a sentence, or "". */
export function parseTypedNumber(text, isInteger) {
  const { value, wrong } = parseNumber(text, { mark: ENGLISH_NOTATION.mark, whole: isInteger });
  if (wrong) return { refusal: t(...wrong) };
  return { value, refusal: isInteger && value !== undefined && !Number.isInteger(value) ? t("checkWhole") : "" };
}
