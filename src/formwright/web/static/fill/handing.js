// A filled form goes into the outbox of this device, where nothing is written over, and from there to the server.

import { copied, keepAgain } from "./held.js";

const { outbox, store } = globalThis.formwright;
const at = (id) => document.getElementById(id);

export class Handing {
  #form;

  constructor(form) {
    this.#form = form;
  }

  /** What was on its way when the page was closed is the outbox's business; the form begins anew. */
  async settleOld() {
    const { draft } = this.#form;
    if (!draft.data) return;
    const old = await store.get("submissions", draft.clientId).catch(() => null);
    if (old && same(old.draft, draft.data)) draft.renew();
    // Another tab has sent its own, and this one went on.
    else if (old) await this.#part();
  }

  // What is typed while it is on its way would belong to neither this submission nor the next.
  async over() {
    const { draft, judge, page, saving, survey } = this.#form;
    at("form").inert = true;
    await saving.settle();
    // Another tab that has sent what it had of this draft has made the device forget it.
    this.#form.kept = draft.keep({ data: survey.data, versionId: page.versionId });
    const whole = await keepAgain(judge.answers).catch(() => false);
    const kept = whole && (await this.#put().then(() => true, () => false));
    const entry = this.#entry();
    const sending = kept ? outbox.send(entry.id) : outbox.deliver(entry);
    // A device that takes no more notes must not leave the form locked.
    const answer = await sending.catch(() => ({ kind: "later" }));
    at("form").inert = false;
    return { ...answer, kept, entry };
  }

  /** Into the outbox, where nothing is written over: two tabs share a draft, and may send different answers of it. */
  async #put() {
    let entry = this.#entry();
    while (!(await store.add("submissions", entry))) {
      const other = await store.get("submissions", entry.id);
      if (other && same(other.data, entry.data)) return;
      if (other) entry = await this.apart();
    }
  }

  /** What is in the form goes on as a submission of its own. */
  async apart() {
    await this.#part();
    this.#form.restore();
    return this.#entry();
  }

  // With files of its own: those of the other go with that.
  async #part() {
    const { draft } = this.#form;
    draft.keep({ clientId: crypto.randomUUID(), data: await copied(draft.data) });
  }

  #entry() {
    const { page, draft, judge, survey } = this.#form;
    const { clientId: id } = draft;
    const sent = { id, base: page.base, versionId: page.versionId, data: judge.answers, seen: draft.versions };
    return { ...sent, draft: survey.data, rows: draft.seen, at: Date.now() };
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
