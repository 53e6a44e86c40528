// The parts of lengths of time, dates and times.

/** Return the hours, minutes and seconds of a number of seconds. */
export const splitSeconds = (value) => [Math.floor(value / 3600), Math.floor(value / 60) % 60, value % 60];

export const padTwo = (number) => String(number).padStart(2, "0");

/** Return the day of a moment on this device, such as `2026-03-29`. */
export const formatDay = (moment) =>
  `${String(moment.getFullYear()).padStart(4, "0")}-${padTwo(moment.getMonth() + 1)}-${padTwo(moment.getDate())}`;

/** Return the offset of this device at that moment, such as `+02:00`. */
export function formatOffset(moment) {
  const minutes = -moment.getTimezoneOffset();
  // Offsets of the past had seconds.
  const distance = Math.round(Math.abs(minutes));
  return `${minutes < 0 ? "-" : "+"}${padTwo(Math.floor(distance / 60))}:${padTwo(distance % 60)}`;
}
