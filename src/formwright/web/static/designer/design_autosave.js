// Saves the draft automatically. Unsaved changes are stored on this device, and changes by others are never overwritten.

import { resolvePointer } from "./field_tree.js";
import { postJson } from "./requests.js";

const SAVE_DELAY_MS = 700;
const RETRY_DELAYS_MS = [2_000, 5_000, 15_000, 30_000];

export class DesignAutosave {
  #store;
  #unsavedChanges;
  #showStatus;
  #base;
  #isDirty = false;
  #unconfirmed = null;
  #isBlocked = false;
  #timer = null;
  #failureCount = 0;
  #saving = null;
  #editCount = 0;

  /**
   * `showStatus(status, detail)` receives "waiting", "saving", or the kind of a result.
   * @param {import("./design_store.js").DesignStore} store
   * @param {import("./unsaved_changes.js").UnsavedChanges} unsavedChanges
   */
  constructor(store, unsavedChanges, showStatus) {
    this.#store = store;
    this.#unsavedChanges = unsavedChanges;
    this.#showStatus = showStatus;
    this.#base = store.page.base;
    store.addEventListener("change", () => this.handleChange());
    addEventListener("online", () => this.#isDirty && this.#scheduleSave(0));
    addEventListener("pagehide", () => this.#saveOnLeave());
  }

  handleChange() {
    this.#isDirty = true;
    this.#editCount += 1;
    this.#unsavedChanges.storeSoon(() => ({ base: this.#base, ...this.#store.definition }));
    if (this.#isBlocked) return;
    this.#showStatus("waiting");
    this.#scheduleSave(SAVE_DELAY_MS);
  }

  /** Overwrite what somebody else has saved in the meantime. */
  overwrite(base) {
    this.#base = base;
    this.#isBlocked = false;
    this.handleChange();
  }

  /** Save the current draft; returns whether everything is on the server. */
  async saveNow() {
    clearTimeout(this.#timer);
    await this.#save();
    return !this.#isDirty && !this.#isBlocked;
  }

  #scheduleSave(delay) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), delay);
  }

  #save() {
    this.#saving ??= this.#saveUntilClean().finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  async #saveUntilClean() {
    while (this.#isDirty && !this.#isBlocked) {
      // The outcome of the last request may be unknown: repeat it unchanged first; the server recognises it if it arrived.
      const snapshot = this.#unconfirmed ?? this.#createSnapshot();
      if (!this.#unconfirmed) this.#isDirty = false;
      this.#showStatus("saving");
      const result = await this.#post(snapshot);
      if (!this.#handleResult(result, snapshot)) return;
    }
  }

  #post(snapshot, keepalive = false) {
    const { formId, token } = this.#store.page;
    return postJson(`/forms/${formId}/design/draft`, snapshot.body, token, keepalive);
  }

  #createSnapshot() {
    const body = { base: this.#base, ...this.#store.definition };
    return { editCount: this.#editCount, nodes: this.#store.nodes, body };
  }

  /** Return whether to continue. */
  #handleResult(result, snapshot) {
    this.#unconfirmed = null;
    if (result.kind === "saved") return this.#handleSaved(result);
    this.#isDirty = true;
    if (result.kind === "faults") return this.#handleFaults(result.faults, snapshot);
    if (result.kind === "offline") this.#retryLater(snapshot);
    else this.#isBlocked = result.kind !== "signedOut";
    this.#showStatus(result.kind, result.detail);
    return false;
  }

  #handleSaved({ base }) {
    this.#base = base;
    this.#failureCount = 0;
    this.#store.setFaults([]);
    if (!this.#isDirty) this.#unsavedChanges.clear();
    this.#showStatus(this.#isDirty ? "saving" : "saved", base);
    return true;
  }

  // With validation errors nothing is saved: the next change tries again, immediately if one came during the request.
  #handleFaults(faults, { nodes, editCount }) {
    this.#store.setFaults(faults.map(({ pointer, detail }) => ({ ...resolvePointer(nodes, pointer), detail })));
    this.#unsavedChanges.storeNow();
    this.#showStatus("faults", faults.length);
    return editCount !== this.#editCount;
  }

  #retryLater(snapshot) {
    this.#unconfirmed = snapshot;
    this.#scheduleSave(RETRY_DELAYS_MS[Math.min(this.#failureCount, RETRY_DELAYS_MS.length - 1)]);
    this.#failureCount += 1;
  }

  #saveOnLeave() {
    if (!this.#isDirty) return;
    this.#unsavedChanges.storeNow();
    if (!this.#isBlocked) this.#post(this.#createSnapshot(), true);
  }
}
