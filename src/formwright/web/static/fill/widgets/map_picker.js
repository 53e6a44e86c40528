// A map on which people place points: with a tap, or with the keyboard. Its library is loaded when a map is first opened.

import { addPendingWork } from "../local_files.js";
import { t } from "../texts.js";
import { button, element } from "../dom.js";
import { roundDegrees, locateDevice } from "./positions.js";

const CLOSE_ZOOM = 15;
let basemap = null;
let library = null;

/** The background of maps: what the server has for it, or nothing. */
export const setBasemap = (given) => (basemap = given ?? null);

/**
 * Add a button that opens the map below it. `shape` is "location", "line" or "area"; `points` returns the points,
 * `place` is called with a new one. Returns the function that updates the map.
 */
export function addMapPicker(question, root, { shape, points, place }) {
  const open = button("", () => addPendingWork(toggle()), { ariaExpanded: "false" });
  const area = element("div", { className: "map picker", hidden: true });
  const middle = button("", () => placeMiddle(), { hidden: true });
  const help = element("p", { className: "widget-status", hidden: true });
  let map = null;
  let drawn = null;
  if (basemap) root.append(open, area, middle, help);

  async function toggle() {
    const opened = area.hidden;
    area.hidden = help.hidden = !opened;
    open.ariaExpanded = String(opened);
    show();
    if (opened && !map) await begin();
    if (opened) area.focus();
  }

  async function begin() {
    Object.assign(area.dataset, {
      outlines: basemap.outlines,
      file: basemap.file,
      tiles: basemap.tiles,
      attribution: basemap.attribution,
    });
    const { createMap, fitPositions, L } = await (library ??= loadMapLibrary());
    map = await createMap(area, { scrollWheelZoom: false, doubleClickZoom: false });
    if (points().length) fitPositions(map, points());
    else map.setView([20, 0], 2);
    drawn = L.layerGroup().addTo(map);
    map.on("click", ({ latlng }) => add(latlng));
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.target !== area) return;
      event.preventDefault();
      placeMiddle();
    });
    show();
    if (!points().length) await centerOnDevice();
    area.dataset.ready = "";
  }

  // Only where the person is asked nothing: the button for the position of the device is next to the map.
  async function centerOnDevice() {
    const state = await navigator.permissions?.query({ name: "geolocation" }).catch(() => null);
    const found = state?.state === "granted" ? await locateDevice() : null;
    if (found && !points().length)
      map.setView([found.latitude, found.longitude], basemap.file || basemap.tiles ? CLOSE_ZOOM : 6);
  }

  const placeMiddle = () => map && add(map.getCenter());

  function add(latlng) {
    if (question.isReadOnly) return;
    const { lat, lng } = latlng.wrap();
    place({ latitude: roundDegrees(lat), longitude: roundDegrees(lng) });
  }

  function show() {
    const locked = question.isReadOnly;
    open.textContent = t(area.hidden ? "showMap" : "hideMap");
    middle.textContent = t("placeMiddle");
    middle.hidden = area.hidden || locked;
    help.textContent = locked ? "" : t("mapHelp");
    area.setAttribute("role", "group");
    area.ariaLabel = `${question.processedTitle}: ${t("map")}`;
    if (map) draw();
  }

  async function draw() {
    const { clampLatitude, createShapeLayer, L, nearestLongitude } = await library;
    drawn.clearLayers();
    createShapeLayer(map, shape === "location" ? "point" : shape, points())?.addTo(drawn);
    for (const { latitude, longitude } of points()) {
      const icon = L.divIcon({ className: "map-point", iconSize: [16, 16], html: "" });
      L.marker([clampLatitude(latitude), nearestLongitude(map, longitude)], {
        icon,
        interactive: false,
        keyboard: false,
      }).addTo(drawn);
    }
  }

  show();
  return show;
}

async function loadMapLibrary() {
  document.head.append(element("link", { rel: "stylesheet", href: basemap.styles }));
  return import("../../basemap.js");
}
