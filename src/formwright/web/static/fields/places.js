// Fields whose answers are positions (WGS 84).

import { firstWrong, MAX_POINTS, range } from "./base.js";

function position({ latitude, longitude, accuracy = 0 }) {
  const on = (most, value) => range({ min: -most, max: most }, value);
  return on(90, latitude) ?? on(180, longitude) ?? range({ min: 0 }, accuracy);
}

function points(least, value) {
  if (value.length < least) return ["checkPoints", least];
  if (value.length > MAX_POINTS) return ["checkMostPoints", MAX_POINTS];
  return firstWrong(value, position);
}

export const location = { check: (_, value) => position(value) };
export const line = { check: (_, value) => points(2, value) };
export const area = { check: (_, value) => points(3, value) };
