// What is shown, calculated and valid: the same steps, in the same order, as the server's (`domain/forms/program.py`).

import { answer, isAnswered } from "./answers.js";

/** The program of these steps; `kinds` has those of their answers by name. `compile` is that of `rules.js`, where rules are. */
export class Program {
  #steps;
  #names;

  constructor(steps, kinds, compile, outer = {}) {
    const seen = { ...outer, ...kinds };
    this.#steps = steps.map((step) => new Step(step, seen, compile));
    this.#names = new Set(steps.map((step) => step.name));
  }

  /** {answers, shown, rows, broken}: hidden fields carry no answer, calculated ones are computed. */
  settle(data) {
    const level = this.level(data, {});
    return { ...level, broken: this.broken(level, {}, []) };
  }

  /** The answers beside each other, settled; `rows` holds the levels of each repeat's rows. */
  level(data, outer) {
    const seen = { ...outer };
    const others = Object.entries(data).filter(([name]) => !this.#names.has(name));
    const level = { answers: Object.fromEntries(others), shown: new Set(), rows: {} };
    for (const step of this.#steps) {
      if (!step.shows(seen, level.shown)) continue;
      level.shown.add(step.name);
      const value = step.value(data, seen, level);
      if (value !== undefined && value !== null) level.answers[step.name] = seen[step.name] = value;
    }
    return level;
  }

  /** What is wrong, judged when all answers around are known: {path, step, what}, `what` being `required` or `rule`. */
  broken(level, outer, path) {
    const seen = { ...outer, ...level.answers };
    return this.#steps
      .filter((step) => level.shown.has(step.name))
      .flatMap((step) => step.broken(level, seen, [...path, step.name]));
  }
}

class Step {
  constructor(step, kinds, compile) {
    Object.assign(this, step);
    const compiled = (text) => (text ? compile(text, kinds) : null);
    this.visible = compiled(step.visibleIf);
    this.valid = compiled(step.validIf);
    this.calculated = compiled(step.calculate);
    this.kind = kinds[step.name];
    this.program = step.rows && new Program(step.rows, this.kind, compile, kinds);
  }

  shows(seen, shown) {
    return this.inside.every((section) => shown.has(section)) && (!this.visible || this.visible.holds(seen));
  }

  value(data, seen, level) {
    if (this.calculated) return plain(answer(this.kind, this.calculated.value(seen)));
    const value = data[this.name];
    if (!this.program || !Array.isArray(value)) return value;
    level.rows[this.name] = value.map((row) => this.program.level(row, seen));
    return level.rows[this.name].map((row) => row.answers);
  }

  broken(level, seen, path) {
    const rows = (level.rows[this.name] ?? []).flatMap((row, index) => this.program.broken(row, seen, [...path, index]));
    const what = this.wrong(level.answers[this.name], seen);
    return what ? [...rows, { path, step: this, what }] : rows;
  }

  wrong(value, seen) {
    if (isAnswered(value)) return this.valid && !this.valid.holds(seen) ? "rule" : null;
    return this.required && asks(this) && this.sometimes && !this.calculated ? "required" : null;
  }
}

// As JSON says it: all numbers of one kind.
function plain(value) {
  if (value instanceof Map) return Object.fromEntries(value);
  return typeof value === "bigint" ? Number(value) : value;
}

export const asks = (step) => step.type !== "note" && step.type !== "section";
