// A length of time: hours and minutes, and seconds if the answer has some. The value is the seconds, or the text if one
// of the inputs is no number, so that the check of the answer says so.

import { splitSeconds } from "../../fields/time_units.js";
import { parseNumber, formatNumber } from "../numbers.js";
import { t } from "../texts.js";
import { element } from "../dom.js";

const UNITS = [
  { name: "hours", symbol: "h", seconds: 3600 },
  { name: "minutes", symbol: "min", seconds: 60 },
  { name: "seconds", symbol: "s", seconds: 1 },
];

export function renderDuration(question, root) {
  const parts = UNITS.map((unit, index) => {
    const input = element("input", {
      className: "sd-input",
      inputMode: "numeric",
      autocomplete: "off",
      spellcheck: false,
      dir: "ltr",
    });
    if (index === 0) input.id = question.inputId;
    input.addEventListener("input", setAnswer);
    // 90 minutes become 1 h 30 min, but not while somebody types.
    input.addEventListener("change", () => show(true));
    return {
      ...unit,
      input,
      label: element(
        "label",
        { className: "duration-part" },
        input,
        element("span", { className: "unit", ariaHidden: "true" }, unit.symbol),
      ),
    };
  });
  const group = element("div", { className: "duration", role: "group" }, ...parts.map(({ label }) => label));
  root.append(group);
  let lastTyped;

  function setAnswer() {
    const texts = parts.map(({ input }) => input.value.trim());
    const numbers = texts.map((text) => (text ? parseNumber(text, { whole: true }).value : 0));
    const isValid = numbers.every((number) => Number.isInteger(number) && number >= 0);
    const seconds = numbers.reduce((sum, number, index) => sum + number * parts[index].seconds, 0);
    lastTyped = texts.some(Boolean) ? (isValid ? seconds : texts.join(":")) : undefined;
    question.value = lastTyped;
  }

  function show(isComplete = false) {
    const { value, isReadOnly } = question;
    const hasSeconds = Number.isInteger(value) && value % 60 !== 0;
    const isWritten = value === undefined || (Number.isInteger(value) && value >= 0);
    if (isWritten && (isComplete === true || value !== lastTyped)) {
      const amounts = value === undefined ? [] : splitSeconds(value);
      for (const [index, { input }] of parts.entries())
        input.value = amounts[index] === undefined ? "" : formatNumber(amounts[index]);
      lastTyped = value;
    }
    group.setAttribute("aria-label", question.processedTitle);
    for (const { name, input, label } of parts) {
      input.readOnly = isReadOnly;
      input.ariaLabel = t(name);
      if (name === "seconds") label.hidden = !hasSeconds && !/[^0]/.test(input.value);
    }
  }

  show();
  return show;
}
