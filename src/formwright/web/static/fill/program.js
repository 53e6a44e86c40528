// Visibility, calculations and validity: the same steps in the same order as the server (`domain/forms/rules/program.py`).

import { answer, isAnswered } from "./answers.js";
import { isWellFormed } from "../fields/types.js";
import { drawChance } from "./chance.js";
import { clockVariables } from "./device_time.js";
import { Budget, OverBudget } from "./costs.js";
import { characters } from "./text_length.js";
import { positionVariable, rowCountVariable } from "./row_positions.js";
import { countPoints, pointsVariable, SCALE, totalsOf } from "./scores.js";

/** The program of these steps; `kinds` has the types of their answers by name. `compile` is that of `rules.js`. */
export class Program {
  #steps;
  #names;
  // The points of fields without an answer, or without points.
  #noPoints;

  constructor(steps, kinds, compile, outer = {}) {
    const choices = steps.filter(({ type }) => type === "choice" || type === "choices").map(({ name }) => pointsVariable(name));
    this.#noPoints = Object.fromEntries(choices.map((name) => [name, 0]));
    const seen = { ...outer, ...kinds, ...Object.fromEntries(choices.map((name) => [name, "DOUBLE"])) };
    this.#steps = steps.map((step) => new Step(step, seen, compile));
    this.#names = new Set(steps.map((step) => step.name));
  }

  /**
   * {answers, shown, needed, locked, rows, broken}: hidden fields have no answer, calculated ones are computed. `needed`
   * and `locked` are the names of fields that a rule requires or makes read-only, `offered` the options, `initial` the
   * initial answers and `counts` the numbers of rows by name. `score` and `maxScore` are points in hundredths.
   *
   * `deviceTime` is what the clock of rules shows, `lastSaved` the answers of the last response. All rules share one budget. The first that might exceed it ends the evaluation, with the result {costly: {path, step}}.
   */
  settle(data, deviceTime, lastSaved = {}) {
    const budget = new Budget();
    const outer = { ...clockVariables(deviceTime), lastSaved };
    try {
      const level = this.level(data, { outer, path: [], budget });
      return { ...level, broken: this.broken(level, { outer, path: [], budget }) };
    } catch (error) {
      if (error instanceof TooCostly) return { costly: error.place };
      throw error;
    }
  }

  /** Evaluate one level of answers; `rows` holds the levels of each repeat's rows, `seen` the answers as rules see them. */
  level(data, { outer, path, budget }) {
    const others = Object.entries(data).filter(([name]) => !this.#names.has(name));
    const level = { answers: Object.fromEntries(others), seen: {}, shown: new Set(), needed: new Set(), locked: new Set(), offered: {}, initial: {}, rows: {}, counts: {}, score: 0, maxScore: 0 };
    level.points = { ...this.#noPoints, ...totalsOf(level) };
    const around = { outer: { ...outer, ...level.points }, path, budget };
    for (const step of this.#steps) addErrorPath(step, path, () => step.settle(data, level, around));
    return level;
  }

  /**
   * Return the errors, once all surrounding answers are known: {path, step, what}; `what` is `required`, `option`, `rule`,
   * `rows` or `limit`.
   *
   * The rows come first, like on the server, so that both run out of steps at the same rule.
   */
  broken(level, { outer, path, budget }) {
    const around = { outer: { ...outer, ...level.seen, ...level.points }, path, budget };
    const shown = this.#steps.filter((step) => level.shown.has(step.name));
    for (const step of shown) step.mark(level, around.outer);
    for (const step of this.#steps) step.begin(level, around.outer);
    const rows = shown.flatMap((step) => step.brokenRows(level, around));
    return [...rows, ...shown.flatMap((step) => addErrorPath(step, path, () => step.broken(level, around)))];
  }
}

/** The place where the budget was not enough. */
class TooCostly extends Error {
  constructor(place) {
    super();
    this.place = place;
  }
}

function addErrorPath(step, path, act) {
  try {
    return act();
  } catch (error) {
    throw error instanceof OverBudget ? new TooCostly({ path: [...path, step.name], step }) : error;
  }
}

class Step {
  constructor(step, kinds, compile) {
    Object.assign(this, step);
    const compiled = (text) => (text ? compile(text, kinds) : null);
    this.visible = compiled(step.visibleIf);
    this.valid = compiled(step.validIf);
    this.needed = asks(step) && (!step.required || step.calculate) ? compiled(step.requiredIf) : null;
    this.locked = compiled(step.readOnlyIf);
    this.offers = step.optionFilter ? compile(step.optionFilter, { ...kinds, option: "OPTION" }) : null;
    this.calculated = compiled(step.calculate);
    this.starts = step.defaultRule ? compile(step.defaultRule, { lastSaved: "SAVED", ...kinds }) : null;
    this.counted = compiled(step.countRule);
    this.kind = kinds[step.name];
    this.program = step.rows && new Program(step.rows, this.kind, compile, { ...kinds, ...rowKinds(step.name) });
  }

  /** Add the field's answer to `level`, and what rules see of it also to `around.outer`. */
  settle(data, level, around) {
    if (!this.#shows(level, around)) return;
    level.shown.add(this.name);
    const value = this.#value(data, level, around);
    if (value !== undefined && value !== null) {
      level.answers[this.name] = value;
      // An answer larger than its field allows has an error of its own, and rules do not see it.
      const seen = level.rows[this.name]?.map((row) => row.seen) ?? value;
      if (fits(seen, this.most)) level.seen[this.name] = around.outer[this.name] = seen;
    }
    if (this.points || level.rows[this.name]) this.#count(level, around);
  }

  /** Add the points of the answer, or of the rows, to those of the level. */
  #count(level, around) {
    const points = this.points ? countPoints(this.points, answer(this.kind, level.seen[this.name])) : 0;
    for (const one of level.rows[this.name] ?? [{ score: points, maxScore: this.maxPoints }]) {
      level.score += one.score;
      level.maxScore += one.maxScore;
    }
    Object.assign(level.points, totalsOf(level), this.points && { [pointsVariable(this.name)]: points / SCALE });
    Object.assign(around.outer, level.points);
  }

  #shows({ shown }, { outer, budget }) {
    return this.inside.every((section) => shown.has(section)) && (!this.visible || this.visible.holds(outer, budget));
  }

  #value(data, level, around) {
    if (this.calculated) return this.#calculate(around);
    if (this.counted) level.counts[this.name] = Math.max(plain(this.counted.value(around.outer, around.budget)) ?? 0, 0);
    const value = data[this.name];
    if (!this.program || !Array.isArray(value)) return value;
    const rows = (level.rows[this.name] = []);
    // Rules that read the repeat see the rows before their own.
    for (const [index, row] of value.entries()) rows.push(this.program.level(row, this.#inRow(around, index, value.length, this.readsRows ? rows : [])));
    return level.rows[this.name].map((row) => row.answers);
  }

  #calculate({ outer, budget }) {
    const value = plain(answer(this.kind, this.calculated.value(outer, budget)));
    return value !== undefined && isWellFormed(this, value) ? value : undefined;
  }

  /** Note what only the page shows. It is not charged to the budget, because the server does not evaluate it. */
  mark(level, seen) {
    if (this.needed && holds(this.needed, seen)) level.needed.add(this.name);
    if (this.locked && holds(this.locked, seen)) level.locked.add(this.name);
    if (this.offers) level.offered[this.name] = this.#offered(seen);
  }

  /** Note the initial answer, which only the page sets. */
  begin(level, seen) {
    if (this.starts) level.initial[this.name] = plain(answer(this.kind, attempt(() => this.starts.value({ ...seen, ...drawChance() }, new Budget()))));
  }

  /** The values of the options that are offered, as a set. */
  #offered(seen) {
    return new Set(Object.keys(this.options).filter((value) => holds(this.offers, this.#withOption(seen, value))));
  }

  #withOption(seen, value) {
    return { ...seen, option: this.options[value] };
  }

  // All options are judged, so that the server spends the same number of steps.
  #isOffered(value, seen, budget) {
    const chosen = [value].flat().filter((one) => typeof one === "string" && Object.hasOwn(this.options, one));
    return chosen.map((one) => this.offers.holds(this.#withOption(seen, one), budget)).every(Boolean);
  }

  brokenRows(level, around) {
    const rows = level.rows[this.name] ?? [];
    return rows.flatMap((row, index) => this.program.broken(row, this.#inRow(around, index, rows.length)));
  }

  broken(level, { outer, path, budget }) {
    const what = this.#miscounted(level) ?? this.#wrong(level.answers[this.name], outer, budget);
    return what ? [{ path: [...path, this.name], step: this, what }] : [];
  }

  #miscounted({ answers, counts }) {
    if (!this.counted) return null;
    if (counts[this.name] > this.max) return "limit";
    const rows = answers[this.name] ?? [];
    return Array.isArray(rows) && rows.length !== counts[this.name] ? "rows" : null;
  }

  #inRow(around, index, count, before = []) {
    const outer = { ...around.outer, [positionVariable(this.name)]: index + 1, [rowCountVariable(this.name)]: count };
    if (before.length) outer[this.name] = before.map((row) => row.seen);
    return { ...around, outer, path: [...around.path, this.name, index] };
  }

  #wrong(value, seen, budget) {
    if (isAnswered(value) && this.offers && !this.calculated && !this.#isOffered(value, seen, budget)) return "option";
    if (isAnswered(value)) return this.valid && !this.valid.holds(seen, budget) ? "rule" : null;
    if (this.required && asks(this) && this.sometimes && !this.calculated) return "required";
    return this.needed?.holds(seen, budget) ? "required" : null;
  }
}

const rowKinds = (repeat) => ({ [positionVariable(repeat)]: "INT", [rowCountVariable(repeat)]: "INT" });

/** Whether a rule is true with a budget of its own. A rule that is too costly is false. */
const holds = (rule, seen) => attempt(() => rule.holds(seen, new Budget())) ?? false;

/** Evaluate a rule; a rule that is too costly has no value. */
function attempt(act) {
  try {
    return act();
  } catch (error) {
    if (error instanceof OverBudget) return undefined;
    throw error;
  }
}

const LONGEST_ITEM = 500;

/** Return whether an answer has at most this size; items of a list of texts are options, file ids or keys of rows. */
function fits(value, most) {
  if (most === undefined || !["string", "object"].includes(typeof value)) return true;
  if (typeof value === "string") return characters(value) <= most;
  if (Object.keys(value).length > most) return false;
  return !Array.isArray(value) || value.every((item) => typeof item !== "string" || characters(item) <= LONGEST_ITEM);
}

// As in JSON, which has one number type.
function plain(value) {
  if (value instanceof Map) return Object.fromEntries(value);
  return typeof value === "bigint" ? Number(value) : value;
}

export const asks = (step) => step.type !== "note" && step.type !== "section";
