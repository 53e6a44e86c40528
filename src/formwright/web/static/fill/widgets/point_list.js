// A line or an area: points of the device, recorded while walking, or typed.

import { area, distance } from "../geodesy.js";
import { addPendingWork } from "../local_files.js";
import { t } from "../texts.js";
import { button, element } from "../dom.js";
import { addMapPicker } from "./map_picker.js";
import { locateDevice, watchDevicePosition, formatPosition, parsePosition } from "./positions.js";

const MIN_DISTANCE_METRES = 5;

export function renderPointList(question, root) {
  const add = button("", () => addPendingWork(locate()), { id: question.inputId });
  const walk = button("", () => (stop ? endWalk() : beginWalk()));
  const undo = button("", () => set(current().slice(0, -1)));
  const clear = button("", () => set([]));
  const typed = element("textarea", {
    className: "sd-input points-list",
    rows: 3,
    autocomplete: "off",
    spellcheck: false,
  });
  const status = element("p", { className: "widget-status", role: "status" });
  const size = element("p", { className: "points-size" });
  const drawing = element("div", { className: "widget" });
  root.append(element("div", { className: "buttons" }, add, walk, undo, clear), drawing, size, status, typed);
  const current = () => (Array.isArray(question.value) ? question.value : []);
  const place = (point) => current().length < question.maxItems && set([...current(), point]);
  const showMap = addMapPicker(question, drawing, { shape: question.widget, points: current, place });
  typed.addEventListener("input", () => read(typed.value));
  typed.addEventListener("change", show);
  // Points keep their accuracy while others are typed.
  const known = new Map();
  let typing = false;
  let stop = null;

  function set(list) {
    question.unread = undefined;
    question.value = list.length ? list : undefined;
    show();
  }

  async function locate() {
    status.textContent = t("locating");
    const found = await locateDevice();
    if (found) set([...current(), found]);
    else status.textContent = t("noLocation");
  }

  function beginWalk() {
    let apart = MIN_DISTANCE_METRES;
    const end = watchDevicePosition((found) => {
      if (!root.isConnected || question.isReadOnly) return endWalk();
      if (!found) return void (status.textContent = t("noLocation"));
      const list = current();
      // Within its accuracy, the device seems to move while it rests.
      if (list.length && distance([list.at(-1), found]) < Math.max(apart, found.accuracy / 2)) return undefined;
      // Half as many points have the same shape, roughly, and leave room for the rest of the way.
      if (list.length >= question.maxItems) apart *= 2;
      const kept = list.length >= question.maxItems ? list.filter((_, at) => at % 2 === 0) : list;
      return set([...kept, found]);
    });
    const light = navigator.wakeLock?.request("screen").catch(() => null);
    stop = () => {
      end();
      light?.then((lock) => lock?.release());
    };
    show();
  }

  function endWalk() {
    stop?.();
    stop = null;
    show();
  }

  // Applied immediately, like all input. Unreadable lines stay visible, and prevent submitting.
  function read(text) {
    const lines = text.split("\n").filter((line) => line.trim());
    const found = lines.map((line) => known.get(line.trim()) ?? parsePosition(line));
    typing = true;
    question.unread = found.includes(undefined) ? text : undefined;
    question.value = question.unread === undefined && found.length ? found : undefined;
    typing = false;
  }

  function show() {
    const list = current();
    const locked = question.isReadOnly;
    for (const point of list) if (point.accuracy !== undefined) known.set(formatPosition(point), point);
    add.textContent = t("addPosition");
    walk.textContent = t(stop ? "stopWalk" : "walk");
    undo.textContent = t("undo");
    clear.textContent = t("clear");
    add.hidden = walk.hidden = locked || !navigator.geolocation;
    undo.hidden = clear.hidden = locked || !list.length;
    typed.placeholder = t("coordinates");
    typed.ariaLabel = `${question.processedTitle}: ${t("pointList")}`;
    typed.readOnly = locked;
    if (!typing) typed.value = question.unread ?? list.map(formatPosition).join("\n");
    size.textContent = list.length ? describeShape(question.widget, list) : "";
    const { accuracy } = list.at(-1) ?? {};
    status.textContent = [
      ...(stop ? [t("walking")] : []),
      ...(accuracy === undefined ? [] : [t("accuracy", accuracy)]),
    ].join(" · ");
    showMap();
  }

  show();
  return show;
}

/** Return the number of points, and the size: of an area with its perimeter, of a line its length. */
export function describeShape(shape, list) {
  const count = t("pointCount", amount(list.length));
  if (shape === "line") return list.length < 2 ? count : `${count} · ${lengthText(distance(list))}`;
  const size = list.length < 3 ? NaN : area(list);
  return Number.isFinite(size) ? `${count} · ${areaText(size)}` : count;
}

function lengthText(metres) {
  return metres < 1000 ? `${amount(metres)} m` : `${amount(metres / 1000)} km`;
}

function areaText(square) {
  if (square < 1e4) return `${amount(square)} m²`;
  return square < 1e6 ? `${amount(square / 1e4)} ha` : `${amount(square / 1e6)} km²`;
}

function amount(value) {
  const digits = Number.isInteger(value) ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: digits });
}
