// "Continue later": the unfinished answers are saved on the server, with a secret link that opens them on any device.

import { byId } from "./dom.js";
import { waitForPendingWork, uploadFiles, withServerIds } from "./local_files.js";
import { addPressListener } from "./press_listener.js";
import { showReturnLink } from "./return_link.js";
import { rejectionText, t } from "./texts.js";
import * as apiClient from "./shared/api_client.js";
import * as outbox from "./shared/outbox.js";
import * as outboxStorage from "./shared/outbox_storage.js";
import { createProof } from "./shared/proof_of_work.js";

/** @import { FormSession } from "./types.js" */

const LINK_OPENED_HASH = "#continue";

/** The button that saves the answers so far, and shows the link to continue with them. */
export class ContinueLaterButton {
  #form;
  #isRunning = false;

  /** @param {FormSession} form */
  constructor(form) {
    this.#form = form;
  }

  start() {
    addPressListener(byId("continue"), () => this.#handlePress());
    addPressListener(byId("reload"), () => location.reload());
    // The page of the new link, to which the page of the form has led.
    if (location.hash === LINK_OPENED_HASH) this.#showLink();
  }

  async #handlePress() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    byId("continue").setAttribute("aria-disabled", "true");
    byId("continue-failed").hidden = true;
    await waitForPendingWork();
    await (this.#form.page.once ? this.#saveToOwnLink() : this.#moveToLink());
    byId("continue").removeAttribute("aria-disabled");
    this.#isRunning = false;
  }

  /** The page has a link of its own already. */
  async #saveToOwnLink() {
    const { failed } = await uploadFiles(this.#form.evaluator.answers);
    if (failed) return this.#showFailure(failed);
    if (await this.#form.autosave.saveNow()) return this.#showLink();
    if (byId("elsewhere").hidden) this.#showFailure({ kind: "later", network: !navigator.onLine });
  }

  // From then on, this device works with the link, like any other that opens it.
  async #moveToLink() {
    const { draft, evaluator, autosave, survey } = this.#form;
    byId("form").inert = true;
    const typed = survey.data;
    const { answers, failed } = await uploadFiles(typed);
    await autosave.stop();
    const result = failed ?? (await this.#createLink(withServerIds(evaluator.answers)));
    if (result.kind !== "done") {
      byId("form").inert = false;
      return this.#showFailure(result);
    }
    draft.moveToLink(result.link, result.revision, answers);
    for (const id of outbox.findLocalFiles(typed)) await outboxStorage.remove("files", id).catch(() => {});
    location.assign(`${result.link}${LINK_OPENED_HASH}`);
  }

  async #createLink(data) {
    const { draft, editor, page, position } = this.#form;
    const address = `${page.base}/submissions/${draft.clientId}`;
    const body = { versionId: page.versionId, data, position, editor };
    const result = await apiClient.createReturnLink(address, body);
    if (result.code !== "fill.proof_required") return result;
    const proof = await createProof(page.base);
    return proof ? apiClient.createReturnLink(address, { ...body, proof }) : result;
  }

  #showLink() {
    const { page } = this.#form;
    const describe = () => [t(page.returned ? "continueSaved" : "continuePersonal")];
    showReturnLink(byId("continue-link"), { path: page.base, subject: document.title, describe });
    byId("continue-link").focus();
    byId("continue-link").scrollIntoView({ block: "nearest" });
  }

  #showFailure(result) {
    const isOffline = result.kind === "later" && (result.network || !navigator.onLine);
    byId("continue-failed").textContent = isOffline
      ? t("continueOffline")
      : (result.kind !== "later" && rejectionText(result)) || t("continueFailed");
    byId("continue-failed").hidden = false;
  }
}
