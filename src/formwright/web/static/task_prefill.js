// The dialog with the form in which somebody enters the pre-filled answers of a task.

const at = (id) => document.getElementById(id);
const form = document.querySelector("select[name=form]");
const [field, dialog, frame, summary] = ["answers", "prefill-dialog", "prefill-frame", "prefill-labels"].map(at);

at("prefill").hidden = false;
at("prefill-open").addEventListener("click", () => {
  if (!form.value) return void (summary.textContent = "Choose a form first.");
  frame.src = `/tasks/new/answers?form=${encodeURIComponent(form.value)}`;
  dialog.showModal();
});
at("prefill-clear").addEventListener("click", () => use({}, []));
at("prefill-close").addEventListener("click", () => dialog.close());
// The next form starts without the answers of the last one.
dialog.addEventListener("close", () => frame.removeAttribute("src"));
form.addEventListener("change", () => use({}, []));
document.addEventListener("formwright:prefilled", ({ detail }) => {
  use(detail.data, detail.labels);
  dialog.close();
  at("prefill-open").focus();
});

function use(data, labels) {
  field.value = labels.length ? JSON.stringify(data) : "";
  summary.textContent = labels.length ? labels.join(", ") : "None";
  at("prefill-clear").hidden = !labels.length;
}
