// The position at which a form was opened, for forms that ask for it.

import { isAnswered } from "./rule_inputs.js";
import { locateDevice } from "./widgets/positions.js";

/** Ask for the position once, unless there is one. Without permission, the answer stays empty; nothing waits for it. */
export async function fillStartLocation({ page, draft, evaluator }) {
  const { clientId } = draft;
  page.person.startLocation = undefined;
  if (!navigator.geolocation || isAnswered(evaluator.answers[page.startLocation])) return;
  const position = await locateDevice();
  // The person may have submitted the form before the device knew where it is.
  if (!position || draft.clientId !== clientId) return;
  page.person.startLocation = position;
  evaluator.evaluate();
}
