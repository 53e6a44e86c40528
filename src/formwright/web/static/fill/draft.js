// The draft stored on this device until it is submitted: {clientId, versionId, data, page, seen, audit}, one for each form
// link.
// `clientId` identifies the submission, so that sending it again creates no second one; `versionId` is the form's version.
// An invite or a task can be filled in on several devices: `revision` is the last one of the server that this device has
// seen, and `there` are its answers.
// `seen` has the chosen rows: {lookup: {key: {version, label, by}}}; `by` are the cells that filter the lookup. `audit` has
// the events of `audit_log.js`.

export class Draft {
  #storageKey;
  #state;

  /** `base`: the form's address, or null if nothing is to be stored. `again`: a rejected submission. */
  constructor(base, again) {
    this.#storageKey = base === null ? null : `formwright:${base}${again ? `#${again}` : ""}`;
    this.#state = (this.#storageKey && readState(this.#storageKey)) ?? createState(again);
  }

  get clientId() {
    return this.#state.clientId;
  }

  get versionId() {
    return this.#state.versionId;
  }

  get data() {
    return this.#state.data;
  }

  /** The name of the page on which the user was. */
  get page() {
    return this.#state.page;
  }

  get seen() {
    return this.#state.seen ?? {};
  }

  /** The last revision of the server that this device has seen. */
  get revision() {
    return this.#state.revision ?? 0;
  }

  /** The version at which each row was seen, for the server. */
  get seenVersions() {
    const versionsOf = (rows) => Object.fromEntries(Object.entries(rows).map(([key, { version }]) => [key, version]));
    return Object.fromEntries(Object.entries(this.seen).map(([name, rows]) => [name, versionsOf(rows)]));
  }

  /** Return whether the device stored it; a full or disabled storage does not. */
  save(change) {
    Object.assign(this.#state, change);
    if (!this.#storageKey) return false;
    try {
      localStorage.setItem(this.#storageKey, JSON.stringify(this.#state));
      return true;
    } catch {
      return false;
    }
  }

  /** The server has saved these answers, with this revision. */
  recordSaved(revision, there) {
    this.save({ revision, there });
  }

  /** The server has `answers` with this revision. If another device saved them, they must not be overwritten. */
  mergeServerAnswers(revision, answers) {
    const { data, there = {}, revision: knownRevision = 0 } = this.#state;
    if (revision <= knownRevision) return;
    Object.assign(this.#state, { revision, there: answers });
    if (data) this.save({ data: mergeAnswers(there, answers, data) });
  }

  /** Remember the rows that were shown; they are stored with the next change. */
  recordSeenRows(seen) {
    this.#state.seen = seen;
  }

  /** The events of the audit, which are stored with the next change. */
  get audit() {
    return this.#state.audit ?? [];
  }

  recordAudit(events) {
    this.#state.audit = events;
  }

  /** The draft continues under the link `base`, with these answers, which the server has with this revision. */
  moveToLink(base, revision, answers) {
    const there = structuredClone(answers);
    const moved = new Draft(base);
    moved.save({ ...this.#state, clientId: crypto.randomUUID(), data: answers, revision, there });
    this.startNew();
  }

  /** Forget the draft after it was submitted or moved, and begin another one. */
  startNew() {
    const { clientId } = this.#state;
    this.#state = createState();
    try {
      // Another tab may have begun a new draft, which must not be deleted.
      if (readState(this.#storageKey)?.clientId === clientId) localStorage.removeItem(this.#storageKey);
    } catch {
      // Nothing was stored, so there is nothing to delete.
    }
  }
}

/** Merge: what changed here since `before`, and everything else from the server. */
function mergeAnswers(before, server, local) {
  const isUnchanged = (name) => JSON.stringify(local[name]) === JSON.stringify(before[name]);
  const names = [...new Set([...Object.keys(server), ...Object.keys(local)])];
  const merged = names.map((name) => [name, isUnchanged(name) ? server[name] : local[name]]);
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

const createState = (again) => ({ clientId: again ?? crypto.randomUUID(), versionId: null, data: null, seen: {} });

function readState(key) {
  try {
    const state = JSON.parse(localStorage.getItem(key));
    return state?.clientId ? state : null;
  } catch {
    return null;
  }
}
