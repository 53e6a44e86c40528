// Editing answers that were submitted: they are checked and saved together. Nothing is stored on the device.

import { byId } from "./dom.js";
import { validateForm } from "./error_list.js";
import { waitForPendingFiles, uploadFiles } from "./local_files.js";
import { restoreUnchanged } from "./unchanged_answers.js";

/** What the pages that edit a submission have in common. `dirty` is whether there are changes that are not saved. */
export class AnswerEditor {
  #settled;
  #busy = false;
  dirty = false;

  constructor(form) {
    this.form = form;
  }

  async settleOld() {}

  async showWaiting() {}

  async begin() {
    this.#settled = structuredClone(this.form.judge.answers);
    this.form.survey.onValueChanged.add(() => (this.dirty = true));
    addEventListener("beforeunload", (event) => this.dirty && event.preventDefault());
  }

  /** Call `attempt` with the button disabled, unless an attempt is still under way. */
  async once(attempt) {
    if (this.#busy) return;
    this.#busy = true;
    byId("save").setAttribute("aria-disabled", "true");
    await attempt();
    byId("save").removeAttribute("aria-disabled");
    this.#busy = false;
  }

  /** Check the answers, and show what is wrong. Returns whether they can be saved. */
  async check() {
    const { survey, judge, calculated } = this.form;
    await waitForPendingFiles();
    await calculated.ready();
    judge.settle();
    return validateForm(survey, judge, byId("problems"));
  }

  /** Upload the new files. Returns the `answers` to save, or the response to an upload that `failed`. */
  upload() {
    return uploadFiles(restoreUnchanged(this.form.page.prefill, this.#settled, this.form.judge.answers));
  }

  say(text) {
    byId("banner").textContent = text;
    byId("banner").hidden = text === "";
  }
}
