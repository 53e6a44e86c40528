// The location: from the device, or typed.

import { addPendingWork } from "../local_files.js";
import { t } from "../texts.js";
import { button, element } from "../dom.js";
import { addMapPicker } from "./map_picker.js";
import { locateDevice, formatPosition, parsePosition } from "./positions.js";

export function renderLocation(question, root) {
  const locate = button("", () => addPendingWork(find()), { id: question.inputId });
  const typed = element("input", { className: "sd-input", inputMode: "text", autocomplete: "off" });
  const status = element("p", { className: "widget-status", role: "status" });
  root.append(locate, typed, status);
  const showMap = addMapPicker(question, root, {
    shape: "location",
    points: () => (question.value ? [question.value] : []),
    place: setPosition,
  });
  let typing = false;
  typed.addEventListener("input", () => keep(typed.value));
  typed.addEventListener("change", () => type(typed.value));

  async function find() {
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
  function keep(text) {
    typing = true;
    take(text);
    typing = false;
  }

  function type(text) {
    take(text);
    show();
    if (question.unread) status.textContent = t("coordinates");
  }

  function take(text) {
    const position = parsePosition(text);
    // Unreadable input stays visible, and prevents submitting.
    question.unread = position || !text.trim() ? undefined : text;
    question.value = position;
  }

  function show() {
    const { latitude, accuracy } = question.value ?? {};
    locate.textContent = t("locate");
    locate.hidden = question.isReadOnly || !navigator.geolocation;
    typed.placeholder = t("coordinates");
    typed.ariaLabel = `${question.processedTitle}: ${t("coordinates")}`;
    typed.readOnly = question.isReadOnly;
    if (!typing) typed.value = latitude === undefined ? (question.unread ?? "") : formatPosition(question.value);
    status.textContent = accuracy === undefined ? "" : t("accuracy", accuracy);
    showMap();
  }

  show();
  return show;
}
