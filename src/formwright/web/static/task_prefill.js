// The dialog with the form in which somebody enters the pre-filled answers of a task.

import { byId, query } from "./dom.js";

const form = query("select[name=form]", HTMLSelectElement);
const input = byId("answers", HTMLInputElement);
const dialog = byId("prefill-dialog", HTMLDialogElement);
const frame = byId("prefill-frame", HTMLIFrameElement);
const summary = byId("prefill-labels");

byId("prefill").hidden = false;
byId("prefill-open").addEventListener("click", () => {
  if (form.value) {
    frame.src = `/tasks/new/answers?form=${encodeURIComponent(form.value)}`;
    dialog.showModal();
  } else summary.textContent = "Choose a form first.";
});
byId("prefill-clear").addEventListener("click", () => setAnswers({}, []));
byId("prefill-close").addEventListener("click", () => dialog.close());
// The next form starts without the answers of the last one.
dialog.addEventListener("close", () => frame.removeAttribute("src"));
form.addEventListener("change", () => setAnswers({}, []));
document.addEventListener("formwright:prefilled", (/** @type {CustomEvent} */ { detail }) => {
  setAnswers(detail.data, detail.labels);
  dialog.close();
  byId("prefill-open").focus();
});

function setAnswers(answers, labels) {
  input.value = labels.length ? JSON.stringify(answers) : "";
  summary.textContent = labels.length ? labels.join(", ") : "None";
  byId("prefill-clear").hidden = !labels.length;
}
