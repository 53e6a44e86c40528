// Lookups whose key a rule computes: their rows fill in other fields, like the server does it (`domain/forms/lookups.py`).
// Also removes what the rows of other lookups have filled in, when a rule removes their answers.

// While a key is typed, only the last one is looked up.
const LOOKUP_DELAY_MS = 250;

/** Looks up the rows of computed keys. A place is the survey, or a row of a repeat. */
export class CalculatedLookups {
  #survey;
  #judge;
  #lookups;
  #settle;
  /** The keys whose rows have been looked up, by place and name. */
  #keys;
  #running = new Set();

  /** `settle` is called after answers were filled in or cleared. */
  constructor(survey, judge, lookups, settle) {
    this.#survey = survey;
    this.#judge = judge;
    this.#lookups = lookups;
    this.#settle = settle;
    this.begin();
  }

  /** Forget all keys. */
  begin() {
    this.#keys = new WeakMap();
  }

  /** Look up the rows of keys that have changed. */
  fill() {
    let cleared = false;
    for (const { step, place, key, before } of this.#changed(this.#judge.steps, this.#judge.answers, this.#survey)) {
      // What the last row said is wrong now. At first, the answers are those of a draft.
      if (before !== undefined && (step.calculate || !key)) cleared = this.#write(step, place, null) || cleared;
      if (key && step.calculate) this.#load(step, place, key);
    }
    if (cleared) this.#settle();
  }

  /** Resolves when the rows of all keys are known, or could not be loaded. */
  async ready() {
    while (this.#running.size) await Promise.all(this.#running);
  }

  #changed(steps, answers, place) {
    return steps.flatMap((step) => {
      if (step.rows) return this.#inRows(step, answers[step.name], place);
      if (!step.mapping) return [];
      const [key, keys] = [answers[step.name] ?? "", this.#keysOf(place)];
      const before = keys.get(step.name);
      if ((before ?? "") === key) return [];
      keys.set(step.name, key);
      return [{ step, place, key, before }];
    });
  }

  #inRows(step, rows, place) {
    const panels = place.getQuestionByName(step.name)?.panels ?? [];
    const there = (Array.isArray(rows) ? rows : []).filter((_, index) => panels[index]);
    return there.flatMap((row, index) => this.#changed(step.rows, row, panels[index]));
  }

  #keysOf(place) {
    if (!this.#keys.has(place)) this.#keys.set(place, new Map());
    return this.#keys.get(place);
  }

  #load(step, place, key) {
    const loading = this.#find(step, place, key).finally(() => this.#running.delete(loading));
    this.#running.add(loading);
  }

  async #find(step, place, key) {
    const keys = this.#keysOf(place);
    const isCurrent = () => keys.get(step.name) === key && isThere(place);
    await new Promise((resolve) => setTimeout(resolve, LOOKUP_DELAY_MS));
    const row = isCurrent() ? await this.#lookups.find(step.name, key) : undefined;
    if (!isCurrent()) return;
    // The next change tries again. The server looks the row up in any case.
    if (row === undefined) keys.delete(step.name);
    else if (this.#write(step, place, row)) this.#settle();
  }

  /** Returns whether an answer changed. */
  #write(step, place, row) {
    const before = JSON.stringify(this.#survey.data);
    this.#judge.busy = true;
    this.#lookups.fill(place, step.mapping, row);
    this.#judge.busy = false;
    return JSON.stringify(this.#survey.data) !== before;
  }
}

/** Whether nobody has removed the row since. */
const isThere = (place) => place.parentQuestion?.panels?.includes(place) ?? true;
