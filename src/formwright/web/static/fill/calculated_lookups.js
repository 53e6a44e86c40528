// Lookups whose key a rule computes: their rows fill in other fields, like the server does it (`domain/forms/lookups.py`).
// Also removes what the rows of other lookups have filled in, when a rule removes their answers.

// While a key is typed, only the last one is looked up.
const LOOKUP_DELAY_MS = 250;

/** Looks up the rows of computed keys. A place is the survey, or a row of a repeat. */
export class CalculatedLookups {
  #survey;
  #evaluator;
  #lookups;
  #onChange;
  /** The keys whose rows have been looked up, by place and name. */
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
    for (const { step, place, key, before } of this.#findChanged(
      this.#evaluator.steps,
      this.#evaluator.answers,
      this.#survey,
    )) {
      // What the last row said is wrong now. At first, the answers are those of a draft.
      if (before !== undefined && (step.calculate || !key)) cleared = this.#fillFields(step, place, null) || cleared;
      if (key && step.calculate) this.#startSearch(step, place, key);
    }
    if (cleared) this.#onChange();
  }

  /** Resolves when the rows of all keys are known, or could not be loaded. */
  async waitUntilLoaded() {
    while (this.#requests.size) await Promise.all(this.#requests);
  }

  #findChanged(steps, answers, place) {
    return steps.flatMap((step) => {
      if (step.rows) return this.#findChangedInRows(step, answers[step.name], place);
      if (!step.mapping) return [];
      const [key, keys] = [answers[step.name] ?? "", this.#knownKeys(place)];
      const before = keys.get(step.name);
      if ((before ?? "") === key) return [];
      keys.set(step.name, key);
      return [{ step, place, key, before }];
    });
  }

  #findChangedInRows(step, rows, place) {
    const panels = place.getQuestionByName(step.name)?.panels ?? [];
    const there = (Array.isArray(rows) ? rows : []).filter((_, index) => panels[index]);
    return there.flatMap((row, index) => this.#findChanged(step.rows, row, panels[index]));
  }

  #knownKeys(place) {
    if (!this.#keys.has(place)) this.#keys.set(place, new Map());
    return this.#keys.get(place);
  }

  #startSearch(step, place, key) {
    const loading = this.#fillFromRow(step, place, key).finally(() => this.#requests.delete(loading));
    this.#requests.add(loading);
  }

  async #fillFromRow(step, place, key) {
    const keys = this.#knownKeys(place);
    const isCurrent = () => keys.get(step.name) === key && isStillShown(place);
    await new Promise((resolve) => setTimeout(resolve, LOOKUP_DELAY_MS));
    const row = isCurrent() ? await this.#lookups.findRow(step.name, key) : undefined;
    if (!isCurrent()) return;
    // The next change tries again. The server looks the row up in any case.
    if (row === undefined) keys.delete(step.name);
    else if (this.#fillFields(step, place, row)) this.#onChange();
  }

  /** Returns whether an answer changed. */
  #fillFields(step, place, row) {
    const before = JSON.stringify(this.#survey.data);
    this.#evaluator.isApplying = true;
    this.#lookups.fillFields(place, step.mapping, row);
    this.#evaluator.isApplying = false;
    return JSON.stringify(this.#survey.data) !== before;
  }
}

/** Whether nobody has removed the row since. */
const isStillShown = (place) => place.parentQuestion?.panels?.includes(place) ?? true;
