// Inputs for numbers, which are read like those of the page (`fill/numbers.js`): the mouse wheel does not change them.

import { isPlainNumber, parseNumber, formatNumber } from "../fill/numbers.js";
import { t } from "../fill/texts.js";
import { fieldType } from "../fields/types.js";
import { el } from "../dom.js";
import { traits } from "./field_types.js";

const ENGLISH = { digits: [..."0123456789"], separator: ".", mark: "." };
const notation = (whole) => ({
  read: (text) => readTyped(text, whole),
  write: (value) => formatNumber(value, ENGLISH),
  isWritten: (text) => isPlainNumber(text, ENGLISH),
  inputmode: whole ? "numeric" : "decimal",
});
const WHOLE = notation(true);
const DECIMAL = notation(false);

/** Return how people type answers of this type, and limits of them: as numbers, unless the type has a notation. */
export const notationOf = (type, kind = traits(type).answerKind) =>
  fieldType(type).notation ?? (kind === "DECIMAL" ? DECIMAL : WHOLE);

/** An input for a number, a whole one if `step` is "1". `input` receives the number, the text if it is none, or undefined. */
export const number = (value, input, { step, ...more } = {}) =>
  typedNumber(value, input, step === "1" ? WHOLE : DECIMAL, more);

/** Like `number`, in a notation. */
export function typedNumber(value, input, { read, write: toText, isWritten, inputmode, placeholder }, more) {
  const show = (one) => (typeof one === "number" ? toText(one) : (one ?? ""));
  const control = el("input", {
    type: "text",
    autocomplete: "off",
    inputmode,
    placeholder,
    ...more,
    value: show(value),
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
    if (number !== undefined && !isWritten?.(control.value)) control.value = show(number);
  });
  return control;
}

/** Read a typed number: {value, refusal}; the refusal is a sentence, or "". */
export function readTyped(text, whole) {
  const { value, wrong } = parseNumber(text, { mark: ENGLISH.mark, whole });
  if (wrong) return { refusal: t(...wrong) };
  return { value, refusal: whole && value !== undefined && !Number.isInteger(value) ? t("checkWhole") : "" };
}
