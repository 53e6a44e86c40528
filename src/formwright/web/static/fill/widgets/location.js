// The location: from the device, or typed.

import { addPendingWork } from "../local_files.js";
import { t } from "../texts.js";
import { button, element } from "../dom.js";
import { addMapPicker } from "./map_picker.js";
import { locateDevice, formatPosition, parsePosition } from "./positions.js";

export function renderLocation(question, root) {
  const locateButton = button("", () => addPendingWork(locate()), { id: question.inputId });
  const input = element("input", { className: "sd-input", inputMode: "text", autocomplete: "off" });
  const status = element("p", { className: "widget-status", role: "status" });
  root.append(locateButton, input, status);
  const showMap = addMapPicker(question, root, {
    shape: "location",
    points: () => (question.value ? [question.value] : []),
    place: setPosition,
  });
  let isTyping = false;
  input.addEventListener("input", () => readWhileTyping(input.value));
  input.addEventListener("change", () => readTyped(input.value));

  async function locate() {
    status.textContent = t("locating");
    const position = await locateDevice();
    if (position) setPosition(position);
    else status.textContent = t("noLocation");
  }

  function setPosition(position) {
    question.unread = undefined;
    question.value = position;
    show();
  }

  // Applied immediately, like all input; it is formatted when the field loses focus.
  function readWhileTyping(text) {
    isTyping = true;
    setFromText(text);
    isTyping = false;
  }

  function readTyped(text) {
    setFromText(text);
    show();
    if (question.unread) status.textContent = t("coordinates");
  }

  function setFromText(text) {
    const position = parsePosition(text);
    // Unreadable input stays visible, and prevents submitting.
    question.unread = position || !text.trim() ? undefined : text;
    question.value = position;
  }

  function show() {
    const { latitude, accuracy } = question.value ?? {};
    locateButton.textContent = t("locate");
    locateButton.hidden = question.isReadOnly || !navigator.geolocation;
    input.placeholder = t("coordinates");
    input.ariaLabel = `${question.processedTitle}: ${t("coordinates")}`;
    input.readOnly = question.isReadOnly;
    if (!isTyping) input.value = latitude === undefined ? (question.unread ?? "") : formatPosition(question.value);
    status.textContent = accuracy === undefined ? "" : t("accuracy", accuracy);
    showMap();
  }

  show();
  return show;
}
