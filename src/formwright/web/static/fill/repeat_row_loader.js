// Repeats that begin with a row for each row of a data source: those that a lookup in them offers.

import { isAnswered } from "./rule_inputs.js";
import { answersInScope, answerPath } from "./rule_evaluator.js";
import { noteRemoval } from "./question_notices.js";
import { t } from "./texts.js";

/** Adds the rows of data sources to repeats. */
export class RepeatRowLoader {
  #survey;
  #evaluator;
  #lookups;
  /** The answers that filtered the rows of a repeat, when it was filled in, by question. */
  #filtersByRepeat = new WeakMap();

  #hasNoLookups;

  /** `hasNoLookups`: the form has no lookups. */
  constructor(survey, evaluator, lookups, hasNoLookups) {
    this.#hasNoLookups = hasNoLookups;
    this.#survey = survey;
    this.#evaluator = evaluator;
    this.#lookups = lookups;
  }

  /** Leave rows as they are if somebody has seen them before. */
  keepExistingRows() {
    this.#filtersByRepeat = new WeakMap();
    for (const repeat of this.#repeats())
      if (!repeat.isEmpty()) this.#filtersByRepeat.set(repeat, JSON.stringify(this.#filter(repeat)));
  }

  /** Fill in repeats that are shown now, and those whose rows are filtered by other answers than before. */
  update() {
    for (const repeat of this.#repeats()) {
      const filter = this.#filter(repeat);
      const key = JSON.stringify(filter);
      if (!filter || !repeat.isVisible || this.#filtersByRepeat.get(repeat) === key) continue;
      this.#filtersByRepeat.set(repeat, key);
      this.#loadRows(repeat, filter, key);
    }
  }

  #repeats() {
    return this.#hasNoLookups
      ? []
      : this.#survey.getAllQuestions(false, false, true).filter((question) => question.rowsFrom);
  }

  /** The answers that filter the rows, by column; null while one is missing. */
  #filter(repeat) {
    const scope = answersInScope(this.#evaluator.answers, answerPath(repeat));
    const filterAnswers = Object.entries(repeat.template.getQuestionByName(repeat.rowsFrom).lookup.filter).map(
      ([column, name]) => [column, scope[name]],
    );
    return filterAnswers.every(([, value]) => isAnswered(value)) ? Object.fromEntries(filterAnswers) : null;
  }

  async #loadRows(repeat, filter, key) {
    const { items, failed } = await this.#lookups.loadRows(repeat.rowsFrom, filter, repeat.maxPanelCount + 1);
    // The answers have changed: another request is on its way.
    if (this.#filtersByRepeat.get(repeat) !== key) return;
    if (!failed)
      return this.#applyRows(
        repeat,
        items.map((item) => item.key),
      );
    this.#filtersByRepeat.delete(repeat);
    repeat.addError(t(failed));
  }

  #applyRows(repeat, keys) {
    const name = repeat.rowsFrom;
    const rows = (repeat.value ?? []).filter((row) => Object.values(row).some(isAnswered));
    const remaining = rows.filter((row) => !row[name] || keys.includes(row[name]));
    const added = keys.filter((key) => !remaining.some((row) => row[name] === key));
    repeat.value = [...remaining, ...added.map((key) => ({ [name]: key }))].slice(0, repeat.maxPanelCount);
    repeat.clearErrors();
    for (const panel of repeat.panels.slice(remaining.length))
      this.#lookups.handleChoice(panel, name, panel.getQuestionByName(name).value);
    if (rows.length > remaining.length) noteRemoval(repeat, () => t("rowsGone", rows.length - remaining.length));
    if (remaining.length + added.length > repeat.maxPanelCount) repeat.addError(t("checkMost", repeat.maxPanelCount));
  }
}
