// The question type `number` of the form library: a text field whose value is a number, or the text if it cannot be read.
// The library's own number input drops what it cannot read while it is typed, and the mouse wheel changes it.

import { isPlainNumber, parseNumber, formatNumber } from "./numbers.js";
import { t } from "./texts.js";

/** @param {typeof import("survey-core")} Survey */
export function registerNumberQuestion(Survey) {
  // `any`, because what is overridden here is private in the library's types.
  const TextQuestion = /** @type {new (name: string) => import("survey-core").Question & Record<string, any>} */ (
    Survey.QuestionTextModel
  );

  class NumberQuestion extends TextQuestion {
    getType() {
      return "number";
    }

    // Drawn like a text.
    getTemplate() {
      return "text";
    }

    getCssType() {
      return "text";
    }

    /** What the field shows: what was typed, as long as it is the value. */
    get inputValue() {
      if (this.typed && this.typed.value === this.value) return this.typed.text;
      return typeof this.value === "number" ? formatNumber(this.value) : (this.value ?? "");
    }

    set inputValue(text) {
      const value = parseNumber(text, { whole: this.whole }).value ?? (text.trim() && text);
      this.typed = { text, value };
      if (this.value !== value) this.value = value;
    }

    /** The library compares the text with the value: for it, "1.50" is 1.5, and need not be kept. */
    updateValueOnEvent({ target }) {
      if (target.value !== this.inputValue) this.inputValue = target.value;
    }

    onBlurCore(event) {
      super.onBlurCore(event);
      if (this.isReadOnly) return;
      if (typeof this.value === "string" && this.value) this.validate(true);
      else if (!isPlainNumber(event.target.value)) this.showValue();
    }

    localeChanged() {
      super.localeChanged();
      if (typeof this.value === "number") this.typed = undefined;
    }

    /** Show the number that was read, as this language writes it. */
    showValue() {
      this.typed = undefined;
      if (this.input) this.input.value = this.inputValue;
    }

    /** Keypads of some phones have no minus. */
    changeSign() {
      const { value } = this.input;
      this.input.value = /^\s*[-−]/.test(value) ? value.replace(/[-−]/, "") : `-${value}`;
      this.inputValue = this.input.value;
    }
  }

  const properties = ["whole:boolean", "signed:boolean", "unit"];
  Survey.Serializer.addClass("number", properties, () => new NumberQuestion(""), "text");
  Survey.QuestionFactory.Instance.registerQuestion("number", (name) => new NumberQuestion(name));
}

/** Add what the form library lacks: the keypad of phones, the direction, and a button for negative numbers. */
export function completeNumberField(question, element) {
  const input = element.querySelector("input");
  if (!input) return;
  input.setAttribute("inputmode", question.whole ? "numeric" : "decimal");
  input.setAttribute("spellcheck", "false");
  // Like a telephone number: leading and trailing signs keep their place in right-to-left forms too.
  input.setAttribute("dir", "ltr");
  input.addEventListener("input", (event) => question.updateValueOnEvent(event));
  if (question.signed) addSignButton(question, input);
}

function addSignButton(question, input) {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "change-sign",
    textContent: "±",
  });
  // Its name is the same in all fields, so that only the field itself is called like the question.
  button.setAttribute("aria-describedby", input.getAttribute("aria-labelledby") ?? "");
  // The field keeps the focus, and the phone its keypad.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", () => question.isReadOnly || question.changeSign());
  input.after(button);
  nameSignButton(input.parentElement);
}

/** Name the button of a question's element, again in another language. */
export function nameSignButton(element) {
  const button = element?.querySelector(".change-sign");
  if (button) button.ariaLabel = t("changeSign");
}
