// Puts a completed form into this device's outbox, which never overwrites anything, and sends it to the server.

import { byId } from "./dom.js";
import { deviceIdForForm } from "./device_id.js";
import { copyFiles, restoreFiles } from "./local_files.js";

const { outbox, store } = globalThis.formwright;

export class OutboxSubmission {
  #form;

  constructor(form) {
    this.#form = form;
  }

  /** Submissions that were being sent when the page was closed belong to the outbox; the form starts empty. */
  async settleOld() {
    const { draft } = this.#form;
    if (!draft.data) return;
    const old = await store.get("submissions", draft.clientId).catch(() => null);
    if (old && isSame(old.draft, draft.data)) draft.renew();
    // Another tab has sent its own, and this one continued.
    else if (old) await this.#part();
  }

  // Input during sending would belong to neither this submission nor the next.
  async over() {
    const { draft, judge, page, saving, survey } = this.#form;
    byId("form").inert = true;
    await saving.settle();
    // Another tab that has submitted this draft has deleted it from the device.
    this.#form.kept = draft.keep({ data: survey.data, versionId: page.versionId });
    const whole = await restoreFiles(judge.answers).catch(() => false);
    const kept =
      whole &&
      (await this.#put().then(
        () => true,
        () => false,
      ));
    const entry = this.#entry();
    const sending = kept ? outbox.send(entry.id) : outbox.deliver(entry);
    // A device that stores nothing more must not leave the form locked.
    const answer = await sending.catch(() => ({ kind: "later" }));
    byId("form").inert = false;
    return { ...answer, kept, entry };
  }

  /** Put it into the outbox, which never overwrites anything: two tabs share a draft, and may submit different answers. */
  async #put() {
    let entry = this.#entry();
    while (!(await store.add("submissions", entry))) {
      const other = await store.get("submissions", entry.id);
      if (other && isSame(other.data, entry.data)) return;
      if (other) entry = await this.apart();
    }
  }

  /** Continue with the form's answers as a new submission. */
  async apart() {
    await this.#part();
    this.#form.restore();
    return this.#entry();
  }

  // With copies of the files: the originals belong to the other submission.
  async #part() {
    const { draft } = this.#form;
    draft.keep({ clientId: crypto.randomUUID(), data: await copyFiles(draft.data) });
  }

  #entry() {
    const { page, draft, judge, survey } = this.#form;
    const { clientId: id } = draft;
    const sent = {
      id,
      base: page.base,
      versionId: page.versionId,
      data: judge.answers,
      seen: draft.versions,
      deviceTime: judge.deviceTime,
    };
    const device = page.onePerDevice ? deviceIdForForm(page.deviceBase) : undefined;
    return {
      ...sent,
      ...this.#form.openPage,
      device,
      draft: survey.data,
      rows: draft.seen,
      audit: draft.audit,
      at: Date.now(),
    };
  }
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
