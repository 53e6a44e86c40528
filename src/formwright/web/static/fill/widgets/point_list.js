// A line or an area: points of the device, recorded while walking, or typed.

import { area, distance } from "../geodesy.js";
import { addPendingWork } from "../local_files.js";
import { t } from "../texts.js";
import { button, element } from "../dom.js";
import { addMapPicker } from "./map_picker.js";
import { locateDevice, watchDevicePosition, formatPosition, parsePosition } from "./positions.js";

const MIN_DISTANCE_METRES = 5;

export function renderPointList(question, root) {
  const addButton = button("", () => addPendingWork(locate()), { id: question.inputId });
  const walkButton = button("", () => (stopWalk ? endWalk() : beginWalk()));
  const undoButton = button("", () => setPoints(currentPoints().slice(0, -1)));
  const clearButton = button("", () => setPoints([]));
  const textarea = element("textarea", {
    className: "sd-input points-list",
    rows: 3,
    autocomplete: "off",
    spellcheck: false,
  });
  const status = element("p", { className: "widget-status", role: "status" });
  const sizeText = element("p", { className: "points-size" });
  const drawing = element("div", { className: "widget" });
  root.append(
    element("div", { className: "buttons" }, addButton, walkButton, undoButton, clearButton),
    drawing,
    sizeText,
    status,
    textarea,
  );
  const currentPoints = () => (Array.isArray(question.value) ? question.value : []);
  const addPoint = (point) => currentPoints().length < question.maxItems && setPoints([...currentPoints(), point]);
  const showMap = addMapPicker(question, drawing, { shape: question.widget, points: currentPoints, place: addPoint });
  textarea.addEventListener("input", () => readTyped(textarea.value));
  textarea.addEventListener("change", show);
  // Points keep their accuracy while others are typed.
  const pointsByText = new Map();
  let isTyping = false;
  let stopWalk = null;

  function setPoints(list) {
    question.unread = undefined;
    question.value = list.length ? list : undefined;
    show();
  }

  async function locate() {
    status.textContent = t("locating");
    const found = await locateDevice();
    if (found) setPoints([...currentPoints(), found]);
    else status.textContent = t("noLocation");
  }

  function beginWalk() {
    let minDistance = MIN_DISTANCE_METRES;
    const end = watchDevicePosition((found) => {
      if (!root.isConnected || question.isReadOnly) return endWalk();
      if (!found) {
        status.textContent = t("noLocation");
        return undefined;
      }
      const list = currentPoints();
      // Within its accuracy, the device seems to move while it rests.
      if (list.length && distance([list.at(-1), found]) < Math.max(minDistance, found.accuracy / 2)) return undefined;
      // Half as many points have the same shape, roughly, and leave room for the rest of the way.
      if (list.length >= question.maxItems) minDistance *= 2;
      const kept = list.length >= question.maxItems ? list.filter((_, at) => at % 2 === 0) : list;
      return setPoints([...kept, found]);
    });
    const wakeLock = navigator.wakeLock?.request("screen").catch(() => null);
    stopWalk = () => {
      end();
      wakeLock?.then((lock) => lock?.release());
    };
    show();
  }

  function endWalk() {
    stopWalk?.();
    stopWalk = null;
    show();
  }

  // Applied immediately, like all input. Unreadable lines stay visible, and prevent submitting.
  function readTyped(text) {
    const lines = text.split("\n").filter((line) => line.trim());
    const found = lines.map((line) => pointsByText.get(line.trim()) ?? parsePosition(line));
    isTyping = true;
    question.unread = found.includes(undefined) ? text : undefined;
    question.value = question.unread === undefined && found.length ? found : undefined;
    isTyping = false;
  }

  function show() {
    const list = currentPoints();
    const isLocked = question.isReadOnly;
    for (const point of list) if (point.accuracy !== undefined) pointsByText.set(formatPosition(point), point);
    addButton.textContent = t("addPosition");
    walkButton.textContent = t(stopWalk ? "stopWalk" : "walk");
    undoButton.textContent = t("undo");
    clearButton.textContent = t("clear");
    addButton.hidden = walkButton.hidden = isLocked || !navigator.geolocation;
    undoButton.hidden = clearButton.hidden = isLocked || !list.length;
    textarea.placeholder = t("coordinates");
    textarea.ariaLabel = `${question.processedTitle}: ${t("pointList")}`;
    textarea.readOnly = isLocked;
    if (!isTyping) textarea.value = question.unread ?? list.map(formatPosition).join("\n");
    sizeText.textContent = list.length ? describeShape(question.widget, list) : "";
    const { accuracy } = list.at(-1) ?? {};
    status.textContent = [
      ...(stopWalk ? [t("walking")] : []),
      ...(accuracy === undefined ? [] : [t("accuracy", accuracy)]),
    ].join(" · ");
    showMap();
  }

  show();
  return show;
}

/** Return the number of points, and the size: of an area with its perimeter, of a line its length. */
export function describeShape(shape, list) {
  const count = t("pointCount", formatAmount(list.length));
  if (shape === "line") return list.length < 2 ? count : `${count} · ${formatLength(distance(list))}`;
  const squareMetres = list.length < 3 ? NaN : area(list);
  return Number.isFinite(squareMetres) ? `${count} · ${formatArea(squareMetres)}` : count;
}

function formatLength(metres) {
  return metres < 1000 ? `${formatAmount(metres)} m` : `${formatAmount(metres / 1000)} km`;
}

function formatArea(squareMetres) {
  if (squareMetres < 1e4) return `${formatAmount(squareMetres)} m²`;
  return squareMetres < 1e6 ? `${formatAmount(squareMetres / 1e4)} ha` : `${formatAmount(squareMetres / 1e6)} km²`;
}

function formatAmount(value) {
  const digits = Number.isInteger(value) ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: digits });
}
