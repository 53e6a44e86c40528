// An agreement: a box to tick. The only answer is true; an empty box is no answer.

import { t } from "../texts.js";
import { element } from "../dom.js";

export function renderAgreement(question, root) {
  const box = element("input", { type: "checkbox", id: question.inputId });
  const text = element("span");
  root.append(element("label", { className: "agreement" }, box, text));
  box.addEventListener("change", () => (question.value = box.checked ? true : undefined));

  function show() {
    text.textContent = t("agree");
    box.ariaLabel = `${question.processedTitle}: ${t("agree")}`;
    box.checked = question.value === true;
    box.disabled = question.isReadOnly;
  }

  show();
  return show;
}
