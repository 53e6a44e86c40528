// A ranking: options in an order that people change by dragging, or with two buttons.

import { mediaElements } from "../media.js";
import { localizedLabel, t } from "../texts.js";
import { button, element } from "../dom.js";

export function renderRanking(question, root) {
  const list = element("ol", { className: "ranking" });
  const keep = button("", () => answer(order()), { id: question.inputId });
  const clear = button("", () => question.clearValue());
  const status = element("p", { className: "widget-status", role: "status" });
  root.append(list, element("div", { className: "buttons" }, keep, clear), status);
  const rows = new Map();

  /** The values in the order shown: that of the answer, then options that it does not have. */
  function order() {
    const values = question.options.map((option) => option.value);
    const ranked = Array.isArray(question.value) ? question.value.filter((value) => values.includes(value)) : [];
    return [...new Set([...ranked, ...values])];
  }

  const answer = (values) => (question.value = values);
  const filled = ({ value }) => question.optionTexts?.[value];

  function drawText(line, option) {
    const html = filled(option) ? filled(option).html : option.markup?.text;
    if (html) line.innerHTML = localizedLabel(html);
    else line.textContent = filled(option)?.text ?? localizedLabel(option.text);
    if (option.media) line.append(element("span", { className: "media" }, ...mediaElements(option.media)));
  }

  function move(value, by, pressed) {
    const values = order();
    const from = values.indexOf(value);
    const to = from + by;
    answer(values.toSpliced(from, 1).toSpliced(to, 0, value));
    const { text, up, down } = rows.get(value);
    (pressed.disabled ? (pressed === up ? down : up) : pressed).focus();
    status.textContent = t("rankMoved", text.textContent, to + 1, values.length);
  }

  function addRow(value) {
    const text = element("span", { className: "rank-text" });
    const up = button("↑", () => move(value, -1, up));
    const down = button("↓", () => move(value, 1, down));
    const grip = element("span", { className: "rank-grip", ariaHidden: "true" }, "⠿");
    const line = element("li", {}, grip, text, up, down);
    grip.addEventListener("pointerdown", (event) => drag(event, line));
    line.dataset.value = value;
    rows.set(value, { line, text, up, down, grip });
  }

  // The row follows the pointer through the list. The answer changes when it is released.
  function drag(event, line) {
    if (question.isReadOnly || event.button) return;
    event.preventDefault();
    const grip = event.currentTarget;
    grip.setPointerCapture(event.pointerId);
    line.classList.add("is-dragged");
    const follow = ({ clientY }) => {
      const others = [...list.children].filter((one) => one !== line);
      const place = others.filter((one) => one.getBoundingClientRect().top + one.offsetHeight / 2 < clientY).length;
      const isAbove = (one) => one.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING;
      // The others move: an element that is moved loses the pointer.
      for (const one of others.slice(0, place)) if (!isAbove(one)) line.before(one);
      for (const one of others.slice(place).reverse()) if (isAbove(one)) line.after(one);
    };
    const end = ({ type }) => {
      grip.removeEventListener("pointermove", follow);
      for (const name of DRAG_END_EVENTS) grip.removeEventListener(name, end);
      line.classList.remove("is-dragged");
      if (type === "pointerup") answer([...list.children].map((one) => one.dataset.value));
      else show();
    };
    grip.addEventListener("pointermove", follow);
    for (const name of DRAG_END_EVENTS) grip.addEventListener(name, end);
  }

  function show() {
    const values = order();
    const options = new Map(question.options.map((option) => [option.value, option]));
    const locked = question.isReadOnly;
    for (const [place, value] of values.entries()) {
      if (!rows.has(value)) addRow(value);
      const { line, text, up, down, grip } = rows.get(value);
      drawText(text, options.get(value));
      up.ariaLabel = t("rankUp", text.textContent);
      down.ariaLabel = t("rankDown", text.textContent);
      up.disabled = place === 0;
      down.disabled = place === values.length - 1;
      up.hidden = down.hidden = grip.hidden = locked;
      if (list.children[place] !== line) list.insertBefore(line, list.children[place] ?? null);
    }
    const done = Array.isArray(question.value) && question.value.length === values.length;
    list.classList.toggle("is-answered", done);
    list.setAttribute("aria-label", question.processedTitle);
    keep.textContent = t("rankKeep");
    clear.textContent = t("clear");
    keep.hidden = locked || done;
    clear.hidden = locked || !done || question.isRequired;
    status.textContent = done || locked ? "" : t("rankOpen");
  }

  show();
  return show;
}

const DRAG_END_EVENTS = ["pointerup", "pointercancel", "lostpointercapture"];
