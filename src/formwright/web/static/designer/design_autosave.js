// Saves the draft automatically. Unsaved changes are stored on this device, and changes by others are never overwritten.

import { resolvePointer } from "./field_tree.js";

const PAUSE = 700;
const PATIENCE = 30_000;
const RETRIES = [2_000, 5_000, 15_000, 30_000];

export class Keeping {
  #store;
  #local;
  #tell;
  #base;
  #dirty = false;
  #unsure = null;
  #blocked = false;
  #timer = null;
  #failed = 0;
  #draining = null;
  #edits = 0;

  /** `tell(state, detail)` receives "waiting", "saving", "saved", "faults", "offline", "signedOut", "overtaken", "refused". */
  constructor(store, local, tell) {
    this.#store = store;
    this.#local = local;
    this.#tell = tell;
    this.#base = store.page.base;
    store.addEventListener("change", () => this.changed());
    addEventListener("online", () => this.#dirty && this.#drainSoon(0));
    addEventListener("pagehide", () => this.#leave());
  }

  changed() {
    this.#dirty = true;
    this.#edits += 1;
    this.#local.keepSoon(() => ({ base: this.#base, ...this.#store.document }));
    if (this.#blocked) return;
    this.#tell("waiting");
    this.#drainSoon(PAUSE);
  }

  /** Overwrite what somebody else has saved in the meantime. */
  over(base) {
    this.#base = base;
    this.#blocked = false;
    this.changed();
  }

  /** Save the current draft; returns whether everything is on the server. */
  async settle() {
    clearTimeout(this.#timer);
    await this.#drain();
    return !this.#dirty && !this.#blocked;
  }

  get base() {
    return this.#base;
  }

  #drainSoon(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#drain(), pause);
  }

  #drain() {
    this.#draining ??= this.#work().finally(() => (this.#draining = null));
    return this.#draining;
  }

  async #work() {
    while (this.#dirty && !this.#blocked) {
      // The outcome of the last request may be unknown: repeat it unchanged first; the server recognises it if it arrived.
      const sent = this.#unsure ?? this.#made();
      if (!this.#unsure) this.#dirty = false;
      this.#tell("saving");
      const answer = await send(`/forms/${this.#store.page.formId}/design/draft`, sent.body, this.#store.page.token);
      if (!this.#heard(answer, sent)) return;
    }
  }

  #made() {
    return { edits: this.#edits, nodes: this.#store.nodes, body: { base: this.#base, ...this.#store.document } };
  }

  /** Return whether to continue. */
  #heard(answer, sent) {
    this.#unsure = null;
    if (answer.kind === "saved") return this.#saved(answer);
    this.#dirty = true;
    if (answer.kind === "faults") return this.#faulty(answer.faults, sent);
    if (answer.kind === "offline") this.#later(sent);
    else this.#blocked = answer.kind !== "signedOut";
    this.#tell(answer.kind, answer.detail);
    return false;
  }

  #saved({ base }) {
    this.#base = base;
    this.#failed = 0;
    this.#store.blame([]);
    if (!this.#dirty) this.#local.forget();
    this.#tell(this.#dirty ? "saving" : "saved", base);
    return true;
  }

  // With validation errors nothing is saved: the next change tries again, immediately if one came during the request.
  #faulty(faults, { nodes, edits }) {
    this.#store.blame(faults.map(({ pointer, detail }) => ({ ...resolvePointer(nodes, pointer), detail })));
    this.#local.keepNow();
    this.#tell("faults", faults.length);
    return edits !== this.#edits;
  }

  #later(unsure) {
    this.#unsure = unsure;
    this.#drainSoon(RETRIES[Math.min(this.#failed, RETRIES.length - 1)]);
    this.#failed += 1;
  }

  #leave() {
    if (!this.#dirty) return;
    this.#local.keepNow();
    if (!this.#blocked)
      send(`/forms/${this.#store.page.formId}/design/draft`, this.#made().body, this.#store.page.token, true);
  }
}

/** Send a request to the server: {kind, …}; it never throws. */
export async function send(address, body, token, keepalive = false) {
  try {
    const response = await fetch(address, {
      method: "POST",
      keepalive,
      redirect: "manual",
      headers: { "Content-Type": "application/json", "x-csrftoken": token },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
    return await verdict(response);
  } catch {
    return { kind: "offline" };
  }
}

async function verdict(response) {
  if (response.type === "opaqueredirect") return { kind: "signedOut" };
  if (response.status >= 500 || response.status === 429) return { kind: "offline" };
  if (response.status === 413)
    return {
      kind: "refused",
      detail: "The form is larger than 10 MiB and can’t be saved. Move long lists to a data source.",
    };
  if (response.status === 403)
    return {
      kind: "refused",
      detail: "Your session expired, or you don’t have permission to edit this form. Reload the page.",
    };
  const answer = await response.json();
  if (response.ok) return { kind: "saved", ...answer };
  if (response.status === 422) return { kind: "faults", faults: answer.faults };
  return { kind: response.status === 409 ? "overtaken" : "refused", detail: answer.detail };
}
