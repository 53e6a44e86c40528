// The answers that this device submitted last for a form: only those that rules of initial answers read (`lastSaved`).

import { toRuleInput } from "./rule_inputs.js";
import { answerKinds } from "./rule_program.js";

const storageKey = ({ form }) => `formwright:last:${form}`;

/** Return the answers as rules see them, by name. */
export function readLastSavedAnswers(page) {
  const [stored, kinds] = [read(page), answerKinds(page.steps)];
  const found = (page.lastSaved ?? []).map((name) => [
    name,
    Object.hasOwn(stored, name) ? toRuleInput(kinds[name], stored[name]) : undefined,
  ]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Keep the submitted answers for the next response. */
export function storeLastSavedAnswers(page, answers) {
  if (!page.lastSaved?.length) return;
  const stored = page.lastSaved.filter((name) => Object.hasOwn(answers, name)).map((name) => [name, answers[name]]);
  try {
    localStorage.setItem(storageKey(page), JSON.stringify(Object.fromEntries(stored)));
  } catch {
    // A full or disabled storage: there is no last answer.
  }
}

function read(page) {
  try {
    return JSON.parse(localStorage.getItem(storageKey(page))) ?? {};
  } catch {
    return {};
  }
}
