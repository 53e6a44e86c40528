// Which rows a lookup offers beside the other answers, as the server judges it (`domain/forms/lookups.py`).

import { isAnswered } from "./answers.js";
import { pathOf } from "./judge.js";

/** The answers that narrow the rows of this question, by column; one that is not there yet narrows nothing. */
export function narrowed(question, answers) {
  const [repeat, row] = pathOf(question);
  const own = row === undefined ? {} : (answers[repeat]?.[row] ?? {});
  const known = Object.entries(question.lookup.filter)
    .map(([column, name]) => [column, own[name] ?? answers[name]])
    .filter(([, value]) => isAnswered(value));
  return Object.fromEntries(known);
}

/** Whether cells, by column, let their row be offered beside these answers. */
export const isOffered = (cells, by) => Object.entries(by).every(([column, value]) => isCell(cells[column] ?? "", value));

function isCell(cell, answer) {
  if (typeof answer === "number") return cell.trim() !== "" && Number(cell) === answer;
  return cell === String(answer);
}
