// Saves while one fills: a moment after the last change, one call at a time, the newest answers last.

import "./shared/remote.js";

const { save } = globalThis.formwright.remote;

const PAUSE = 800;

export class Saving {
  #read;
  #tell;
  #timer = null;
  #dirty = false;
  #draining = false;
  #calls = new Set();

  /** `read()` gives {address, body, arrived}, of which `arrived` hears what the server has; `tell(state)` hears "saving", "saved" or "kept". */
  constructor(read, tell) {
    this.#read = read;
    this.#tell = tell;
  }

  changed() {
    this.#dirty = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#drain(), PAUSE);
  }

  /** The page may be gone in a moment: hand the call over to the browser. */
  leave() {
    if (this.#dirty) this.#call(true);
  }

  /** Nothing more to save, and no call under way: what is sent next is the last word. */
  async settle() {
    clearTimeout(this.#timer);
    this.#dirty = false;
    await Promise.all(this.#calls);
  }

  // A change during a call waits for its end, and is read only then.
  async #drain() {
    if (this.#draining) return;
    this.#draining = true;
    while (this.#dirty) await this.#call(false);
    this.#draining = false;
  }

  async #call(keepalive) {
    this.#dirty = false;
    this.#tell("saving");
    const { address, body, arrived } = this.#read();
    const call = save(address, body, keepalive);
    this.#calls.add(call);
    const { kind, status, ...answer } = await call;
    this.#calls.delete(call);
    // What was sent before is left as it is.
    const saved = kind === "done" && status === "STARTED";
    if (saved) arrived(answer);
    // Kept on the device all the same; the next change, or Send, carries everything again.
    if (!this.#dirty) this.#tell(saved ? "saved" : "kept");
  }
}
