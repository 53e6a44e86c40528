// Which rows a lookup offers depending on other answers, like the server decides it (`domain/forms/lookups.py`).

import { isAnswered } from "./rule_inputs.js";
import { answersAround, pathOf } from "./rule_evaluator.js";

/** Return the answers that filter the rows of this question, by column; missing answers do not filter. */
export function readFilter(question, answers) {
  const around = answersAround(answers, pathOf(question));
  const known = Object.entries(question.lookup.filter)
    .map(([column, name]) => [column, around[name]])
    .filter(([, value]) => isAnswered(value));
  return Object.fromEntries(known);
}

/** Return whether a row with these cells is offered with these answers. */
export const isOffered = (cells, by) =>
  Object.entries(by).every(([column, value]) => isCell(cells[column] ?? "", value));

function isCell(cell, answer) {
  if (typeof answer === "number") return cell.trim() !== "" && Number(cell) === answer;
  return cell === String(answer);
}
