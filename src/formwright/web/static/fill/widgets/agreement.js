// An agreement: a box to tick. The only answer is true; an empty box is no answer.

import { t } from "../texts.js";
import { element } from "../dom.js";

export function renderAgreement(question, root) {
  const checkbox = element("input", { type: "checkbox", id: question.inputId });
  const text = element("span");
  root.append(element("label", { className: "agreement" }, checkbox, text));
  checkbox.addEventListener("change", () => (question.value = checkbox.checked ? true : undefined));

  function show() {
    text.textContent = t("agree");
    checkbox.ariaLabel = `${question.processedTitle}: ${t("agree")}`;
    checkbox.checked = question.value === true;
    checkbox.disabled = question.isReadOnly;
  }

  show();
  return show;
}
