// A map on which people place points: with a tap, or with the keyboard. Its library is loaded when a map is first opened.

import { addPendingWork } from "../local_files.js";
import { t } from "../texts.js";
import { button, element } from "../dom.js";
import { roundDegrees, locateDevice } from "./positions.js";

const CLOSE_ZOOM = 15;
let basemap = null;
let mapLibrary = null;

/** The background of maps: what the server has for it, or nothing. */
export const setBasemap = (settings) => (basemap = settings ?? null);

/**
 * Add a button that opens the map below it. `shape` is "location", "line" or "area"; `points` returns the points,
 * `place` is called with a new one. Returns the function that updates the map.
 */
export function addMapPicker(question, root, { shape, points, place }) {
  const toggleButton = button("", () => addPendingWork(toggle()), { ariaExpanded: "false" });
  const area = element("div", { className: "map picker", hidden: true });
  const centerButton = button("", () => placeAtCenter(), { hidden: true });
  const help = element("p", { className: "widget-status", hidden: true });
  let map = null;
  let layer = null;
  if (basemap) root.append(toggleButton, area, centerButton, help);

  async function toggle() {
    const isOpening = area.hidden;
    area.hidden = help.hidden = !isOpening;
    toggleButton.ariaExpanded = String(isOpening);
    show();
    if (isOpening && !map) await createPickerMap();
    if (isOpening) area.focus();
  }

  async function createPickerMap() {
    Object.assign(area.dataset, {
      outlines: basemap.outlines,
      file: basemap.file,
      tiles: basemap.tiles,
      attribution: basemap.attribution,
    });
    mapLibrary ??= loadMapLibrary();
    const { createMap, fitPositions, L } = await mapLibrary;
    map = await createMap(area, { scrollWheelZoom: false, doubleClickZoom: false });
    if (points().length) fitPositions(map, points());
    else map.setView([20, 0], 2);
    layer = L.layerGroup().addTo(map);
    map.on("click", ({ latlng }) => addPoint(latlng));
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.target !== area) return;
      event.preventDefault();
      placeAtCenter();
    });
    show();
    if (!points().length) await centerOnDevice();
    area.dataset.ready = "";
  }

  // Only where the person is asked nothing: the button for the position of the device is next to the map.
  async function centerOnDevice() {
    const state = await navigator.permissions?.query({ name: "geolocation" }).catch(() => null);
    const position = state?.state === "granted" ? await locateDevice() : null;
    if (position && !points().length)
      map.setView([position.latitude, position.longitude], basemap.file || basemap.tiles ? CLOSE_ZOOM : 6);
  }

  const placeAtCenter = () => map && addPoint(map.getCenter());

  function addPoint(latlng) {
    if (question.isReadOnly) return;
    const { lat, lng } = latlng.wrap();
    place({ latitude: roundDegrees(lat), longitude: roundDegrees(lng) });
  }

  function show() {
    const isLocked = question.isReadOnly;
    toggleButton.textContent = t(area.hidden ? "showMap" : "hideMap");
    centerButton.textContent = t("placeMiddle");
    centerButton.hidden = area.hidden || isLocked;
    help.textContent = isLocked ? "" : t("mapHelp");
    area.setAttribute("role", "group");
    area.ariaLabel = `${question.processedTitle}: ${t("map")}`;
    if (map) drawPoints();
  }

  async function drawPoints() {
    const { clampLatitude, createShapeLayer, L, nearestLongitude } = await mapLibrary;
    layer.clearLayers();
    createShapeLayer(map, shape === "location" ? "point" : shape, points())?.addTo(layer);
    for (const { latitude, longitude } of points()) {
      const icon = L.divIcon({ className: "map-point", iconSize: [16, 16], html: "" });
      L.marker([clampLatitude(latitude), nearestLongitude(map, longitude)], {
        icon,
        interactive: false,
        keyboard: false,
      }).addTo(layer);
    }
  }

  show();
  return show;
}

async function loadMapLibrary() {
  document.head.append(element("link", { rel: "stylesheet", href: basemap.styles }));
  return import("../../basemap.js");
}
