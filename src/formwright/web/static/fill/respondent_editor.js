// Lets respondents change what they have submitted, unless somebody else has changed it. Nothing is stored on the device.

import { byId } from "./dom.js";
import { AnswerEditor } from "./answer_editor.js";
import { showRejection } from "./error_list.js";
import { addPressListener } from "./press_listener.js";
import { describeChangePeriod } from "./return_link.js";
import { rejectionText, t } from "./texts.js";
import * as apiClient from "./shared/api_client.js";

/** @import { ApiResult } from "./types.js" */

const REJECTION_TEXTS = { "submission.changed": "changedMeanwhile", "submission.link_ended": "changesOver" };

/** The form in which respondents change their own submission. */
export class RespondentEditor extends AnswerEditor {
  updateTexts() {
    for (const element of document.querySelectorAll(".until"))
      element.textContent = describeChangePeriod(this.form.page.correct.ends);
  }

  async start() {
    await super.start();
    this.warnBeforeUnload();
    addPressListener(byId("save"), () => this.#save());
    byId("again").addEventListener("click", () => location.reload());
    this.updateTexts();
  }

  async #save() {
    if (!byId("filling").hidden) await this.runOnce(() => this.#validateAndSave());
  }

  async #validateAndSave() {
    const { revision, url } = this.form.page.correct;
    this.showMessage("");
    if (!(await this.validate())) return;
    this.form.showStatus("saving");
    const { answers, failed } = await this.uploadFiles();
    const result = failed ?? (await apiClient.submitAnswers(url, { revision, data: answers }));
    this.form.showStatus("");
    this.#handleResult(result);
  }

  /** @param {ApiResult} result */
  #handleResult({ kind, ...result }) {
    if (kind === "done") return this.#showThanks();
    if (kind === "refused") return showRejection(this.form.survey, byId("problems"), result.errors, result.detail);
    if (kind === "later") return this.showMessage(t("changesOffline"));
    this.showMessage(REJECTION_TEXTS[result.code] ? t(REJECTION_TEXTS[result.code]) : rejectionText(result));
  }

  #showThanks() {
    this.hasUnsavedChanges = false;
    byId("filling").hidden = true;
    byId("thanks").hidden = false;
    byId("thanks").querySelector("h1").focus();
    scrollTo(0, 0);
  }
}
