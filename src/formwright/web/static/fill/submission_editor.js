// Edits a submission: the answers are saved with a reason, unless somebody else was first. Nothing is stored on the device.

import { byId } from "./dom.js";
import { AnswerEditor, postJson } from "./answer_editor.js";
import { showRejection } from "./error_list.js";
import { addPressListener } from "./press_listener.js";
import { rejectionText } from "./texts.js";

/** The form in which the office edits a submission. */
export class SubmissionEditor extends AnswerEditor {
  async start() {
    await super.start();
    this.warnBeforeUnload();
    const note = /** @type {HTMLTextAreaElement} */ (byId("note"));
    note.addEventListener("input", () => {
      this.hasUnsavedChanges = true;
    });
    byId("why").addEventListener("submit", (event) => event.preventDefault());
    addPressListener(byId("save"), () => this.#save(this.form.page.correct.revision, note.value));
    addPressListener(byId("over"), () => this.#save(null, note.value));
  }

  /** `revision` is the one that the answers replace; null replaces any. */
  #save(revision, note) {
    return this.runOnce(() => this.#validateAndSave(revision, note));
  }

  async #validateAndSave(revision, note) {
    this.showMessage("");
    byId("overtaken").hidden = true;
    if (!(await this.validate())) return;
    const { answers: data, failed } = await this.uploadFiles();
    if (failed)
      return this.showMessage(
        `Couldn’t upload a file. ${rejectionText(failed) || "The server isn’t responding. Try again."}`,
      );
    this.#handleResult(await postAnswers(this.form.page.correct.url, { revision, data, note }));
  }

  #handleResult({ kind, ...result }) {
    const { page, survey } = this.form;
    if (kind === "done") {
      this.hasUnsavedChanges = false;
      return location.assign(`${page.correct.back}?edited=${result.changed ? 1 : 0}`);
    }
    if (kind === "overtaken") {
      byId("overtaken").hidden = false;
      return byId("over").focus();
    }
    if (kind !== "refused") return this.showMessage(result.detail);
    showRejection(survey, byId("problems"), result.errors);
  }
}

// A response that got lost, or that the server could not give, does not say that nothing was saved.
const UNKNOWN_OUTCOME =
  "The server isn’t responding, so your changes may not have been saved. They are still here: try again.";

async function postAnswers(address, body) {
  try {
    return await readResult(await postJson(address, body));
  } catch {
    return { kind: "later", detail: UNKNOWN_OUTCOME };
  }
}

async function readResult(response) {
  if (response.type === "opaqueredirect")
    return { kind: "later", detail: "You’ve been signed out. Sign in in another tab, then save again." };
  if (response.status === 403)
    return {
      kind: "later",
      detail: "Not saved: your session expired, or you don’t have permission to edit this submission.",
    };
  if (response.status === 404) return { kind: "later", detail: "Not saved: this submission has been deleted." };
  if (response.status === 409) return { kind: "overtaken" };
  if (response.status === 422) return { kind: "refused", ...(await response.json()) };
  if (!response.ok) return { kind: "later", detail: UNKNOWN_OUTCOME };
  return { kind: "done", ...(await response.json()) };
}
