// Inputs for numbers, which are read like those of the page (`fill/numbers.js`): the mouse wheel does not change them.

import { isPlain, readNumber, write } from "../fill/numbers.js";
import { say } from "../fill/texts.js";
import { el } from "./dom.js";

const NOTATION = { digits: [..."0123456789"], separator: ".", mark: "." };

/** An input for a number, a whole one if `step` is "1". `input` receives the number, the text if it is none, or undefined. */
export function number(value, input, { step, ...more } = {}) {
  const whole = step === "1";
  const control = el("input", { type: "text", autocomplete: "off", inputmode: whole ? "numeric" : "decimal", ...more, value: show(value) });
  if (typeof value === "string") control.dataset.refusal = readTyped(value, whole).refusal;
  control.addEventListener("input", () => {
    const { value: read, refusal } = readTyped(control.value, whole);
    control.dataset.refusal = refusal;
    // The server refuses the text too, so that no other number is saved or published instead.
    input(refusal ? control.value : read);
  });
  control.addEventListener("change", () => {
    const { value: read } = readTyped(control.value, whole);
    if (read !== undefined && !isPlain(control.value, NOTATION)) control.value = show(read);
  });
  return control;
}

/** Read a typed number: {value, refusal}; the refusal is a sentence, or "". */
export function readTyped(text, whole) {
  const { value, wrong } = readNumber(text, { mark: NOTATION.mark, whole });
  if (wrong) return { refusal: say(...wrong) };
  return { value, refusal: whole && value !== undefined && !Number.isInteger(value) ? say("checkWhole") : "" };
}

const show = (value) => (typeof value === "number" ? write(value, NOTATION) : (value ?? ""));
