// What the form library leaves without a name for those who listen, and the keypad for those who type.

export function accessible(question, element) {
  if (question.getType() === "rating") stars(question, element);
  if (question.getType() === "boolean") group(question, element);
  if (question.getType() === "slider") element.querySelector('[role="textbox"]')?.setAttribute("role", "presentation");
  if (element.getAttribute("role") === "textbox") element.setAttribute("role", "presentation");
  if (question.inputType === "number") keypad(question, element);
}

function stars(question, element) {
  for (const star of element.querySelectorAll("input")) {
    star.setAttribute("aria-label", `${star.value} of ${question.rateMax}`);
  }
}

function group(question, element) {
  const set = element.querySelector("fieldset") ?? element;
  set.setAttribute("role", "radiogroup");
  set.setAttribute("aria-label", question.processedTitle);
}

// Digits only where nothing else can be meant: the numeric keypad of some phones has no minus.
function keypad(question, element) {
  const digits = question.step === 1 && question.min >= 0;
  element.querySelector("input")?.setAttribute("inputmode", digits ? "numeric" : "decimal");
}
