// The location: from the device, or typed.

import { addPending } from "../local_files.js";
import { say } from "../texts.js";
import { button, element } from "./element.js";

const PATIENCE = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 0 };

export function location(question, root) {
  const locate = button("", () => addPending(find()), { id: question.inputId });
  const typed = element("input", { className: "sd-input", inputMode: "text", autocomplete: "off" });
  const status = element("p", { className: "widget-status", role: "status" });
  root.append(locate, typed, status);
  let typing = false;
  typed.addEventListener("input", () => keep(typed.value));
  typed.addEventListener("change", () => type(typed.value));

  async function find() {
    status.textContent = say("locating");
    const position = await whereWeAre();
    if (position) setPosition(position);
    else status.textContent = say("noLocation");
  }

  function setPosition({ coords }) {
    question.unread = undefined;
    const { latitude, longitude, accuracy } = coords;
    question.value = { latitude: exact(latitude), longitude: exact(longitude), accuracy: Math.round(accuracy) };
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
    if (question.unread) status.textContent = say("coordinates");
  }

  function take(text) {
    const [latitude, longitude, ...more] = read(text);
    const sound = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !more.length;
    // Unreadable input stays visible, and prevents submitting.
    question.unread = sound || !text.trim() ? undefined : text;
    question.value = sound ? { latitude, longitude } : undefined;
  }

  function show() {
    const { latitude, longitude, accuracy } = question.value ?? {};
    locate.textContent = say("locate");
    locate.hidden = question.isReadOnly || !navigator.geolocation;
    typed.placeholder = say("coordinates");
    typed.ariaLabel = `${question.processedTitle}: ${say("coordinates")}`;
    typed.readOnly = question.isReadOnly;
    if (!typing) typed.value = latitude === undefined ? (question.unread ?? "") : `${latitude}, ${longitude}`;
    status.textContent = accuracy === undefined ? "" : say("accuracy", accuracy);
  }

  show();
  return show;
}

// Some browsers report nothing while the user ignores the permission prompt; a late result belongs to no form any more.
function whereWeAre() {
  return new Promise((resolve) => {
    setTimeout(resolve, 1.5 * PATIENCE.timeout, null);
    navigator.geolocation.getCurrentPosition(resolve, () => resolve(null), PATIENCE);
  });
}

// Next to a space or a semicolon, a comma may be a decimal comma: "53,54; 9,99".
function read(text) {
  const apart = text.trim().split(/\s*[;\s]\s*|,\s+/).map((part) => part.replace(/,$/, ""));
  const parts = apart.length > 1 ? apart.map((part) => part.replace(",", ".")) : text.split(",");
  return parts.filter((part) => part.trim()).map(Number);
}

// Six decimals are about ten centimetres.
const exact = (degrees) => Number(degrees.toFixed(6));
