// The number of the current row of a repeat in rules: `position(repeat)`.

export const POSITION = "position";

/** Return the variable with the number of the current row, which is not a possible name of a field. */
export const positionVariable = (repeat) => `_position_${repeat}`;
