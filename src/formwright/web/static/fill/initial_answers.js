// Initial answers that rules compute (`defaultRule`), and answers set again when others change (`recalculateOn`).

import { checkAnswer } from "../fields/types.js";
import { isAnswered } from "./rule_inputs.js";
import { deleteFiles } from "./local_files.js";
import { toPageAnswer, setAnswer } from "./answer_conversion.js";

/** Sets initial answers. A place is the survey, or a row of a repeat. */
export class InitialAnswers {
  #steps;
  #survey;
  /** The names of fields that had an answer already, by place. */
  #done;
  /** The last answers that others depend on, by place and name. */
  #last;
  #restored;
  #fired;

  #metadata;

  /** `metadata` returns what is known about the person and the device. */
  constructor(steps, survey, metadata) {
    this.#steps = steps;
    this.#metadata = metadata;
    this.#survey = survey;
    this.begin(false);
  }

  /** Forget everything. `restored`: somebody has seen these answers before, so that empty ones stay empty. */
  begin(restored) {
    this.#done = new WeakMap();
    this.#last = new WeakMap();
    this.#restored = restored;
  }

  /** A change by a person: each answer is set again once at most, even if two depend on each other. */
  start() {
    this.#fired = new Map();
  }

  /** Set what the result of the rules `found` calls for. Returns whether any answer changed. */
  apply(found) {
    const changed = this.#level(this.#steps, found, this.#survey, { answers: {}, shown: new Set() });
    this.#restored = false;
    return changed;
  }

  #level(steps, found, place, outer) {
    const known = { answers: { ...outer.answers, ...found.answers }, shown: new Set([...outer.shown, ...found.shown]) };
    let changed = false;
    for (const step of steps) {
      if (step.rows) changed = this.#rows(step, found, place, known) || changed;
      if (step.recalculateOn) changed = this.#recalculate(step, found, place, known) || changed;
      if (found.shown.has(step.name)) changed = this.#begin(step, found, place) || changed;
    }
    return changed;
  }

  #rows(step, found, place, known) {
    const panels = place.getQuestionByName(step.name)?.panels ?? [];
    const rows = (found.rows[step.name] ?? []).filter((_, index) => panels[index]);
    return rows.map((row, index) => this.#level(step.rows, row, panels[index], known)).some(Boolean);
  }

  #begin(step, found, place) {
    const constant = step.metadata ? this.#metadata(step.metadata) : step.default;
    const value = constant ?? (step.recalculateOn ? undefined : found.initial[step.name]);
    if (constant === undefined && !step.defaultRule) return false;
    const done = getOrCreate(this.#done, place, () => new Set());
    if (isAnswered(found.answers[step.name])) done.add(step.name);
    if (done.has(step.name) || !isAnswered(value)) return false;
    done.add(step.name);
    if (this.#restored || checkAnswer(step, value)) return false;
    this.#write(step, place, value);
    return true;
  }

  #recalculate(step, found, place, known) {
    const last = getOrCreate(
      getOrCreate(this.#last, place, () => new Map()),
      step.name,
      () => new Map(),
    );
    const changed = step.recalculateOn.filter(
      (name) => known.shown.has(name) && hasChanged(last, name, known.answers[name]),
    );
    const fired = getOrCreate(this.#fired, place, () => new Set());
    if (!changed.length || fired.has(step.name)) return false;
    fired.add(step.name);
    const value = found.initial[step.name];
    const fits = isAnswered(value) && !checkAnswer(step, value);
    if (!fits && isAnswered(found.answers[step.name])) deleteFiles(found.answers[step.name]);
    this.#write(step, place, fits ? value : undefined);
    return true;
  }

  #write(step, place, given) {
    setAnswer(this.#survey, place, step.name, toPageAnswer(step, given));
  }
}

function getOrCreate(map, key, create) {
  if (!map.has(key)) map.set(key, create());
  return map.get(key);
}

/** Note the answer, and return whether there was another one before. */
function hasChanged(last, name, answer) {
  const [before, now] = [last.get(name), JSON.stringify(answer ?? null)];
  last.set(name, now);
  return before !== undefined && before !== now;
}
