// Checks the answers with which a task is pre-filled, and passes them to the page that assigns it.

import { byId } from "./dom.js";
import { showFieldErrors, showErrorList } from "./error_list.js";
import { addPressListener } from "./press_listener.js";
import { restoreUnchanged } from "./unchanged_answers.js";

const PATIENCE = 30_000;

export class PrefillEditor {
  #form;
  #settled;
  #busy = false;

  constructor(form) {
    this.#form = form;
  }

  async settleOld() {}

  async showWaiting() {}

  async begin() {
    this.#settled = structuredClone(this.#form.judge.answers);
    addPressListener(byId("use"), () => this.#use());
  }

  async #use() {
    if (this.#busy) return;
    this.#busy = true;
    byId("use").setAttribute("aria-disabled", "true");
    await this.#attempt();
    byId("use").removeAttribute("aria-disabled");
    this.#busy = false;
  }

  async #attempt() {
    const { survey, judge, page } = this.#form;
    byId("banner").hidden = true;
    judge.settle();
    const sound = survey.validate(true, true);
    showErrorList(survey, byId("problems"));
    if (!sound) return;
    const answer = await send(page.correct.url, restoreUnchanged(page.prefill, this.#settled, judge.answers));
    if (answer.labels) return pass(answer);
    if (answer.errors) return showErrorList(survey, byId("problems"), showFieldErrors(survey, answer.errors));
    byId("banner").textContent = "The answers couldn’t be checked. They are still here. Try again.";
    byId("banner").hidden = false;
  }
}

async function send(address, data) {
  const csrf = byId("why").elements._csrf_token.value;
  const headers = { "Content-Type": "application/json", "x-csrftoken": csrf };
  const body = JSON.stringify({ data });
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    const response = await fetch(address, { method: "POST", redirect: "manual", headers, body, signal });
    return response.ok || response.status === 422 ? await response.json() : {};
  } catch {
    return {};
  }
}

function pass({ data, labels }) {
  parent.document.dispatchEvent(new CustomEvent("formwright:prefilled", { detail: { data, labels } }));
}
