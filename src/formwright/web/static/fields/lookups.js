// Fields whose answers are keys of rows of a data source.

import { formatList, hasNoDuplicates, checkLength, checkChoices, parseList } from "./answer_checks.js";

export const lookup = { check: checkLength, parseCell: (cell) => cell };
export const lookups = {
  isPicked: true,
  parseCell: parseList,
  format: formatList,
  check: (step, value) => (hasNoDuplicates(value) ? checkChoices(step, value) : ["checkChoice"]),
};
