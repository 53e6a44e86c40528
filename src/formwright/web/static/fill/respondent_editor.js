// Changes a submission for its sender, unless somebody else has changed it. Nothing is stored on the device.

import { AnswerEditor } from "./answer_editor.js";
import { showRefused } from "./error_list.js";
import { press } from "./press_listener.js";
import { describeEnd } from "./return_link.js";
import { reason, say } from "./texts.js";

const { remote } = globalThis.formwright;
const at = (id) => document.getElementById(id);
const REASONS = { "submission.changed": "changedMeanwhile", "submission.link_ended": "changesOver" };

export class Changing extends AnswerEditor {
  /** The language has changed. */
  async showWaiting() {
    for (const element of document.querySelectorAll(".until"))
      element.textContent = describeEnd(this.form.page.correct.ends);
  }

  async begin() {
    await super.begin();
    press(at("save"), () => this.#save());
    at("again").addEventListener("click", () => location.reload());
    await this.showWaiting();
  }

  async #save() {
    if (!at("filling").hidden) await this.once(() => this.#attempt());
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
    if (kind === "refused") return showRefused(this.form.survey, at("problems"), answer.errors, answer.detail);
    if (kind === "later") return this.say(say("changesOffline"));
    this.say(REASONS[answer.code] ? say(REASONS[answer.code]) : reason(answer));
  }

  #thank() {
    this.dirty = false;
    at("filling").hidden = true;
    at("thanks").hidden = false;
    at("thanks").querySelector("h1").focus();
    scrollTo(0, 0);
  }
}
