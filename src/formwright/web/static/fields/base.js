// What the field types of several families share. A check returns null, or [word, ...values] for the message.

import { characters } from "../fill/text_length.js";

/** The most characters of the key of a row, of a barcode, and of a calculated choice. */
export const MAX_KEY_LENGTH = 500;

/** The most points of a line or an area. */
export const MAX_POINTS = 1000;

export const longest = (most, value) => (characters(value) > most ? ["checkLong", most] : null);

export function length({ minLength = 0, maxLength }, value) {
  return characters(value) < minLength ? ["checkShort", minLength] : longest(maxLength, value);
}

export function range({ min, max }, value) {
  if (value < min) return ["checkLeast", min];
  return value > max ? ["checkGreatest", max] : null;
}

export const isSet = (list) => new Set(list).size === list.length;

/** Return what is wrong with the first wrong item. */
export const firstWrong = (list, check) => list.reduce((wrong, one) => wrong ?? check(one), null);

/** How many may be chosen, and which exclude all others. */
export function picks({ minChoices = 0, maxChoices = Infinity, exclusive = [] }, value) {
  if (value.length > maxChoices) return ["checkMostChoices", maxChoices];
  if (value.some((one) => exclusive.includes(one))) return value.length > 1 ? ["checkExclusive"] : null;
  return value.length < minChoices ? ["checkFewestChoices", minChoices] : null;
}

export const readList = (cell) => cell.split(/\s*[;,]\s*/);

export const formatList = (value, { option }) => (Array.isArray(value) && value.length ? value.map(option).join(", ") : undefined);
