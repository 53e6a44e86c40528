// What the field types of several families share. A check returns null, or [word, ...values] for the message.

import { countCharacters } from "../fill/text_length.js";

export function checkLength({ minLength = 0, maxLength }, value) {
  const count = countCharacters(value);
  if (count < minLength) return ["checkShort", minLength];
  return count > maxLength ? ["checkLong", maxLength] : null;
}

/** @param {{ minimum?: number, maximum?: number }} limits */
export function checkRange({ minimum, maximum }, value) {
  if (value < minimum) return ["checkLeast", minimum];
  return value > maximum ? ["checkGreatest", maximum] : null;
}

export const hasNoDuplicates = (list) => new Set(list).size === list.length;

/** Return what is wrong with the first wrong item. */
export const findFirstError = (list, check) => list.reduce((wrong, one) => wrong ?? check(one), null);

/** How many may be chosen, how long each is, and which exclude all others. */
export function checkChoices({ minChoices = 0, maxItems, minItemLength, maxItemLength, exclusive = [] }, value) {
  if (value.length > maxItems) return ["checkMostChoices", maxItems];
  const wrong = findFirstError(value, (one) =>
    checkLength({ minLength: minItemLength, maxLength: maxItemLength }, one),
  );
  if (wrong) return wrong;
  if (value.some((one) => exclusive.includes(one))) return value.length > 1 ? ["checkExclusive"] : null;
  return value.length < minChoices ? ["checkFewestChoices", minChoices] : null;
}

export const parseList = (cell) => cell.split(/\s*[;,]\s*/);

export const formatList = (value, { option }) =>
  Array.isArray(value) && value.length ? value.map(option).join(", ") : undefined;
