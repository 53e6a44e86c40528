// An agreement: a box to tick. The only answer is true; an empty box is no answer.

import { say } from "../texts.js";
import { element } from "../dom.js";

export function agreement(question, root) {
  const box = element("input", { type: "checkbox", id: question.inputId });
  const text = element("span");
  root.append(element("label", { className: "agreement" }, box, text));
  box.addEventListener("change", () => (question.value = box.checked ? true : undefined));

  function show() {
    text.textContent = say("agree");
    box.ariaLabel = `${question.processedTitle}: ${say("agree")}`;
    box.checked = question.value === true;
    box.disabled = question.isReadOnly;
  }

  show();
  return show;
}
