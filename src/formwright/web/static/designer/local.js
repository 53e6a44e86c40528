// What is not on the server yet, kept on this device for the person who wrote it.

const PAUSE = 300;

export class Local {
  #key;
  #timer = null;
  #read = null;

  constructor(formId, userId) {
    this.#key = `formwright:design:${formId}:${userId}`;
  }

  /** What was kept and never saved; null where there is nothing. */
  get kept() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.#key));
      return kept?.base && Array.isArray(kept.fields) ? kept : null;
    } catch {
      return null;
    }
  }

  keepSoon(read) {
    this.#read = read;
    this.#timer ??= setTimeout(() => this.keepNow(), PAUSE);
  }

  keepNow() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#read) return;
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#read()));
    } catch {
      // A full or closed storage keeps nothing; the page still holds it.
    }
  }

  forget() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#read = null;
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Then nothing was kept either.
    }
  }
}
