// Edits a submission: the answers are saved with a reason, unless somebody else was first. Nothing is stored on the device.

import { allHere } from "./local_files.js";
import { press } from "./press_guard.js";
import { placeErrors, show, validate } from "./error_list.js";
import { restoreUnchanged } from "./unchanged_answers.js";
import { reason } from "./texts.js";

const { outbox } = globalThis.formwright;
const PATIENCE = 30_000;
const at = (id) => document.getElementById(id);

export class Correcting {
  #form;
  #settled;
  #dirty = false;
  #busy = false;

  constructor(form) {
    this.#form = form;
  }

  async settleOld() {}

  async showWaiting() {}

  async begin() {
    this.#settled = structuredClone(this.#form.judge.answers);
    this.#form.survey.onValueChanged.add(() => (this.#dirty = true));
    at("note").addEventListener("input", () => (this.#dirty = true));
    addEventListener("beforeunload", (event) => this.#dirty && event.preventDefault());
    at("why").addEventListener("submit", (event) => event.preventDefault());
    press(at("save"), () => this.#save(this.#form.page.correct.revision));
    press(at("over"), () => this.#save(null));
  }

  async #save(revision) {
    if (this.#busy) return;
    this.#busy = true;
    at("save").setAttribute("aria-disabled", "true");
    await this.#attempt(revision);
    at("save").removeAttribute("aria-disabled");
    this.#busy = false;
  }

  async #attempt(revision) {
    const { survey, judge, page } = this.#form;
    this.#say("");
    at("overtaken").hidden = true;
    await allHere();
    await this.#form.calculated.ready();
    judge.settle();
    if (!validate(survey, judge, at("problems"))) return;
    const data = await this.#withFiles(restoreUnchanged(page.prefill, this.#settled, judge.answers));
    if (data) this.#answered(await send(page.correct.url, { revision, data, note: at("note").value }));
  }

  /** Return the answers with the ids of newly uploaded files; null if one was refused. */
  async #withFiles(answers) {
    const files = new Map();
    for (const local of outbox.locals(answers)) {
      const answer = await outbox.upload(local);
      if (answer.kind !== "done") return this.#say(`Couldn’t upload a file. ${reason(answer) || "The server isn’t responding. Try again."}`);
      files.set(local, answer.id);
    }
    return outbox.named(answers, files);
  }

  #answered({ kind, ...answer }) {
    const { page, survey } = this.#form;
    if (kind === "done") {
      this.#dirty = false;
      return location.assign(`${page.correct.back}?edited=${answer.changed ? 1 : 0}`);
    }
    if (kind === "overtaken") {
      at("overtaken").hidden = false;
      return at("over").focus();
    }
    if (kind !== "refused") return this.#say(answer.detail);
    const rest = placeErrors(survey, answer.errors);
    show(survey, at("problems"), rest);
    survey.getAllQuestions(false, false, true).find((question) => question.errors.length)?.focus(true);
  }

  #say(text) {
    at("banner").textContent = text;
    at("banner").hidden = text === "";
    return null;
  }
}

async function send(address, body) {
  try {
    const response = await fetch(address, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/json", "x-csrftoken": at("why").elements._csrf_token.value },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
    return await verdict(response);
  } catch {
    return { kind: "later", detail: "Not saved: the server isn’t responding. Your changes are still here. Try again." };
  }
}

async function verdict(response) {
  if (response.type === "opaqueredirect") return { kind: "later", detail: "You’ve been signed out. Sign in in another tab, then save again." };
  if (response.status === 403) return { kind: "later", detail: "Not saved: your session expired, or you don’t have permission to edit this submission." };
  if (response.status === 404) return { kind: "later", detail: "Not saved: this submission has been deleted." };
  if (response.status === 409) return { kind: "overtaken" };
  if (response.status === 422) return { kind: "refused", ...(await response.json()) };
  if (!response.ok) return { kind: "later", detail: "Not saved. Your changes are still here. Try again." };
  return { kind: "done", ...(await response.json()) };
}
