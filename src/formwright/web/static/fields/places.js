// Fields whose answers are positions (WGS 84).

import { firstWrong, range } from "./base.js";

function position({ latitude, longitude, accuracy = 0 }) {
  const on = (most, value) => range({ min: -most, max: most }, value);
  return on(90, latitude) ?? on(180, longitude) ?? range({ min: 0 }, accuracy);
}

function points({ minItems, maxItems }, value) {
  if (value.length < minItems) return ["checkPoints", minItems];
  if (value.length > maxItems) return ["checkMostPoints", maxItems];
  return firstWrong(value, position);
}

export const location = { check: (_, value) => position(value) };
export const line = { check: points };
export const area = { check: points };
