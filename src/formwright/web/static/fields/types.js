// What the pages do for each field type: a module per family, as in `domain/forms/fields/` on the server. What is yes or
// no, and every number, comes from the server with the page. These modules import neither the form library nor a page.
//
// - `check(step, value)` returns what is wrong with an answer, like the server's schema: null, or [word, ...values] for
//   the message; `checkCalculated` does so for a calculated answer, if it may be another one.
// - `isWellFormed(value)`: whether a calculated text is an answer at all.
// - `toApi(value)` and `toPage(value)` convert an answer of the form library to one of the API, and back, if they differ.
// - `parseCell(cell)` returns the text of a cell as an answer of the page, or undefined; without it, no cell can be one.
// - `isPicked`: people pick the answer. In a text, they see what is wrong; here, the page could not show an invalid one.
// - `format(value, words)` returns the answer in a text; undefined if it is another value. Without it, texts are shown as
//   they are. `words` has the language `tag`, the label of an `option(value)`, and `yesOrNo(value)`.
// - `typedDefault`: how the designer asks for a default that is typed: attributes of the `input`, a `help`, and, if the
//   text is not the value, `write(value)` and `read(text)`.
// - `notation`, for numbers that people do not type as such: `read(text)` returns {value, refusal}, `write(value)` the text.

/** @import { FieldType } from "../fill/types.js" */

import * as choices from "./choices.js";
import * as dates from "./dates.js";
import * as durations from "./durations.js";
import * as files from "./files.js";
import * as lookups from "./lookups.js";
import * as numbers from "./numbers.js";
import * as places from "./places.js";
import * as structure from "./structure.js";
import * as text from "./text.js";

/** All types by name. The modules of the families export nothing else. */
export const FIELD_TYPES = {
  ...text,
  ...numbers,
  ...dates,
  ...durations,
  ...choices,
  ...lookups,
  ...files,
  ...places,
  ...structure,
};

/** Return what the pages do for fields of this type. */
export const fieldType = (type) => /** @type {FieldType} */ (FIELD_TYPES[type]);

/** Check an answer against the type and the limits of its field. Returns null, or [word, ...values] for the message. */
export function checkAnswer(step, value) {
  const type = fieldType(step.type);
  return ((step.calculate && type.checkCalculated) || type.check)?.(step, value) ?? null;
}

/** Whether a calculated answer has the form that its type requires. Others are no answer. */
export const isWellFormed = ({ type }, value) => fieldType(type).isWellFormed?.(value) ?? true;
