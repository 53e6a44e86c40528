// Trigonometric functions, exponentials and logarithms, in the same operations as domain/forms/rules/trigonometry.py.

import { throwRuleError } from "./cel_overrides.js";

const { PI, LN2, LN10 } = Math;
const HALF_PI = PI / 2;
// Sums of two numbers are π/2 and ln 2 with more digits than one number has.
const [HALF_PI_HIGH, HALF_PI_LOW] = [1.5707963267341256, 6.077100506506192e-11];
const [LN2_HIGH, LN2_LOW] = [0.6931471803691238, 1.9082149292705877e-10];
const [MAX_ANGLE, MAX_EXPONENT] = [1_000_000, 700];
const [HALVINGS, HALVING_FACTOR] = [4, 16];

export const sine = (angle) => sineOfQuarters(angle, 0);
export const cosine = (angle) => sineOfQuarters(angle, 1);
export const tangent = (angle) => sineOfQuarters(angle, 0) / sineOfQuarters(angle, 1);

function sineOfQuarters(angle, quarters) {
  requireDomain(Math.abs(angle) <= MAX_ANGLE);
  const count = Math.floor(angle / HALF_PI + 0.5);
  const rest = angle - count * HALF_PI_HIGH - count * HALF_PI_LOW;
  const quarter = (((count + quarters) % 4) + 4) % 4;
  const result = quarter % 2 ? taylorSeries(rest, 17) : rest * taylorSeries(rest, 18);
  return quarter > 1 ? -result : result;
}

function taylorSeries(angle, last) {
  let result = 1;
  for (let factor = last; factor > 0; factor -= 2) result = 1 - ((angle * angle) / (factor * (factor + 1))) * result;
  return result;
}

export function arctangent(value) {
  requireDomain(Number.isFinite(value));
  if (Math.abs(value) > 1) return (value > 0 ? HALF_PI : -HALF_PI) - arctangent(1 / value);
  for (let at = 0; at < HALVINGS; at += 1) value /= 1 + Math.sqrt(1 + value * value);
  const square = value * value;
  let series = 0;
  for (let divisor = 21; divisor > 0; divisor -= 2) series = 1 / divisor - square * series;
  return HALVING_FACTOR * value * series;
}

export function arctangent2(y, x) {
  requireDomain(Number.isFinite(x) && Number.isFinite(y));
  if (x === 0) return y === 0 ? 0 : y > 0 ? HALF_PI : -HALF_PI;
  const ratio = y / x;
  const angle = arctangent(ratio);
  if (x > 0) return angle;
  return y >= 0 ? angle + PI : angle - PI;
}

export function arcsine(value) {
  requireDomain(Math.abs(value) <= 1);
  return arctangent2(value, Math.sqrt((1 - value) * (1 + value)));
}

export function arccosine(value) {
  requireDomain(Math.abs(value) <= 1);
  return arctangent2(Math.sqrt((1 - value) * (1 + value)), value);
}

export function exponential(value) {
  requireDomain(Math.abs(value) <= MAX_EXPONENT);
  const count = Math.floor(value / LN2 + 0.5);
  const rest = value - count * LN2_HIGH - count * LN2_LOW;
  let result = 1;
  for (let factor = 20; factor > 0; factor -= 1) result = 1 + (rest / factor) * result;
  for (let at = 0; at < Math.abs(count); at += 1) result = count > 0 ? result * 2 : result / 2;
  return result;
}

export function logarithm(value) {
  requireDomain(Number.isFinite(value) && value > 0);
  let count = 0;
  for (; value >= 1.5; count += 1) value /= 2;
  for (; value < 0.75; count -= 1) value *= 2;
  const part = (value - 1) / (value + 1);
  const square = part * part;
  let series = 0;
  for (let divisor = 25; divisor > 0; divisor -= 2) series = 1 / divisor + square * series;
  return count * LN2_HIGH + (count * LN2_LOW + 2 * part * series);
}

export function logarithm10(value) {
  const result = logarithm(value) / LN10;
  const whole = Math.floor(result + 0.5);
  let ten = 1;
  for (let at = 0; at < Math.min(Math.abs(whole), 22); at += 1) ten *= 10;
  return value === (whole >= 0 ? ten : 1 / ten) ? whole : result;
}

export function remainder(value, divisor) {
  requireDomain(Number.isFinite(value) && Number.isFinite(divisor) && divisor !== 0);
  return value % divisor;
}

function requireDomain(isInDomain) {
  if (!isInDomain) throwRuleError();
}
