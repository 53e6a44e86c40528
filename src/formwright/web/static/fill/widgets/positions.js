// Positions: from the device, or typed.

import { toAsciiDigits } from "../numbers.js";

const POSITION_OPTIONS = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 0 };

/** Return the position of this device as {latitude, longitude, accuracy}, or null. */
export function locateDevice() {
  // Some browsers report nothing while the user ignores the permission prompt; a late result belongs to no form any more.
  return new Promise((resolve) => {
    setTimeout(resolve, 1.5 * POSITION_OPTIONS.timeout, null);
    navigator.geolocation.getCurrentPosition(
      (found) => resolve(toPoint(found)),
      () => resolve(null),
      POSITION_OPTIONS,
    );
  });
}

/** Call `report` with each new position until the returned function is called; with null if there is none. */
export function watchDevicePosition(report) {
  const watch = navigator.geolocation.watchPosition(
    (found) => report(toPoint(found)),
    () => report(null),
    POSITION_OPTIONS,
  );
  return () => navigator.geolocation.clearWatch(watch);
}

function toPoint({ coords: { latitude, longitude, accuracy } }) {
  return { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude), accuracy: Math.round(accuracy) };
}

/** Return a typed position, or undefined if it is none. */
export function parsePosition(text) {
  const [latitude, longitude, ...more] = parseNumbers(toAsciiDigits(text).replace(/٫/g, ".").replace(/،/g, ","));
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !more.length ? { latitude, longitude } : undefined;
}

// Next to a space or a semicolon, a comma may be a decimal comma: "53,54; 9,99".
function parseNumbers(text) {
  const spaced = text
    .trim()
    .split(/\s*[;\s]\s*|,\s+/)
    .map((part) => part.replace(/,$/, ""));
  const parts = spaced.length > 1 ? spaced.map((part) => part.replace(",", ".")) : text.split(",");
  return parts.filter((part) => part.trim()).map(Number);
}

export const formatPosition = ({ latitude, longitude }) => `${latitude}, ${longitude}`;

// Six decimals are about ten centimetres.
export const roundDegrees = (degrees) => Number(degrees.toFixed(6));
