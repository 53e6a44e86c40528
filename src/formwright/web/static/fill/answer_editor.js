// Editing answers that were submitted, or that are not submitted here: nothing is stored on the device.

import { byId } from "./dom.js";
import { validateForm } from "./error_list.js";
import { waitForPendingWork, uploadFiles } from "./local_files.js";
import { restoreUnchanged } from "./unchanged_answers.js";

/** @import { FormSession } from "./types.js" */

const REQUEST_TIMEOUT_MS = 30_000;

/** What the pages that edit answers have in common: a form session calls them instead of a `SubmissionSender`. */
export class AnswerEditor {
  #initialAnswers;
  #isRunning = false;
  #button;
  hasUnsavedChanges = false;

  /**
   * `buttonId`: the button that saves the answers.
   * @param {FormSession} form
   */
  constructor(form, buttonId = "save") {
    this.form = form;
    this.#button = byId(buttonId);
  }

  /** Only a `SubmissionSender` stores drafts. */
  async detachSubmittedDraft() {}

  /** Called when the language has changed. */
  updateTexts() {}

  async start() {
    this.#initialAnswers = structuredClone(this.form.evaluator.answers);
  }

  /** Ask before the page is left with changes that are not saved. */
  warnBeforeUnload() {
    this.form.survey.onValueChanged.add(() => {
      this.hasUnsavedChanges = true;
    });
    addEventListener("beforeunload", (event) => this.hasUnsavedChanges && event.preventDefault());
  }

  /** The answers; those that nobody edited are as they were. */
  get answers() {
    return restoreUnchanged(this.form.page.prefill, this.#initialAnswers, this.form.evaluator.answers);
  }

  /** Call `attempt` with the button disabled, unless an attempt is still under way. */
  async runOnce(attempt) {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#button.setAttribute("aria-disabled", "true");
    await attempt();
    this.#button.removeAttribute("aria-disabled");
    this.#isRunning = false;
  }

  /** Check the answers, and show what is wrong. Returns whether they can be saved. */
  async validate() {
    const { survey, evaluator, calculatedLookups } = this.form;
    await waitForPendingWork();
    await calculatedLookups.waitUntilLoaded();
    evaluator.evaluate();
    return validateForm(survey, evaluator, byId("problems"));
  }

  /** Upload the new files. Returns the `answers` to save, or the response to an upload that `failed`. */
  uploadFiles() {
    return uploadFiles(this.answers);
  }

  showMessage(text) {
    byId("banner").textContent = text;
    byId("banner").hidden = text === "";
  }
}

/** Send JSON as a page of a signed-in user does. Throws without a response. */
export function postJson(address, body) {
  const token = /** @type {HTMLInputElement} */ (document.querySelector("#why [name=_csrf_token]"));
  return fetch(address, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": "application/json", "x-csrftoken": token.value },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
}
