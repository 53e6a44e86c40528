// What was typed, kept on this device until it is sent: {clientId, versionId, data, seen}, one for each form link.
// `clientId` names the submission, so that sending it again can never make a second one; `versionId` is what it was begun with.
// Of an invite or a task, which is filled on several devices: `revision`, the last at the server that this one knows of,
// and `there`, its answers.
// `seen` has the rows that were chosen: {lookup: {key: {version, label, by}}}; `by` are the cells by which it is narrowed.

export class Draft {
  #key;
  #kept;

  /** `base`: the address of the form; null where nothing shall be kept. `again`: what was sent before and rejected. */
  constructor(base, again) {
    this.#key = base === null ? null : `formwright:${base}${again ? `#${again}` : ""}`;
    this.#kept = (this.#key && read(this.#key)) ?? fresh(again);
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

  get seen() {
    return this.#kept.seen ?? {};
  }

  /** The version at which each row was seen, as the server is told. */
  get versions() {
    const of = (keys) => Object.fromEntries(Object.entries(keys).map(([key, { version }]) => [key, version]));
    return Object.fromEntries(Object.entries(this.seen).map(([name, keys]) => [name, of(keys)]));
  }

  /** Whether the device took it; a full or closed storage does not. */
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

  /** The server has these answers, under this revision. */
  arrived(revision, there) {
    this.keep({ revision, there });
  }

  /** The server has `answers` under this revision. If another device has saved them, they are not to be written over. */
  meet(revision, answers) {
    const { data, there = {}, revision: known = 0 } = this.#kept;
    if (revision <= known) return;
    Object.assign(this.#kept, { revision, there: answers });
    if (data) this.keep({ data: joined(there, answers, data) });
  }

  /** Rows that were shown: written down when something is. */
  saw(seen) {
    this.#kept.seen = seen;
  }

  renew() {
    const { clientId } = this.#kept;
    this.#kept = fresh();
    try {
      // Another tab may have begun anew meanwhile: that is not ours to forget.
      if (read(this.#key)?.clientId === clientId) localStorage.removeItem(this.#key);
    } catch {
      // Nothing was kept, so there is nothing to forget.
    }
  }
}

/** What was changed here since it was as `before`, and all else as it is there now. */
function joined(before, there, here) {
  const same = (name) => JSON.stringify(here[name]) === JSON.stringify(before[name]);
  const names = [...new Set([...Object.keys(there), ...Object.keys(here)])];
  const found = names.map((name) => [name, same(name) ? there[name] : here[name]]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

const fresh = (again) => ({ clientId: again ?? crypto.randomUUID(), versionId: null, data: null, seen: {} });

function read(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key));
    return kept?.clientId ? kept : null;
  } catch {
    return null;
  }
}
