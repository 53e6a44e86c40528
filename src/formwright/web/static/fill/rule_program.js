// Visibility, calculations and validity: the same steps in the same order, and under the same names, as on the server
// (`domain/forms/rules/program.py`). The server builds their fields (`web/fill/rule_program.py`).

import { isWellFormed } from "../fields/types.js";
import { toRuleInput, isAnswered } from "./rule_inputs.js";
import { drawRandomValues } from "./random_values.js";
import { clockVariables } from "./device_time.js";
import { StepBudget, OverBudgetError } from "./rule_budget.js";
import { countCharacters } from "./text_length.js";
import { positionVariable, rowCountVariable } from "./repeat_row_positions.js";
import { countPoints, pointsVariable, HUNDREDTHS_PER_POINT, totalVariables } from "./quiz_points.js";

/** Whether people or rules answer the field, unlike notes and sections. */
export const hasAnswer = ({ kind }) => kind !== "NONE";

/** Return the kinds of answers by the names of their fields; for a repeat, those of its rows. */
export const answerKinds = (fields) =>
  Object.fromEntries(
    fields.filter(hasAnswer).map((field) => [field.name, field.rows ? answerKinds(field.rows) : field.kind]),
  );

/** @import { Answers, CompiledRule, Evaluation, Level, Step, Violation } from "./types.js" */

/** The program of these fields, in the order of their dependencies. `compileRule` is that of `rule_compiler.js`. */
export class RuleProgram {
  #steps;
  #stepNames;
  // The points of fields without an answer, or without points.
  #zeroPoints;

  constructor(fields, compileRule, outerKinds = {}) {
    const choices = fields.filter(({ isChoice }) => isChoice).map(({ name }) => pointsVariable(name));
    this.#zeroPoints = Object.fromEntries(choices.map((name) => [name, 0]));
    const kinds = {
      ...outerKinds,
      ...answerKinds(fields),
      ...Object.fromEntries(choices.map((name) => [name, "DECIMAL"])),
    };
    this.#steps = fields.map((field) => new FieldStep(field, kinds, compileRule));
    this.#stepNames = new Set(fields.map(({ name }) => name));
  }

  /**
   * {answers, shown, required, readOnly, rows, violations}: hidden fields have no answer, calculated ones are computed.
   * `required` and `readOnly` are the names of fields that a rule requires or makes read-only, `offered` the options,
   * `initial` the initial answers and `counts` the numbers of rows by name. `score` and `maxScore` are points in
   * hundredths.
   *
   * `deviceTime` is what the clock of rules shows, `lastSaved` the answers of the last response. All rules share one
   * budget. The first that might exceed it ends the evaluation, with the result {costly: {path, field}}.
   *
   * @param {Answers} data
   * @param {string} [deviceTime]
   * @param {Answers} [lastSaved]
   * @returns {Evaluation}
   */
  evaluate(data, deviceTime, lastSaved = {}) {
    const context = { inputs: { ...clockVariables(deviceTime), lastSaved }, path: [], budget: new StepBudget() };
    try {
      const level = this.evaluateLevel(data, context);
      return { ...level, violations: this.findViolations(level, context) };
    } catch (error) {
      if (error instanceof TooCostlyError) return { costly: error.violation };
      throw error;
    }
  }

  /** Apply the rules to a form or row. `rows` has the levels of each repeat's rows, `inputs` the answers as rules see them. */
  evaluateLevel(data, { inputs, path, budget }) {
    const others = Object.entries(data).filter(([name]) => !this.#stepNames.has(name));
    /** @type {Level} */
    const level = {
      answers: Object.fromEntries(others),
      inputs: {},
      shown: new Set(),
      required: new Set(),
      readOnly: new Set(),
      offered: {},
      initial: {},
      rows: {},
      counts: {},
      score: 0,
      maxScore: 0,
    };
    level.points = { ...this.#zeroPoints, ...totalVariables(level) };
    const context = { inputs: { ...inputs, ...level.points }, path, budget };
    for (const step of this.#steps) addErrorPath(step, path, () => step.evaluate(data, level, context));
    return level;
  }

  /**
   * Return the violations, once all surrounding answers are known: {path, field, what}; `what` is `required`, `option`,
   * `rule`, `rows` or `limit`.
   *
   * The rows come first, like on the server, so that both run out of steps at the same rule.
   */
  findViolations(level, { inputs, path, budget }) {
    const context = { inputs: { ...inputs, ...level.inputs, ...level.points }, path, budget };
    const shown = this.#steps.filter(({ name }) => level.shown.has(name));
    for (const step of shown) step.mark(level, context.inputs);
    for (const step of this.#steps) step.begin(level, context.inputs);
    const rows = shown.flatMap((step) => step.findRowViolations(level, context));
    return [...rows, ...shown.flatMap((step) => addErrorPath(step, path, () => step.findViolations(level, context)))];
  }
}

/** The place where the budget was not enough. */
class TooCostlyError extends Error {
  constructor(violation) {
    super();
    this.violation = violation;
  }
}

function addErrorPath({ name, field }, path, evaluateStep) {
  try {
    return evaluateStep();
  } catch (error) {
    throw error instanceof OverBudgetError ? new TooCostlyError({ path: [...path, name], field }) : error;
  }
}

/** A field with its compiled rules. */
class FieldStep {
  constructor(field, kinds, compileRule) {
    const compileOptional = (text, more) => (text ? compileRule(text, { ...more, ...kinds }) : null);
    this.field = field;
    this.name = field.name;
    this.kind = kinds[field.name];
    this.visible = compileOptional(field.visibleIf);
    this.required = hasAnswer(field) && (!field.required || field.calculate) ? compileOptional(field.requiredIf) : null;
    this.readOnly = compileOptional(field.readOnlyIf);
    this.valid = compileOptional(field.validIf);
    this.calculate = compileOptional(field.calculate);
    this.optionFilter = field.optionFilter ? compileRule(field.optionFilter, { ...kinds, option: "OPTION" }) : null;
    this.count = compileOptional(field.countRule);
    this.initial = compileOptional(field.defaultRule, { lastSaved: "SAVED" });
    this.rows = field.rows && new RuleProgram(field.rows, compileRule, { ...kinds, ...rowKinds(field.name) });
  }

  /** Add the field's answer to `level`, and what rules see of it also to the inputs of the rules that follow. */
  evaluate(data, level, context) {
    if (!this.#isShown(level, context)) return;
    level.shown.add(this.name);
    const value = this.#computeAnswer(data, level, context);
    if (value !== undefined && value !== null) {
      level.answers[this.name] = value;
      // An answer larger than its field allows has an error of its own, and rules do not see it.
      const input = level.rows[this.name]?.map((row) => row.inputs) ?? value;
      if (isWithinInputSize(input, this.field)) level.inputs[this.name] = context.inputs[this.name] = input;
    }
    if (this.field.points || level.rows[this.name]) this.#countPoints(level, context);
  }

  /** Add the points of the answer, or of the rows, to those of the level. */
  #countPoints(level, { inputs }) {
    const { points: optionPoints, maxPoints } = this.field;
    const points = optionPoints ? countPoints(optionPoints, toRuleInput(this.kind, level.inputs[this.name])) : 0;
    for (const one of level.rows[this.name] ?? [{ score: points, maxScore: maxPoints }]) {
      level.score += one.score;
      level.maxScore += one.maxScore;
    }
    Object.assign(
      level.points,
      totalVariables(level),
      optionPoints && { [pointsVariable(this.name)]: points / HUNDREDTHS_PER_POINT },
    );
    Object.assign(inputs, level.points);
  }

  #isShown({ shown }, { inputs, budget }) {
    return (
      this.field.sections.every((section) => shown.has(section)) &&
      (!this.visible || this.visible.isTrue(inputs, budget))
    );
  }

  #computeAnswer(data, level, context) {
    if (this.calculate) return this.#calculate(context);
    if (this.count)
      level.counts[this.name] = Math.max(toJsonValue(this.count.evaluate(context.inputs, context.budget)) ?? 0, 0);
    const value = data[this.name];
    if (!this.rows || !Array.isArray(value)) return value;
    const rows = [];
    level.rows[this.name] = rows;
    // Rules that read the repeat see the rows before their own.
    const before = this.field.readsRows ? rows : [];
    for (const [index, row] of value.entries())
      rows.push(this.rows.evaluateLevel(row, this.#inRow(context, index, value.length, before)));
    return rows.map((row) => row.answers);
  }

  #calculate({ inputs, budget }) {
    const value = toJsonValue(toRuleInput(this.kind, this.calculate.evaluate(inputs, budget)));
    return value !== undefined && isWellFormed(this.field, value) ? value : undefined;
  }

  /** Note what only the page shows. It is not charged to the budget, because the server does not evaluate it. */
  mark(level, inputs) {
    if (this.required && isTrueAlone(this.required, inputs)) level.required.add(this.name);
    if (this.readOnly && isTrueAlone(this.readOnly, inputs)) level.readOnly.add(this.name);
    if (this.optionFilter) level.offered[this.name] = this.#offered(inputs);
  }

  /** Note the initial answer, which only the page sets. */
  begin(level, inputs) {
    if (this.initial)
      level.initial[this.name] = toJsonValue(
        toRuleInput(
          this.kind,
          attempt(() => this.initial.evaluate({ ...inputs, ...drawRandomValues() }, new StepBudget())),
        ),
      );
  }

  /** The values of the options that are offered, as a set. */
  #offered(inputs) {
    return new Set(
      Object.keys(this.field.options).filter((value) =>
        isTrueAlone(this.optionFilter, this.#withOption(inputs, value)),
      ),
    );
  }

  #withOption(inputs, value) {
    return { ...inputs, option: this.field.options[value] };
  }

  // All options are evaluated, so that the server spends the same number of steps.
  #isOffered(value, inputs, budget) {
    const chosen = [value].flat().filter((one) => typeof one === "string" && Object.hasOwn(this.field.options, one));
    return chosen.map((one) => this.optionFilter.isTrue(this.#withOption(inputs, one), budget)).every(Boolean);
  }

  findRowViolations(level, context) {
    const rows = level.rows[this.name] ?? [];
    return rows.flatMap((row, index) => this.rows.findViolations(row, this.#inRow(context, index, rows.length)));
  }

  findViolations(level, { inputs, path, budget }) {
    const what = this.#findCountViolation(level) ?? this.#findViolation(level.answers[this.name], inputs, budget);
    return what ? [{ path: [...path, this.name], field: this.field, what }] : [];
  }

  #findCountViolation({ answers, counts }) {
    if (!this.count) return null;
    if (counts[this.name] > this.field.maxItems) return "limit";
    const rows = answers[this.name] ?? [];
    return Array.isArray(rows) && rows.length !== counts[this.name] ? "rows" : null;
  }

  #inRow(context, index, count, before = []) {
    const inputs = {
      ...context.inputs,
      [positionVariable(this.name)]: index + 1,
      [rowCountVariable(this.name)]: count,
    };
    if (before.length) inputs[this.name] = before.map((row) => row.inputs);
    return { ...context, inputs, path: [...context.path, this.name, index] };
  }

  #findViolation(value, inputs, budget) {
    if (!isAnswered(value))
      return this.field.requiredIfVisible || this.required?.isTrue(inputs, budget) ? "required" : null;
    if (this.optionFilter && !this.calculate && !this.#isOffered(value, inputs, budget)) return "option";
    return this.valid && !this.valid.isTrue(inputs, budget) ? "rule" : null;
  }
}

const rowKinds = (repeat) => ({ [positionVariable(repeat)]: "INTEGER", [rowCountVariable(repeat)]: "INTEGER" });

/** Whether a rule is true with a budget of its own. A rule that is too costly is false. */
const isTrueAlone = (rule, inputs) => attempt(() => rule.isTrue(inputs, new StepBudget())) ?? false;

/** Evaluate a rule; a rule that is too costly has no value. */
function attempt(evaluateStep) {
  try {
    return evaluateStep();
  } catch (error) {
    if (error instanceof OverBudgetError) return undefined;
    throw error;
  }
}

/** Return whether an answer has at most this size; items of a list of texts are options, file ids or keys of rows. */
function isWithinInputSize(value, { maxInputSize, maxItemLength }) {
  if (maxInputSize === undefined || !["string", "object"].includes(typeof value)) return true;
  if (typeof value === "string") return countCharacters(value) <= maxInputSize;
  if (Object.keys(value).length > maxInputSize) return false;
  return (
    !Array.isArray(value) || value.every((item) => typeof item !== "string" || countCharacters(item) <= maxItemLength)
  );
}

// As in JSON, which has one number type.
function toJsonValue(value) {
  if (value instanceof Map) return Object.fromEntries(value);
  return typeof value === "bigint" ? Number(value) : value;
}
