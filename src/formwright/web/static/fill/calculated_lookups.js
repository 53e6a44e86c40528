// Lookups whose key a rule computes: their rows fill in other fields, like the server does it (`domain/forms/lookups.py`).
// Also removes what the rows of other lookups have filled in, when a rule removes their answers.

// While a key is typed, only the last one is looked up.
const LOOKUP_DELAY_MS = 250;

/** Looks up the rows of computed keys. A container is the survey, or a row of a repeat. */
export class CalculatedLookups {
  #survey;
  #evaluator;
  #lookups;
  #onChange;
  /** The keys whose rows have been looked up, by container and name. */
  #keys;
  #requests = new Set();

  /** `onChange` is called after answers were filled in or cleared. */
  constructor(survey, evaluator, lookups, onChange) {
    this.#survey = survey;
    this.#evaluator = evaluator;
    this.#lookups = lookups;
    this.#onChange = onChange;
    this.reset();
  }

  /** Forget all keys. */
  reset() {
    this.#keys = new WeakMap();
  }

  /** Look up the rows of keys that have changed. */
  update() {
    let cleared = false;
    for (const { step, container, key, before } of this.#findChanged(
      this.#evaluator.steps,
      this.#evaluator.answers,
      this.#survey,
    )) {
      // What the last row said is wrong now. At first, the answers are those of a draft.
      if (before !== undefined && (step.calculate || !key))
        cleared = this.#fillFields(step, container, null) || cleared;
      if (key && step.calculate) this.#startSearch(step, container, key);
    }
    if (cleared) this.#onChange();
  }

  /** Resolves when the rows of all keys are known, or could not be loaded. */
  async waitUntilLoaded() {
    while (this.#requests.size) await Promise.all(this.#requests);
  }

  #findChanged(steps, answers, container) {
    return steps.flatMap((step) => {
      if (step.rows) return this.#findChangedInRows(step, answers[step.name], container);
      if (!step.mapping) return [];
      const [key, keys] = [answers[step.name] ?? "", this.#knownKeys(container)];
      const before = keys.get(step.name);
      if ((before ?? "") === key) return [];
      keys.set(step.name, key);
      return [{ step, container, key, before }];
    });
  }

  #findChangedInRows(step, rows, container) {
    const panels = container.getQuestionByName(step.name)?.panels ?? [];
    const there = (Array.isArray(rows) ? rows : []).filter((_, index) => panels[index]);
    return there.flatMap((row, index) => this.#findChanged(step.rows, row, panels[index]));
  }

  #knownKeys(container) {
    if (!this.#keys.has(container)) this.#keys.set(container, new Map());
    return this.#keys.get(container);
  }

  #startSearch(step, container, key) {
    const loading = this.#fillFromRow(step, container, key).finally(() => this.#requests.delete(loading));
    this.#requests.add(loading);
  }

  async #fillFromRow(step, container, key) {
    const keys = this.#knownKeys(container);
    const isCurrent = () => keys.get(step.name) === key && isStillShown(container);
    await new Promise((resolve) => setTimeout(resolve, LOOKUP_DELAY_MS));
    const row = isCurrent() ? await this.#lookups.findRow(step.name, key) : undefined;
    if (!isCurrent()) return;
    // The next change tries again. The server looks the row up in any case.
    if (row === undefined) keys.delete(step.name);
    else if (this.#fillFields(step, container, row)) this.#onChange();
  }

  /** Returns whether an answer changed. */
  #fillFields(step, container, row) {
    const before = JSON.stringify(this.#survey.data);
    this.#evaluator.isApplying = true;
    this.#lookups.fillFields(container, step.mapping, row);
    this.#evaluator.isApplying = false;
    return JSON.stringify(this.#survey.data) !== before;
  }
}

/** Whether nobody has removed the row since. */
const isStillShown = (container) => container.parentQuestion?.panels?.includes(container) ?? true;
