// A ranking: options in an order that people change by dragging, or with two buttons.

import { mediaElements } from "../media.js";
import { localizedLabel, t } from "../texts.js";
import { button, element } from "../dom.js";

export function renderRanking(question, root) {
  const list = element("ol", { className: "ranking" });
  const keepButton = button("", () => setAnswer(currentOrder()), { id: question.inputId });
  const clearButton = button("", () => question.clearValue());
  const status = element("p", { className: "widget-status", role: "status" });
  root.append(list, element("div", { className: "buttons" }, keepButton, clearButton), status);
  const rows = new Map();

  /** The values in the order shown: that of the answer, then options that it does not have. */
  function currentOrder() {
    const values = question.options.map((option) => option.value);
    const ranked = Array.isArray(question.value) ? question.value.filter((value) => values.includes(value)) : [];
    return [...new Set([...ranked, ...values])];
  }

  const setAnswer = (values) => (question.value = values);
  const textsWithAnswers = ({ value }) => question.optionTexts?.[value];

  function renderText(textElement, option) {
    const html = textsWithAnswers(option) ? textsWithAnswers(option).html : option.markup?.text;
    if (html) textElement.innerHTML = localizedLabel(html);
    else textElement.textContent = textsWithAnswers(option)?.text ?? localizedLabel(option.text);
    if (option.media) textElement.append(element("span", { className: "media" }, ...mediaElements(option.media)));
  }

  function move(value, by, pressedButton) {
    const values = currentOrder();
    const from = values.indexOf(value);
    const to = from + by;
    setAnswer(values.toSpliced(from, 1).toSpliced(to, 0, value));
    const { text, up, down } = rows.get(value);
    (pressedButton.disabled ? (pressedButton === up ? down : up) : pressedButton).focus();
    status.textContent = t("rankMoved", text.textContent, to + 1, values.length);
  }

  function addRow(value) {
    const text = element("span", { className: "rank-text" });
    const up = button("↑", () => move(value, -1, up));
    const down = button("↓", () => move(value, 1, down));
    const grip = element("span", { className: "rank-grip", ariaHidden: "true" }, "⠿");
    const rowElement = element("li", {}, grip, text, up, down);
    grip.addEventListener("pointerdown", (event) => drag(event, rowElement));
    rowElement.dataset.value = value;
    rows.set(value, { rowElement, text, up, down, grip });
  }

  // The row follows the pointer through the list. The answer changes when it is released.
  function drag(event, rowElement) {
    if (question.isReadOnly || event.button) return;
    event.preventDefault();
    const grip = event.currentTarget;
    grip.setPointerCapture(event.pointerId);
    rowElement.classList.add("is-dragged");
    const handleMove = ({ clientY }) => {
      const others = [...list.children].filter((one) => one !== rowElement);
      const index = others.filter((one) => one.getBoundingClientRect().top + one.offsetHeight / 2 < clientY).length;
      const isAbove = (one) => one.compareDocumentPosition(rowElement) & Node.DOCUMENT_POSITION_FOLLOWING;
      // The others move: an element that is moved loses the pointer.
      for (const one of others.slice(0, index)) if (!isAbove(one)) rowElement.before(one);
      for (const one of others.slice(index).reverse()) if (isAbove(one)) rowElement.after(one);
    };
    const handleEnd = ({ type }) => {
      grip.removeEventListener("pointermove", handleMove);
      for (const name of DRAG_END_EVENTS) grip.removeEventListener(name, handleEnd);
      rowElement.classList.remove("is-dragged");
      if (type === "pointerup") setAnswer([...list.children].map((one) => one.dataset.value));
      else show();
    };
    grip.addEventListener("pointermove", handleMove);
    for (const name of DRAG_END_EVENTS) grip.addEventListener(name, handleEnd);
  }

  function show() {
    const values = currentOrder();
    const options = new Map(question.options.map((option) => [option.value, option]));
    const isLocked = question.isReadOnly;
    for (const [index, value] of values.entries()) {
      if (!rows.has(value)) addRow(value);
      const { rowElement, text, up, down, grip } = rows.get(value);
      renderText(text, options.get(value));
      up.ariaLabel = t("rankUp", text.textContent);
      down.ariaLabel = t("rankDown", text.textContent);
      up.disabled = index === 0;
      down.disabled = index === values.length - 1;
      up.hidden = down.hidden = grip.hidden = isLocked;
      if (list.children[index] !== rowElement) list.insertBefore(rowElement, list.children[index] ?? null);
    }
    const isComplete = Array.isArray(question.value) && question.value.length === values.length;
    list.classList.toggle("is-answered", isComplete);
    list.setAttribute("aria-label", question.processedTitle);
    keepButton.textContent = t("rankKeep");
    clearButton.textContent = t("clear");
    keepButton.hidden = isLocked || isComplete;
    clearButton.hidden = isLocked || !isComplete || question.isRequired;
    status.textContent = isComplete || isLocked ? "" : t("rankOpen");
  }

  show();
  return show;
}

const DRAG_END_EVENTS = ["pointerup", "pointercancel", "lostpointercapture"];
