// A map with its background: the operator's PMTiles file, tiles of the operator's server, or outlines of countries.

import L from "leaflet";
import { feature } from "topojson-client";
import { createElement } from "./dom.js";

const WORLD_OFFSETS = [-360, 0, 360];

export { L };

export async function createMap(element, options = {}) {
  const isMotionReduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = L.map(element, {
    fadeAnimation: false,
    zoomAnimation: !isMotionReduced,
    minZoom: 1,
    maxZoom: 18,
    worldCopyJump: true,
    ...options,
  });
  map.attributionControl.setPrefix(false);
  // The attribution is the operator's text, and Leaflet would take it as HTML.
  await addBackground(map, element.dataset, escapeHtml(element.dataset.attribution));
  return map;
}

// Without a network, the file is out of reach, and outlines may be on this device. People can place points without either.
async function addBackground(map, { file, tiles, outlines }, attribution) {
  if (file) {
    const isAdded = await addPmtiles(map, file, attribution).then(
      () => true,
      () => false,
    );
    if (isAdded) return;
  }
  if (!file && tiles) L.tileLayer(tiles, { attribution, maxZoom: 18 }).addTo(map);
  else await addOutlines(map, outlines).catch(() => {});
}

function escapeHtml(text) {
  return createElement("span", { text }).innerHTML;
}

async function addPmtiles(map, file, attribution) {
  const { leafletLayer, PmtilesSource } = await import("protomaps-leaflet");
  // The file may end at any zoom; its last tiles are enlarged from there on.
  const url = new PmtilesSource(file, true).p;
  const { maxZoom: maxDataZoom } = await url.getHeader();
  const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark";
  const draw = () => {
    const more = attribution ? { attribution } : {};
    return leafletLayer({ url, maxDataZoom, flavor: isDark() ? "dark" : "light", lang: "en", ...more }).addTo(map);
  };
  let layer = draw();
  const redraw = () => {
    layer.remove();
    layer = draw();
  };
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

// The outlines are drawn three times, so that places on both sides of the date line can be seen together.
async function addOutlines(map, url) {
  const topology = await (await fetch(url)).json();
  const countries = feature(topology, topology.objects.countries);
  for (const { geometry } of countries.features) {
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    for (const polygon of polygons) for (const ring of polygon) continueBeyondDateLine(ring);
  }
  for (const shift of WORLD_OFFSETS) {
    const coordsToLatLng = ([longitude, latitude]) => L.latLng(latitude, longitude + shift);
    // Each layer gets the options, also the class, which is one of paths.
    const options = /** @type {any} */ ({ coordsToLatLng, interactive: false, className: "map-land" });
    L.geoJSON(countries, options).addTo(map);
  }
  map.attributionControl.addAttribution("Natural Earth");
}

// Rings that cross the date line jump from 180° to -180°. They continue beyond it instead, and one around the pole is
// closed along the edge of the map.
function continueBeyondDateLine(ring) {
  let shift = 0;
  let previousLongitude = ring[0][0];
  for (const point of ring) {
    const longitude = point[0];
    shift += 360 * Math.round((previousLongitude - longitude) / 360);
    previousLongitude = longitude;
    point[0] += shift;
  }
  if (shift) ring.push([ring.at(-1)[0], -85], [ring[0][0], -85]);
}

// Show all of these positions. Outlines show too little of the surroundings to zoom in further.
export function fitPositions(map, positions) {
  const { file, tiles } = map.getContainer().dataset;
  map.fitBounds(computeBounds(positions), { padding: [32, 32], maxZoom: file || tiles ? 14 : 6, animate: false });
}

// The smallest box around positions; it may cross the date line, and east is greater than west.
function computeBounds(positions) {
  const longitudes = [...new Set(positions.map(({ longitude }) => longitude))].sort((a, b) => a - b);
  let [west, east] = [longitudes[0], longitudes.at(-1)];
  let widest = west + 360 - east;
  for (let index = 1; index < longitudes.length; index++) {
    const gap = longitudes[index] - longitudes[index - 1];
    if (gap > widest) [widest, west, east] = [gap, longitudes[index], longitudes[index - 1] + 360];
  }
  let [south, north] = [90, -90];
  for (const { latitude } of positions) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return L.latLngBounds([clampLatitude(south), west], [clampLatitude(north), east]);
}

// Return a layer with a line or an area; null for a point. Each point is in the copy of the world nearest to the one before.
export function createShapeLayer(map, shape, points) {
  if (shape === "point" || !points.length) return null;
  let previousLongitude = nearestLongitude(map, points[0].longitude);
  const latLngs = points.map(({ latitude, longitude }) => {
    previousLongitude = longitude + 360 * Math.round((previousLongitude - longitude) / 360);
    return [clampLatitude(latitude), previousLongitude];
  });
  return shape === "area"
    ? L.polygon(latLngs, { className: "map-shape map-area", interactive: false })
    : L.polyline(latLngs, { className: "map-shape", interactive: false });
}

// Mercator's projection ends before the poles.
export function clampLatitude(latitude) {
  return Math.max(-85, Math.min(85, latitude));
}

// The same longitude in the copy of the world that is nearest to the centre of the map.
export function nearestLongitude(map, longitude) {
  return longitude + 360 * Math.round((map.getCenter().lng - longitude) / 360);
}
