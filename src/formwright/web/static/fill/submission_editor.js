// Edits a submission: the answers are saved with a reason, unless somebody else was first. Nothing is stored on the device.

import { byId } from "./dom.js";
import { AnswerEditor } from "./answer_editor.js";
import { showRejection } from "./error_list.js";
import { addPressListener } from "./press_listener.js";
import { rejectionText } from "./texts.js";

const PATIENCE = 30_000;

export class SubmissionEditor extends AnswerEditor {
  async begin() {
    await super.begin();
    byId("note").addEventListener("input", () => (this.dirty = true));
    byId("why").addEventListener("submit", (event) => event.preventDefault());
    addPressListener(byId("save"), () => this.#save(this.form.page.correct.revision));
    addPressListener(byId("over"), () => this.#save(null));
  }

  #save(revision) {
    return this.once(() => this.#attempt(revision));
  }

  async #attempt(revision) {
    this.say("");
    byId("overtaken").hidden = true;
    if (!(await this.check())) return;
    const { answers: data, failed } = await this.upload();
    if (failed)
      return this.say(`Couldn’t upload a file. ${rejectionText(failed) || "The server isn’t responding. Try again."}`);
    this.#answered(await send(this.form.page.correct.url, { revision, data, note: byId("note").value }));
  }

  #answered({ kind, ...answer }) {
    const { page, survey } = this.form;
    if (kind === "done") {
      this.dirty = false;
      return location.assign(`${page.correct.back}?edited=${answer.changed ? 1 : 0}`);
    }
    if (kind === "overtaken") {
      byId("overtaken").hidden = false;
      return byId("over").focus();
    }
    if (kind !== "refused") return this.say(answer.detail);
    showRejection(survey, byId("problems"), answer.errors);
  }
}

// A response that got lost, or that the server could not give, does not say that nothing was saved.
const UNSURE = "The server isn’t responding, so your changes may not have been saved. They are still here: try again.";

async function send(address, body) {
  try {
    const response = await fetch(address, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/json", "x-csrftoken": byId("why").elements._csrf_token.value },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
    return await verdict(response);
  } catch {
    return { kind: "later", detail: UNSURE };
  }
}

async function verdict(response) {
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
  if (!response.ok) return { kind: "later", detail: UNSURE };
  return { kind: "done", ...(await response.json()) };
}
