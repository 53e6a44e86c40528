// The parts of a length of time.

/** Return the hours, minutes and seconds of a number of seconds. */
export const splitSeconds = (value) => [Math.floor(value / 3600), Math.floor(value / 60) % 60, value % 60];
