// Saves while the form is filled in: a moment after the last change, one request at a time, always the newest answers.

import { saveDraft } from "./shared/api_client.js";

const AUTOSAVE_DELAY_MS = 800;

/** Saves the answers of a form on the server while they are typed. */
export class DraftAutosave {
  #buildRequest;
  #showStatus;
  #timer = null;
  #hasChanges = false;
  #isDraining = false;
  #requests = new Set();

  /**
   * `buildRequest()` returns {address, body, onSaved, onRejected}; one of the two is called with the result.
   * `showStatus(name)` receives "saving", "saved" or "savedOnDevice".
   */
  constructor(buildRequest, showStatus) {
    this.#buildRequest = buildRequest;
    this.#showStatus = showStatus;
  }

  scheduleSave() {
    this.#hasChanges = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#drain(), AUTOSAVE_DELAY_MS);
  }

  /** The page may be closed any moment: hand the request over to the browser. */
  saveBeforeUnload() {
    if (this.#hasChanges) this.#sendRequest(true);
  }

  /** Stop saving and wait for the current request, so that the submission is the last. */
  async stop() {
    clearTimeout(this.#timer);
    this.#hasChanges = false;
    await Promise.all(this.#requests);
  }

  /** Save at once, also without a change; returns whether the server has the newest answers. */
  async saveNow() {
    await this.stop();
    return this.#sendRequest(false);
  }

  // A change during a request waits for its end, and is read only then.
  async #drain() {
    if (this.#isDraining) return;
    this.#isDraining = true;
    while (this.#hasChanges) await this.#sendRequest(false);
    this.#isDraining = false;
  }

  async #sendRequest(keepalive) {
    this.#hasChanges = false;
    this.#showStatus("saving");
    const { address, body, onSaved, onRejected } = this.#buildRequest();
    const request = saveDraft(address, body, keepalive);
    this.#requests.add(request);
    const { kind, status, ...result } = await request;
    this.#requests.delete(request);
    // A submission that was already submitted stays unchanged.
    const isSaved = kind === "done" && status === "STARTED";
    if (isSaved) onSaved(result);
    if (kind === "closed") onRejected(result);
    // It is stored on the device anyway; the next change, or submitting, sends everything again.
    if (!this.#hasChanges) this.#showStatus(isSaved ? "saved" : "savedOnDevice");
    return isSaved;
  }
}
