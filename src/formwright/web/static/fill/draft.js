// What was typed, kept on this device until it is sent: {clientId, data, pending}, one for each form link.
// `clientId` names the submission, so that sending it again can never make a second one.

export class Draft {
  #key;
  #kept;

  constructor(base) {
    this.#key = `formwright:${base}`;
    this.#kept = read(this.#key) ?? fresh();
  }

  get clientId() {
    return this.#kept.clientId;
  }

  get data() {
    return this.#kept.data;
  }

  /** Send was pressed, and whether it arrived is not known. */
  get pending() {
    return this.#kept.pending;
  }

  /** Whether the device took it; a full or closed storage does not. */
  keep(change) {
    Object.assign(this.#kept, change);
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#kept));
      return true;
    } catch {
      return false;
    }
  }

  renew() {
    this.#kept = fresh();
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Nothing was kept, so there is nothing to forget.
    }
  }
}

const fresh = () => ({ clientId: crypto.randomUUID(), data: null, pending: false });

function read(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key));
    return kept?.clientId ? kept : null;
  } catch {
    return null;
  }
}
