// Stores unsaved changes on this device for the user who made them.

const STORE_DELAY_MS = 300;

export class UnsavedChanges {
  #key;
  #timer = null;
  #readChanges = null;

  constructor(formId, userId) {
    this.#key = `formwright:design:${formId}:${userId}`;
  }

  /** Return stored changes that were never saved, or null. */
  get stored() {
    try {
      const stored = JSON.parse(localStorage.getItem(this.#key));
      return stored?.base && Array.isArray(stored.fields) ? stored : null;
    } catch {
      return null;
    }
  }

  storeSoon(readChanges) {
    this.#readChanges = readChanges;
    this.#timer ??= setTimeout(() => this.storeNow(), STORE_DELAY_MS);
  }

  storeNow() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#readChanges) return;
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#readChanges()));
    } catch {
      // If the storage is full or disabled, the changes are only in this page.
    }
  }

  clear() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#readChanges = null;
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Nothing was stored either.
    }
  }
}
