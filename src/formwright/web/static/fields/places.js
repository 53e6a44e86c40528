// Fields whose answers are positions (WGS 84).

import { findFirstError, checkRange } from "./answer_checks.js";

/** Check a position; without `accuracy` it is as if exact. */
function checkPosition({ latitude, longitude, accuracy = 0 }) {
  const check = (maximum, value) => checkRange({ minimum: -maximum, maximum }, value);
  return check(90, latitude) ?? check(180, longitude) ?? checkRange({ minimum: 0 }, accuracy);
}

function checkPoints({ minItems, maxItems }, value) {
  if (value.length < minItems) return ["checkPoints", minItems];
  if (value.length > maxItems) return ["checkMostPoints", maxItems];
  return findFirstError(value, checkPosition);
}

const formatPosition = ({ latitude, longitude }) => `${latitude}, ${longitude}`;

/** Return the location of two numbers. Anything else becomes a place that does not exist, so that its error is shown. */
function parsePosition(text) {
  if (!text.trim()) return undefined;
  const numbers = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);
  const [latitude, longitude] = numbers.length === 2 ? numbers : [];
  return {
    latitude: Number.isFinite(latitude) ? latitude : 1000,
    longitude: Number.isFinite(longitude) ? longitude : 1000,
  };
}

const pointsDefault = {
  write: (value) => value.map(formatPosition).join("\n"),
  read: (text) => text.split("\n").map(parsePosition).filter(Boolean),
  input: { rows: "3" },
  help: "One point per line, in degrees: 47.37, 8.54",
};

export const location = {
  check: (_, value) => checkPosition(value),
  typedDefault: { write: formatPosition, read: parsePosition, help: "Latitude and longitude in degrees: 47.37, 8.54" },
};
export const line = { check: checkPoints, typedDefault: pointsDefault };
export const area = { check: checkPoints, typedDefault: pointsDefault };
