// Converts answers between the page's format and the API's, by the types of the steps.

import { checkAnswer, fieldType } from "../fields/types.js";
import { isAnswered } from "./rule_inputs.js";
import { hasAnswer } from "./rule_program.js";

export function toApiAnswers(steps, data) {
  const answers = {};
  for (const step of steps) {
    const value = hasAnswer(step) ? toApiAnswer(step, data[step.name]) : undefined;
    if (isAnswered(value)) answers[step.name] = value;
  }
  return answers;
}

/** Set an answer in `container`: the survey, or a row of a repeat. Hidden fields have no question. */
export function setAnswer(survey, container, name, value) {
  const question = container.getQuestionByName(name);
  if (question) question.value = value;
  else if (container === survey) container.setValue(name, value);
  else container.data.setValue(name, value);
}

export function toPageAnswers(steps, data) {
  const answered = steps.filter((step) => hasAnswer(step) && data?.[step.name] !== undefined);
  return Object.fromEntries(answered.map((step) => [step.name, toPageAnswer(step, data[step.name])]));
}

/** Return one answer in the API's format. */
export function toApiAnswer(step, value) {
  if (step.rows) return Array.isArray(value) ? value.map((row) => toApiAnswers(step.rows, row)) : value;
  const { toApi: convert } = fieldType(step.type);
  return convert ? convert(value) : value;
}

/** Return one answer in the page's format. */
export function toPageAnswer(step, value) {
  if (step.rows) return Array.isArray(value) ? value.map((row) => toPageAnswers(step.rows, row)) : value;
  const { toPage: convert } = fieldType(step.type);
  return convert ? convert(value) : value;
}

/** Return whether a table cell can be an answer of this type at all. */
export const acceptsCell = ({ type }) => Boolean(fieldType(type).parseCell);

/** Return the table cell as an answer of this type; undefined if it cannot be one. */
export function parseCell(step, cell) {
  if (cell === null || cell === undefined || cell === "" || !acceptsCell(step)) return undefined;
  const type = fieldType(step.type);
  const value = type.parseCell(String(cell));
  return type.isPicked && value !== undefined && checkAnswer(step, toApiAnswer(step, value)) ? undefined : value;
}
