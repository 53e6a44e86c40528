// Applies the results of the rules to the survey: visibility, calculated values, and errors of answers.

import { isAnswered } from "./rule_inputs.js";
import { checkAnswer } from "../fields/types.js";
import { TextPlaceholders } from "./text_placeholders.js";
import { setCosts } from "./rule_budget.js";
import { deviceId } from "./device_id.js";
import { deviceTime } from "./device_time.js";
import { InitialAnswers } from "./initial_answers.js";
import { readLastSavedAnswers } from "./last_saved_answers.js";
import { findFileError } from "./local_files.js";
import { showOfferedOptions, removeWithdrawnOptions } from "./offered_options.js";
import { explainMissingOptions, noteMissingOptions, refreshNotice } from "./question_notices.js";
import { RuleProgram } from "./rule_program.js";
import { applyRowCounts } from "./repeat_row_counts.js";
import { toApiAnswers, toPageAnswer, toApiAnswer } from "./answer_conversion.js";
import { t } from "./texts.js";

/** Answers usually settle within a few rounds. Rules that keep changing each other's answers stop after so many. */
const MAX_ROUNDS = 50;

/** Evaluates the rules of a form, and applies their results to its survey. */
export class RuleEvaluator {
  #survey;
  #steps;
  #program;
  #stepsByName;
  #violations = new Map();
  #fixedTime;
  #texts;
  #initial;
  #page;
  #lastSaved = {};
  /** What the clock showed when the rules were evaluated. */
  deviceTime;
  /** The path of the field at whose rule evaluation stopped, because it might need too much work. */
  costly = null;
  /** The result of the rules for the form, as `Program.evaluate` returns it. */
  level = null;
  /** The answers after applying the rules. */
  answers = {};
  /** True while this class changes the survey's values. */
  isApplying = false;

  constructor(survey, page, compileRule) {
    const { steps, language, deviceTime: fixed, person } = page;
    this.#page = page;
    this.#survey = survey;
    this.#fixedTime = fixed;
    setCosts(page.costs);
    this.#steps = steps;
    this.#program = new RuleProgram(steps, compileRule);
    this.#stepsByName = new Map(flattenSteps(steps).map((step) => [step.name, step]));
    this.#texts = new TextPlaceholders(this.#stepsByName, language);
    this.#initial = new InitialAnswers(steps, survey, (about) => (about === "deviceId" ? deviceId() : person?.[about]));
    survey.onValidateQuestion.add((_, options) => this.#validate(options));
  }

  get steps() {
    return this.#steps;
  }

  findStep(name) {
    return this.#stepsByName.get(name);
  }

  /** Apply the rules for the first time. `restored`: somebody has seen these answers before. */
  start(restored) {
    this.#initial.reset(restored);
    this.#lastSaved = readLastSavedAnswers(this.#page);
    this.evaluate();
  }

  /** `deviceTime` of a submission that is edited replaces the clock of this device. */
  evaluate() {
    if (this.isApplying) return;
    this.isApplying = true;
    this.deviceTime = this.#fixedTime ?? deviceTime();
    this.#initial.startChange();
    // Each answer that is set or removed may set another one, or withdraw the options of another question.
    for (let round = 0; round < MAX_ROUNDS && this.#evaluateOnce(); round++);
    this.isApplying = false;
  }

  /** Returns whether an answer was set by a rule, or removed because it no longer fits the others. */
  #evaluateOnce() {
    const sent = toApiAnswers(this.#steps, this.#survey.data);
    const evaluation = this.#program.evaluate(sent, this.deviceTime, this.#lastSaved);
    this.costly = evaluation.costly?.path ?? null;
    this.answers = evaluation.costly ? sent : evaluation.answers;
    this.#violations = new Map((evaluation.violations ?? []).map((one) => [one.path.join("/"), one]));
    // Without a result, everything stays as it was.
    if (evaluation.costly) return false;
    this.level = evaluation;
    this.#applyAtOnce(evaluation);
    const removed = this.#removeWithdrawn(this.#steps, evaluation, this.#survey);
    const counted = applyRowCounts(this.#steps, evaluation, this.#survey);
    return this.#initial.apply(evaluation) || removed || counted;
  }

  #removeWithdrawn(steps, level, container) {
    let removed = false;
    for (const step of steps) {
      const offered = level.shown.has(step.name) && !step.calculate && level.offered[step.name];
      const target = offered || step.rows ? container.getQuestionByName(step.name) : null;
      if (target && offered)
        removed = removeWithdrawnOptions(target, offered, this.#findParents(step, container)) || removed;
      for (const [index, row] of (level.rows[step.name] ?? []).entries()) {
        if (target?.panels?.[index]) removed = this.#removeWithdrawn(step.rows, row, target.panels[index]) || removed;
      }
    }
    return removed;
  }

  /** The questions whose answers the filter of the step reads. */
  #findParents({ filterNames = [] }, container) {
    const find = (name) => container.getQuestionByName(name) ?? this.#survey.getQuestionByName(name);
    return filterNames.map(find).filter(Boolean);
  }

  #showOffered(target, step, offered, container) {
    showOfferedOptions(target, offered);
    const parents = this.#findParents(step, container);
    noteMissingOptions(target, offered.size ? null : () => explainMissingOptions(parents));
  }

  /** Errors that the survey cannot find because the field is not editable: {pointer, detail}, like the server's. */
  findErrors() {
    if (this.costly) return [createError(this.costly, t("costly"))];
    return this.#findCalculatedErrors(this.#steps, this.answers, []);
  }

  #findCalculatedErrors(steps, answers, path) {
    return steps.flatMap((step) => {
      const [value, fieldPath] = [answers[step.name], [...path, step.name]];
      if (step.rows)
        return listRows(value).flatMap((row, index) =>
          this.#findCalculatedErrors(step.rows, row, [...fieldPath, index]),
        );
      const wrong = step.calculate && isAnswered(value) ? checkAnswer(step, value) : null;
      if (wrong) return [createError(fieldPath, t(...wrong))];
      const violation = step.calculate && this.#violations.get(fieldPath.join("/"));
      return violation ? [createError(fieldPath, this.#explain(violation, step))] : [];
    });
  }

  /** The survey numbers all of its questions whenever one appears or disappears. For many changes, once is enough. */
  #applyAtOnce(evaluation) {
    const survey = this.#survey;
    let isChanged = false;
    survey.updateVisibleIndexes = () => {
      isChanged = true;
    };
    try {
      this.#apply(this.#steps, evaluation, survey, {});
    } finally {
      delete survey.updateVisibleIndexes;
    }
    if (isChanged) survey.updateVisibleIndexes();
  }

  #apply(steps, level, container, outer) {
    const visibleAnswers = { ...outer, ...level.answers };
    for (const step of steps) {
      const isShown = level.shown.has(step.name);
      const target =
        step.type !== "section" ? container.getQuestionByName(step.name) : findContainer(container, step.name);
      if (!target) continue;
      if (target.visible !== isShown) target.visible = isShown;
      if (step.requiredIf && !step.required && !step.calculate)
        setProperty(target, "isRequired", level.required.has(step.name));
      if (step.readOnlyIf && !step.readOnly && !step.calculate)
        setProperty(target, "readOnly", level.readOnly.has(step.name));
      if (level.offered[step.name]) this.#showOffered(target, step, level.offered[step.name], container);
      else refreshNotice(target);
      if (step.texts) this.#texts.apply(target, step, visibleAnswers);
      if (step.requiredMessage)
        setProperty(target, "requiredErrorText", this.#texts.fill(step.requiredMessage, visibleAnswers));
      if (step.calculate && isShown) setValue(target, toPageAnswer(step, level.answers[step.name]));
      for (const [index, row] of (level.rows[step.name] ?? []).entries()) {
        const rowPanel = target.panels?.[index];
        if (rowPanel) this.#apply(step.rows, row, rowPanel, visibleAnswers);
        if (rowPanel && step.rowLabel)
          setProperty(rowPanel, "title", this.#texts.fill(step.rowLabel, { ...visibleAnswers, ...row.answers }));
      }
    }
  }

  #validate(options) {
    const { question } = options;
    const step = this.findStep(question.name);
    if (question.unread) options.error = `${t("checkPattern")} ${t("coordinates")}`;
    else if (question.unfinished) options.error = t(question.unfinished);
    else if (!step || question.isEmpty()) this.#validateRules(options, step);
    else {
      const error = checkAnswer(step, toApiAnswer(step, question.value));
      options.error = error ? t(...error) : (findFileError(question.value) ?? options.error);
      if (!options.error) this.#validateRules(options, step);
    }
  }

  #validateRules(options, step) {
    const violation = this.#violations.get(answerPath(options.question).join("/"));
    if (!violation || (violation.what === "required" && options.question.isRequired)) return;
    options.error = this.#explain(violation, step);
  }

  /** Return the message for an error that rules have found. */
  #explain({ what, path }, step) {
    if (VIOLATION_TEXTS[what]) return t(VIOLATION_TEXTS[what], step.maxItems);
    const customText = what === "rule" ? step.message : step.requiredMessage;
    return customText ? this.#texts.fill(customText, answersInScope(this.answers, path)) : t(what);
  }
}

const VIOLATION_TEXTS = { option: "checkFiltered", rows: "checkRows", limit: "checkMost" };
const listRows = (value) => (Array.isArray(value) ? value : []);
const createError = (path, detail) => ({ pointer: `/data/${path.join("/")}`, detail });

const flattenSteps = (steps) => steps.flatMap((step) => [step, ...(step.rows ? flattenSteps(step.rows) : [])]);

function setProperty(target, property, value) {
  if (target[property] !== value) target[property] = value;
}

const findContainer = (container, name) =>
  container.getPageByName?.(name) ?? container.getPanelByName?.(name) ?? container.getElementByName?.(name);

function setValue(question, value) {
  if (JSON.stringify(question.value) !== JSON.stringify(value)) question.value = value;
}

/** The answers that rules and texts of the field at this path see: those of its row, and those around it. */
export function answersInScope(answers, path) {
  let [visibleAnswers, level] = [answers, answers];
  for (let index = 0; index < path.length - 1; index += 2) {
    level = level?.[path[index]]?.[path[index + 1]];
    visibleAnswers = { ...visibleAnswers, ...level };
  }
  return visibleAnswers;
}

/** The path of a question's answer: its name, or the path of its repeat, the row, and its name. */
export function answerPath(question) {
  const repeat = question.parentQuestion;
  if (!repeat?.panels) return [question.name];
  return [...answerPath(repeat), repeat.panels.findIndex((row) => row.questions.includes(question)), question.name];
}
