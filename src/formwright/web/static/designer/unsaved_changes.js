// Stores unsaved changes on this device for the user who made them.

const PAUSE = 300;

export class Local {
  #key;
  #timer = null;
  #read = null;

  constructor(formId, userId) {
    this.#key = `formwright:design:${formId}:${userId}`;
  }

  /** Return stored changes that were never saved, or null. */
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
      // If the storage is full or disabled, the changes are only in this page.
    }
  }

  forget() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#read = null;
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Nothing was stored either.
    }
  }
}
