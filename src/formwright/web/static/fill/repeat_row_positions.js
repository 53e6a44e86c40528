// The number of the current row of a repeat in rules, and that of all of its rows: `position(repeat)`, `rowCount(repeat)`.

export const POSITION_FUNCTION = "position";
export const ROW_COUNT_FUNCTION = "rowCount";

/** Return the variable with the number of the current row, which is not a possible name of a field. */
export const positionVariable = (repeat) => `_position_${repeat}`;

/** Return the variable with the number of all rows. */
export const rowCountVariable = (repeat) => `_rowCount_${repeat}`;
