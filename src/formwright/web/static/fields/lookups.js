// Fields whose answers are keys of rows of a data source.

import { formatList, isSet, length, picks, readList } from "./answer_checks.js";

export const lookup = { check: length, readCell: (cell) => cell };
export const lookups = {
  isPicked: true,
  readCell: readList,
  format: formatList,
  check: (step, value) => (isSet(value) ? picks(step, value) : ["checkChoice"]),
};
