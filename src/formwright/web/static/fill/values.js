// Converts answers between the page's format and the API's, by the types of the steps.

import { isAnswered } from "./answers.js";
import { check } from "../fields/types.js";
import { isExact, readNumber } from "./numbers.js";
import { asks } from "./program.js";

export function outgoing(steps, data) {
  const sent = {};
  for (const step of steps) {
    const value = asks(step) ? send(step, data[step.name]) : undefined;
    if (isAnswered(value)) sent[step.name] = value;
  }
  return sent;
}

/** Set an answer in `place`: the survey, or a row of a repeat. Hidden fields have no question. */
export function setAnswer(survey, place, name, value) {
  const question = place.getQuestionByName(name);
  if (question) question.value = value;
  else if (place === survey) place.setValue(name, value);
  else place.data.setValue(name, value);
}

export function incoming(steps, data) {
  const known = steps.filter((step) => asks(step) && data?.[step.name] !== undefined);
  return Object.fromEntries(known.map((step) => [step.name, receive(step, data[step.name])]));
}

/** Return one answer in the API's format. */
export function send(step, value) {
  if (step.type === "datetime" && typeof value === "string") return withOffset(value);
  if (step.type === "repeat" && Array.isArray(value)) return value.map((row) => outgoing(step.rows, row));
  if (isNumber(step) && typeof value === "string") return readNumber(value, { whole: isWhole(step) }).value ?? value;
  return value;
}

/** Return one answer in the page's format. */
export function receive(step, value) {
  if (step.type === "datetime" && typeof value === "string") return withoutOffset(value);
  if (step.type === "repeat" && Array.isArray(value)) return value.map((row) => incoming(step.rows, row));
  return value;
}

/** Return whether a table cell can be an answer of this type at all. */
export const takesCell = ({ type }) => !["photo", "audio", "video", "file", "signature", "location", "line", "area", "repeat"].includes(type);

/** Return the table cell as an answer of this type; undefined if it cannot be one. */
export function fromCell(step, cell) {
  if (cell === null || cell === undefined || cell === "" || !takesCell(step)) return undefined;
  const value = read(step, cell);
  return PICKED.includes(step.type) && value !== undefined && check(step, send(step, value)) ? undefined : value;
}

// Types whose invalid values the page could not even show; in a text, users see what is wrong.
const PICKED = ["date", "time", "datetime", "choice", "choices", "ranking", "lookups"];
const LISTS = ["choices", "ranking", "lookups"];

function read(step, cell) {
  if (isNumber(step)) return numberOf(String(cell).trim());
  if (step.type === "boolean") return BOOLEANS[String(cell).toLowerCase()];
  if (LISTS.includes(step.type)) return String(cell).split(/\s*[;,]\s*/);
  return receive(step, String(cell));
}

// Cells have the notation of JSON. Numbers that would be rounded are no answers.
const numberOf = (text) => (isExact(text, Number(text)) ? Number(text) : undefined);

const BOOLEANS = { true: true, yes: true, 1: true, false: false, no: false, 0: false };
const isNumber = ({ type }) => type === "decimal" || isWhole({ type });
const isWhole = ({ type }) => ["integer", "rating", "slider", "nps"].includes(type);

// The offset that applies here on that day, not today's.
function withOffset(local) {
  const moment = new Date(local);
  if (Number.isNaN(moment.getTime())) return local;
  const minutes = -moment.getTimezoneOffset();
  const sign = minutes < 0 ? "-" : "+";
  const hours = two(Math.floor(Math.abs(minutes) / 60));
  return `${local.length === 16 ? `${local}:00` : local}${sign}${hours}:${two(Math.abs(minutes) % 60)}`;
}

function withoutOffset(value) {
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return value;
  const day = `${String(moment.getFullYear()).padStart(4, "0")}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

const two = (number) => String(number).padStart(2, "0");
