// What the field types of several families share. A check returns null, or [word, ...values] for the message.

import { characters } from "../fill/text_length.js";

export function length({ minLength = 0, maxLength }, value) {
  const count = characters(value);
  if (count < minLength) return ["checkShort", minLength];
  return count > maxLength ? ["checkLong", maxLength] : null;
}

export function range({ minimum, maximum }, value) {
  if (value < minimum) return ["checkLeast", minimum];
  return value > maximum ? ["checkGreatest", maximum] : null;
}

export const isSet = (list) => new Set(list).size === list.length;

/** Return what is wrong with the first wrong item. */
export const firstWrong = (list, check) => list.reduce((wrong, one) => wrong ?? check(one), null);

/** How many may be chosen, how long each is, and which exclude all others. */
export function picks({ minChoices = 0, maxItems, minItemLength, maxItemLength, exclusive = [] }, value) {
  if (value.length > maxItems) return ["checkMostChoices", maxItems];
  const wrong = firstWrong(value, (one) => length({ minLength: minItemLength, maxLength: maxItemLength }, one));
  if (wrong) return wrong;
  if (value.some((one) => exclusive.includes(one))) return value.length > 1 ? ["checkExclusive"] : null;
  return value.length < minChoices ? ["checkFewestChoices", minChoices] : null;
}

export const readList = (cell) => cell.split(/\s*[;,]\s*/);

export const formatList = (value, { option }) =>
  Array.isArray(value) && value.length ? value.map(option).join(", ") : undefined;
