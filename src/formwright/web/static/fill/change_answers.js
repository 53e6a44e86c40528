// Changes a submission for its sender, unless somebody else has changed it. Nothing is stored on the device.

import { allHere, uploadAll } from "./local_files.js";
import { press } from "./press_guard.js";
import { describeEnd } from "./return_link.js";
import { showRefused, validate } from "./error_list.js";
import { restoreUnchanged } from "./unchanged_answers.js";
import { reason, say } from "./texts.js";

const { remote } = globalThis.formwright;
const at = (id) => document.getElementById(id);
const REASONS = { "submission.changed": "changedMeanwhile", "submission.link_ended": "changesOver" };

export class Changing {
  #form;
  #settled;
  #dirty = false;
  #busy = false;

  constructor(form) {
    this.#form = form;
  }

  async settleOld() {}

  /** The language has changed. */
  async showWaiting() {
    for (const element of document.querySelectorAll(".until")) element.textContent = describeEnd(this.#form.page.correct.ends);
  }

  async begin() {
    this.#settled = structuredClone(this.#form.judge.answers);
    this.#form.survey.onValueChanged.add(() => (this.#dirty = true));
    addEventListener("beforeunload", (event) => this.#dirty && event.preventDefault());
    press(at("save"), () => this.#save());
    at("again").addEventListener("click", () => location.reload());
    await this.showWaiting();
  }

  async #save() {
    if (this.#busy || at("filling").hidden) return;
    this.#busy = true;
    at("save").setAttribute("aria-disabled", "true");
    await this.#attempt();
    at("save").removeAttribute("aria-disabled");
    this.#busy = false;
  }

  async #attempt() {
    const { survey, judge, page } = this.#form;
    this.#say("");
    await allHere();
    judge.settle();
    if (!validate(survey, judge, at("problems"))) return;
    this.#form.tell("saving");
    const { answers, failed } = await uploadAll(restoreUnchanged(page.prefill, this.#settled, judge.answers));
    const answer = failed ?? (await remote.submit(page.correct.url, { revision: page.correct.revision, data: answers }));
    this.#form.tell("");
    this.#answered(answer);
  }

  #answered({ kind, ...answer }) {
    if (kind === "done") return this.#thank();
    if (kind === "refused") return showRefused(this.#form.survey, at("problems"), answer.errors, answer.detail);
    if (kind === "later") return this.#say(say("changesOffline"));
    this.#say(REASONS[answer.code] ? say(REASONS[answer.code]) : reason(answer));
  }

  #thank() {
    this.#dirty = false;
    at("filling").hidden = true;
    at("thanks").hidden = false;
    at("thanks").querySelector("h1").focus();
    scrollTo(0, 0);
  }

  #say(text) {
    at("banner").textContent = text;
    at("banner").hidden = text === "";
  }
}
