// The draft stored on this device until it is submitted: {clientId, versionId, data, page, seen, audit}, one for each form
// link.
// `clientId` identifies the submission, so that sending it again creates no second one; `versionId` is the form's version.
// An invite or a task can be filled in on several devices: `revision` is the last one of the server that this device has
// seen, and `there` are its answers.
// `seen` has the chosen rows: {lookup: {key: {version, label, by}}}; `by` are the cells that filter the lookup. `audit` has
// the events of `audit_log.js`.

export class Draft {
  #key;
  #kept;

  /** `base`: the form's address, or null if nothing is to be stored. `again`: a rejected submission. */
  constructor(base, again) {
    this.#key = base === null ? null : `formwright:${base}${again ? `#${again}` : ""}`;
    this.#kept = (this.#key && readState(this.#key)) ?? createState(again);
  }

  get clientId() {
    return this.#kept.clientId;
  }

  get versionId() {
    return this.#kept.versionId;
  }

  get data() {
    return this.#kept.data;
  }

  /** The name of the page on which the user was. */
  get page() {
    return this.#kept.page;
  }

  get seen() {
    return this.#kept.seen ?? {};
  }

  /** The last revision of the server that this device has seen. */
  get revision() {
    return this.#kept.revision ?? 0;
  }

  /** The version at which each row was seen, for the server. */
  get versions() {
    const of = (keys) => Object.fromEntries(Object.entries(keys).map(([key, { version }]) => [key, version]));
    return Object.fromEntries(Object.entries(this.seen).map(([name, keys]) => [name, of(keys)]));
  }

  /** Return whether the device stored it; a full or disabled storage does not. */
  keep(change) {
    Object.assign(this.#kept, change);
    if (!this.#key) return false;
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#kept));
      return true;
    } catch {
      return false;
    }
  }

  /** The server has these answers, with this revision. */
  arrived(revision, there) {
    this.keep({ revision, there });
  }

  /** The server has `answers` with this revision. If another device saved them, they must not be overwritten. */
  meet(revision, answers) {
    const { data, there = {}, revision: known = 0 } = this.#kept;
    if (revision <= known) return;
    Object.assign(this.#kept, { revision, there: answers });
    if (data) this.keep({ data: mergeAnswers(there, answers, data) });
  }

  /** Remember the rows that were shown; they are stored with the next change. */
  saw(seen) {
    this.#kept.seen = seen;
  }

  /** The events of the audit, which are stored with the next change. */
  get audit() {
    return this.#kept.audit ?? [];
  }

  recorded(events) {
    this.#kept.audit = events;
  }

  /** The draft continues under the link `base`, with these answers, which the server has with this revision. */
  move(base, revision, answers) {
    const there = structuredClone(answers);
    const moved = new Draft(base);
    moved.keep({ ...this.#kept, clientId: crypto.randomUUID(), data: answers, revision, there });
    this.renew();
  }

  renew() {
    const { clientId } = this.#kept;
    this.#kept = createState();
    try {
      // Another tab may have begun a new draft, which must not be deleted.
      if (readState(this.#key)?.clientId === clientId) localStorage.removeItem(this.#key);
    } catch {
      // Nothing was stored, so there is nothing to delete.
    }
  }
}

/** Merge: what changed here since `before`, and everything else from the server. */
function mergeAnswers(before, there, here) {
  const same = (name) => JSON.stringify(here[name]) === JSON.stringify(before[name]);
  const names = [...new Set([...Object.keys(there), ...Object.keys(here)])];
  const found = names.map((name) => [name, same(name) ? there[name] : here[name]]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

const createState = (again) => ({ clientId: again ?? crypto.randomUUID(), versionId: null, data: null, seen: {} });

function readState(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key));
    return kept?.clientId ? kept : null;
  } catch {
    return null;
  }
}
