// Initial answers that rules compute (`defaultRule`), and answers set again when others change (`recalculateOn`).

import { checkAnswer } from "../fields/types.js";
import { isAnswered } from "./rule_inputs.js";
import { deleteFiles } from "./local_files.js";
import { toPageAnswer, setAnswer } from "./answer_conversion.js";

/** Sets initial answers. A container is the survey, or a row of a repeat. */
export class InitialAnswers {
  #steps;
  #survey;
  /** The names of fields that had an answer already, by container. */
  #answeredFields;
  /** The last answers that others depend on, by container and name. */
  #lastTriggers;
  #restored;
  #recalculated;

  #metadata;

  /** `metadata` returns what is known about the person and the device. */
  constructor(steps, survey, metadata) {
    this.#steps = steps;
    this.#metadata = metadata;
    this.#survey = survey;
    this.reset(false);
  }

  /** Forget everything. `restored`: somebody has seen these answers before, so that empty ones stay empty. */
  reset(restored) {
    this.#answeredFields = new WeakMap();
    this.#lastTriggers = new WeakMap();
    this.#restored = restored;
  }

  /** A change by a person: each answer is set again once at most, even if two depend on each other. */
  startChange() {
    this.#recalculated = new Map();
  }

  /** Set what the result of the rules `level` calls for. Returns whether any answer changed. */
  apply(level) {
    const changed = this.#applyToLevel(this.#steps, level, this.#survey, { answers: {}, shown: new Set() });
    this.#restored = false;
    return changed;
  }

  #applyToLevel(steps, level, container, outer) {
    const scope = { answers: { ...outer.answers, ...level.answers }, shown: new Set([...outer.shown, ...level.shown]) };
    let changed = false;
    for (const step of steps) {
      if (step.rows) changed = this.#applyToRows(step, level, container, scope) || changed;
      if (step.recalculateOn) changed = this.#recalculate(step, level, container, scope) || changed;
      if (level.shown.has(step.name)) changed = this.#setInitialAnswer(step, level, container) || changed;
    }
    return changed;
  }

  #applyToRows(step, level, container, scope) {
    const panels = container.getQuestionByName(step.name)?.panels ?? [];
    const rows = (level.rows[step.name] ?? []).filter((_, index) => panels[index]);
    return rows.map((row, index) => this.#applyToLevel(step.rows, row, panels[index], scope)).some(Boolean);
  }

  #setInitialAnswer(step, level, container) {
    const constant = step.metadata ? this.#metadata(step.metadata) : step.default;
    const value = constant ?? (step.recalculateOn ? undefined : level.initial[step.name]);
    if (constant === undefined && !step.defaultRule) return false;
    const done = getOrCreate(this.#answeredFields, container, () => new Set());
    if (isAnswered(level.answers[step.name])) done.add(step.name);
    if (done.has(step.name) || !isAnswered(value)) return false;
    done.add(step.name);
    if (this.#restored || checkAnswer(step, value)) return false;
    this.#setAnswer(step, container, value);
    return true;
  }

  #recalculate(step, level, container, scope) {
    const last = getOrCreate(
      getOrCreate(this.#lastTriggers, container, () => new Map()),
      step.name,
      () => new Map(),
    );
    const changed = step.recalculateOn.filter(
      (name) => scope.shown.has(name) && hasChanged(last, name, scope.answers[name]),
    );
    const recalculated = getOrCreate(this.#recalculated, container, () => new Set());
    if (!changed.length || recalculated.has(step.name)) return false;
    recalculated.add(step.name);
    const value = level.initial[step.name];
    const isValid = isAnswered(value) && !checkAnswer(step, value);
    if (!isValid && isAnswered(level.answers[step.name])) deleteFiles(level.answers[step.name]);
    this.#setAnswer(step, container, isValid ? value : undefined);
    return true;
  }

  #setAnswer(step, container, answer) {
    setAnswer(this.#survey, container, step.name, toPageAnswer(step, answer));
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
