// Puts a completed form into this device's outbox, which never overwrites anything, and sends it to the server.

import { byId } from "./dom.js";
import { deviceIdForForm } from "./device_id.js";
import { copyFiles, restoreFiles } from "./local_files.js";
import * as outbox from "./shared/outbox.js";
import * as outboxStorage from "./shared/outbox_storage.js";

/** @import { ApiResult, FormSession } from "./types.js" */

/** @type {ApiResult} */
const LATER = { kind: "later" };

/** A submission on its way from the form through the outbox to the server. */
export class OutboxSubmission {
  #form;

  /** @param {FormSession} form */
  constructor(form) {
    this.#form = form;
  }

  /** Submissions that were being sent when the page was closed belong to the outbox; the form starts empty. */
  async detachSubmittedDraft() {
    const { draft } = this.#form;
    if (!draft.data) return;
    const earlier = await outboxStorage.get("submissions", draft.clientId).catch(() => null);
    if (earlier && isSame(earlier.draft, draft.data)) draft.startNew();
    // Another tab has sent its own, and this one continued.
    else if (earlier) await this.#assignNewId();
  }

  /** Store it and send it. Returns the result with the `entry`, and whether it `isStored` on the device. */
  async submit() {
    const { draft, evaluator, page, autosave, survey } = this.#form;
    // Input during sending would belong to neither this submission nor the next.
    byId("form").inert = true;
    await autosave.stop();
    // Another tab that has submitted this draft has deleted it from the device.
    this.#form.isStored = draft.save({ data: survey.data, versionId: page.versionId });
    const hasAllFiles = await restoreFiles(evaluator.answers).catch(() => false);
    const isStored = hasAllFiles && (await this.#storeEntry().catch(() => false));
    const entry = this.#buildEntry();
    const delivery = isStored ? outbox.send(entry.id) : outbox.sendUnstored(entry);
    // A device that stores nothing more must not leave the form locked.
    const result = await delivery.catch(() => LATER);
    byId("form").inert = false;
    return { ...result, isStored, entry };
  }

  /**
   * Put it into the outbox, which never overwrites anything: two tabs share a draft, and may submit different answers.
   * Returns true when it is there.
   */
  async #storeEntry() {
    let entry = this.#buildEntry();
    while (!(await outboxStorage.add("submissions", entry))) {
      const other = await outboxStorage.get("submissions", entry.id);
      if (other && isSame(other.data, entry.data)) return true;
      if (other) entry = await this.continueAsNew();
    }
    return true;
  }

  /** Continue with the form's answers as a new submission. */
  async continueAsNew() {
    await this.#assignNewId();
    this.#form.restoreDraft();
    return this.#buildEntry();
  }

  // With copies of the files: the originals belong to the other submission.
  async #assignNewId() {
    const { draft } = this.#form;
    draft.save({ clientId: crypto.randomUUID(), data: await copyFiles(draft.data) });
  }

  #buildEntry() {
    const { page, draft, evaluator, survey } = this.#form;
    const { clientId: id } = draft;
    const submission = {
      id,
      base: page.base,
      versionId: page.versionId,
      data: evaluator.answers,
      seen: draft.seenVersions,
      deviceTime: evaluator.deviceTime,
    };
    const device = page.onePerDevice ? deviceIdForForm(page.deviceBase) : undefined;
    return {
      ...submission,
      ...this.#form.editorState,
      device,
      draft: survey.data,
      rows: draft.seen,
      audit: draft.audit,
      at: Date.now(),
    };
  }
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
