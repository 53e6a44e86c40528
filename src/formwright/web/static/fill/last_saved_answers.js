// The answers that this device submitted last for a form: only those that rules of initial answers read (`lastSaved`).

import { answer } from "./rule_inputs.js";
import { kindsOf } from "./rule_program.js";

const keyOf = ({ form }) => `formwright:last:${form}`;

/** Return the answers as rules see them, by name. */
export function readLastSaved(page) {
  const [kept, kinds] = [read(page), kindsOf(page.steps)];
  const found = (page.lastSaved ?? []).map((name) => [
    name,
    Object.hasOwn(kept, name) ? answer(kinds[name], kept[name]) : undefined,
  ]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Keep the submitted answers for the next response. */
export function keepLastSaved(page, answers) {
  if (!page.lastSaved?.length) return;
  const kept = page.lastSaved.filter((name) => Object.hasOwn(answers, name)).map((name) => [name, answers[name]]);
  try {
    localStorage.setItem(keyOf(page), JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A full or disabled storage: there is no last answer.
  }
}

function read(page) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(page))) ?? {};
  } catch {
    return {};
  }
}
