// Changes a submission for its sender, unless somebody else has changed it. Nothing is stored on the device.

import { byId } from "./dom.js";
import { AnswerEditor } from "./answer_editor.js";
import { showRejection } from "./error_list.js";
import { addPressListener } from "./press_listener.js";
import { describeChangePeriod } from "./return_link.js";
import { rejectionText, t } from "./texts.js";

const { remote } = globalThis.formwright;
const REASONS = { "submission.changed": "changedMeanwhile", "submission.link_ended": "changesOver" };

export class RespondentEditor extends AnswerEditor {
  /** The language has changed. */
  async showWaiting() {
    for (const element of document.querySelectorAll(".until"))
      element.textContent = describeChangePeriod(this.form.page.correct.ends);
  }

  async begin() {
    await super.begin();
    addPressListener(byId("save"), () => this.#save());
    byId("again").addEventListener("click", () => location.reload());
    await this.showWaiting();
  }

  async #save() {
    if (!byId("filling").hidden) await this.once(() => this.#attempt());
  }

  async #attempt() {
    const { revision, url } = this.form.page.correct;
    this.say("");
    if (!(await this.check())) return;
    this.form.tell("saving");
    const { answers, failed } = await this.upload();
    const answer = failed ?? (await remote.submit(url, { revision, data: answers }));
    this.form.tell("");
    this.#answered(answer);
  }

  #answered({ kind, ...answer }) {
    if (kind === "done") return this.#thank();
    if (kind === "refused") return showRejection(this.form.survey, byId("problems"), answer.errors, answer.detail);
    if (kind === "later") return this.say(t("changesOffline"));
    this.say(REASONS[answer.code] ? t(REASONS[answer.code]) : rejectionText(answer));
  }

  #thank() {
    this.dirty = false;
    byId("filling").hidden = true;
    byId("thanks").hidden = false;
    byId("thanks").querySelector("h1").focus();
    scrollTo(0, 0);
  }
}
