// Saves while the form is filled in: a moment after the last change, one request at a time, always the newest answers.

import "./shared/api_client.js";

const { save } = globalThis.formwright.remote;

const AUTOSAVE_DELAY_MS = 800;

export class DraftAutosave {
  #read;
  #tell;
  #timer = null;
  #dirty = false;
  #draining = false;
  #calls = new Set();

  /** `read()` returns {address, body, arrived, refused}; the response is given to one of the two; `tell(state)` receives "saving", "saved" or "savedOnDevice". */
  constructor(read, tell) {
    this.#read = read;
    this.#tell = tell;
  }

  changed() {
    this.#dirty = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#drain(), AUTOSAVE_DELAY_MS);
  }

  /** The page may be closed any moment: hand the request over to the browser. */
  leave() {
    if (this.#dirty) this.#call(true);
  }

  /** Stop saving and wait for the current request, so that the submission is the last. */
  async settle() {
    clearTimeout(this.#timer);
    this.#dirty = false;
    await Promise.all(this.#calls);
  }

  /** Save at once, also without a change; returns whether the server has the newest answers. */
  async now() {
    await this.settle();
    return this.#call(false);
  }

  // A change during a request waits for its end, and is read only then.
  async #drain() {
    if (this.#draining) return;
    this.#draining = true;
    while (this.#dirty) await this.#call(false);
    this.#draining = false;
  }

  async #call(keepalive) {
    this.#dirty = false;
    this.#tell("saving");
    const { address, body, arrived, refused } = this.#read();
    const call = save(address, body, keepalive);
    this.#calls.add(call);
    const { kind, status, ...answer } = await call;
    this.#calls.delete(call);
    // A submission that was already submitted stays unchanged.
    const saved = kind === "done" && status === "STARTED";
    if (saved) arrived(answer);
    if (kind === "closed") refused(answer);
    // It is stored on the device anyway; the next change, or submitting, sends everything again.
    if (!this.#dirty) this.#tell(saved ? "saved" : "savedOnDevice");
    return saved;
  }
}
