// Checks the answers with which a task is pre-filled, and passes them to the page that assigns it.

import { byId } from "./dom.js";
import { AnswerEditor, postJson } from "./answer_editor.js";
import { showFieldErrors, showErrorList } from "./error_list.js";
import { addPressListener } from "./press_listener.js";

/** The form in which the answers of a task are pre-filled. */
export class PrefillEditor extends AnswerEditor {
  constructor(form) {
    super(form, "use");
  }

  async start() {
    await super.start();
    addPressListener(byId("use"), () => this.runOnce(() => this.#checkAndPass()));
  }

  async #checkAndPass() {
    const { survey, evaluator, page } = this.form;
    this.showMessage("");
    evaluator.evaluate();
    const isValid = survey.validate(true, true);
    showErrorList(survey, byId("problems"));
    if (!isValid) return;
    const result = await postAnswers(page.correct.url, this.answers);
    if (result.labels) return passToOpener(result);
    if (result.errors) return showErrorList(survey, byId("problems"), showFieldErrors(survey, result.errors));
    this.showMessage("The answers couldn’t be checked. They are still here. Try again.");
  }
}

/** Return the answers with their `labels`, or the `errors`; neither without a response. */
async function postAnswers(address, data) {
  try {
    const response = await postJson(address, { data });
    return response.ok || response.status === 422 ? await response.json() : {};
  } catch {
    return {};
  }
}

function passToOpener({ data, labels }) {
  parent.document.dispatchEvent(new CustomEvent("formwright:prefilled", { detail: { data, labels } }));
}
