// Which rows a lookup offers depending on other answers, like the server decides it (`domain/forms/lookups.py`).

import { isAnswered } from "./rule_inputs.js";
import { answersInScope, answerPath } from "./rule_evaluator.js";

/** Return the answers that filter the rows of this question, by column; missing answers do not filter. */
export function activeFilter(question, answers) {
  const scope = answersInScope(answers, answerPath(question));
  const given = Object.entries(question.lookup.filter)
    .map(([column, name]) => [column, scope[name]])
    .filter(([, value]) => isAnswered(value));
  return Object.fromEntries(given);
}

/** Return whether a row with these cells is offered with these answers. */
export const matchesFilter = (cells, filter) =>
  Object.entries(filter).every(([column, value]) => cellEquals(cells[column] ?? "", value));

function cellEquals(cell, answer) {
  if (typeof answer === "number") return cell.trim() !== "" && Number(cell) === answer;
  return cell === String(answer);
}
