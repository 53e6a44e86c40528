// The tab "Map" of a form: clusters of submissions, pop-ups with their answers, and the list of those in view.

import L from "leaflet";
import { clampLatitude, createMap, createShapeLayer, fitPositions, nearestLongitude } from "./basemap.js";
import { byId, createElement, query } from "./dom.js";

const MAX_LISTED = 20;
const CELL_SIZE_PX = 64;
const TOUCHING_DISTANCE_PX = 44;

/** A position of a submission. `x` and `y` are where Mercator's projection draws it, as fractions of the world. */
class MapPoint {
  constructor(id, row, longitude, latitude) {
    this.id = id;
    this.row = row;
    this.longitude = longitude;
    this.latitude = latitude;
    const sine = Math.sin((clampLatitude(latitude) * Math.PI) / 180);
    this.x = longitude / 360 + 0.5;
    this.y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  }
}

const element = byId("map");
const summary = byId("map-summary");
const listTitle = byId("in-view-count");
const list = byId("in-view-list");
const formatCount = (number) => `${number.toLocaleString("en")} position${number === 1 ? "" : "s"}`;

const [points, map] = await Promise.all([loadPoints(), createMap(element)]);
const markers = L.layerGroup().addTo(map);
const shapes = L.layerGroup().addTo(map);
let listRequestCount = 0;

if (points) {
  if (points.length) fitPositions(map, points);
  else map.setView([20, 0], 2);
  map.on("moveend", drawClusters);
  element.addEventListener("keydown", (event) => event.key === "Escape" && map.closePopup());
  drawClusters();
  element.dataset.ready = "";
}

async function loadPoints() {
  try {
    const response = await fetch(element.dataset.points);
    if (!response.ok) throw new Error(String(response.status));
    const { points, complete, fault } = await response.json();
    if (fault) {
      summary.textContent = fault;
      summary.className = "notice bad";
      return null;
    }
    const found = [];
    for (let at = 0; at < points.length; at += 4) {
      if (points[at]) found.push(new MapPoint(points[at], points[at + 1], points[at + 2], points[at + 3]));
    }
    const none = points.length > 4 ? "None of these submissions has a position." : "No matching submissions.";
    const limit = ` Only ${Number(element.dataset.max).toLocaleString("en")} submissions are shown. Filter by date to see others.`;
    summary.textContent = (found.length ? `${formatCount(found.length)}.` : none) + (complete ? "" : limit);
    return found;
  } catch {
    summary.textContent = "The map couldn’t be loaded. Reload the page to try again.";
    return null;
  }
}

function drawClusters() {
  const clusters = mergeTouching(groupByCell());
  markers.clearLayers();
  for (const cluster of clusters) addMarker(cluster);
  listPointsInView(clusters);
}

// The positions in view, by the cells of a grid that stays in its place when the map moves. For 100,000 positions this takes
// less than building an index of all of them, and less than the browser takes to draw.
function groupByCell() {
  const zoom = map.getZoom();
  const scale = 256 * 2 ** zoom;
  const { min, max } = map.getPixelBounds();
  const [west, east, north, south] = [min.x / scale, max.x / scale, min.y / scale, max.y / scale];
  const middle = (west + east) / 2;
  const cells = new Map();
  for (const point of points) {
    const x = point.x + Math.round(middle - point.x);
    if (x < west || x > east || point.y < north || point.y > south) continue;
    const key = Math.floor((x * scale) / CELL_SIZE_PX) * 4194304 + Math.floor((point.y * scale) / CELL_SIZE_PX);
    const cell = cells.get(key);
    if (!cell) cells.set(key, { count: 1, x: x * scale, y: point.y * scale, points: [point] });
    else {
      cell.count += 1;
      cell.x += x * scale;
      cell.y += point.y * scale;
      cell.points.push(point);
    }
  }
  return [...cells.values()].map((cell) => ({ ...cell, x: cell.x / cell.count, y: cell.y / cell.count }));
}

// The largest clusters absorb those that their circles would cover.
function mergeTouching(cells) {
  const merged = [];
  for (const cell of cells.sort((a, b) => b.count - a.count)) {
    const near = merged.find((other) => Math.hypot(other.x - cell.x, other.y - cell.y) < TOUCHING_DISTANCE_PX);
    if (near) near.points = near.points.concat(cell.points);
    else merged.push(cell);
  }
  return merged;
}

function addMarker(cluster) {
  const count = cluster.points.length;
  const content = createElement("span", { text: count > 1 ? shortenCount(count) : "" });
  const size = count > 1 ? 32 + Math.min(24, 6 * Math.log10(count)) : 20;
  const icon = L.divIcon({ html: content, iconSize: [size, size], className: count > 1 ? "map-cluster" : "map-point" });
  const marker = L.marker(map.unproject([cluster.x, cluster.y]), { icon });
  const open = () => openCluster(marker, cluster.points);
  marker.on("click", open);
  marker.addTo(markers);
  marker
    .getElement()
    .setAttribute("aria-label", count > 1 ? formatCount(count) : `Position ${formatPosition(cluster.points[0])}`);
  marker.getElement().addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open();
  });
}

function shortenCount(count) {
  return count < 1000
    ? String(count)
    : count < 10_000
      ? `${(count / 1000).toFixed(1)}k`
      : `${Math.round(count / 1000)}k`;
}

function formatPosition({ longitude, latitude }) {
  const degrees = (value, positive, negative) => `${Math.abs(value).toFixed(5)}° ${value >= 0 ? positive : negative}`;
  return `${degrees(latitude, "N", "S")}, ${degrees(longitude, "E", "W")}`;
}

function openCluster(marker, points) {
  // Positions that are drawn at the same place stay together at any zoom.
  const isOnePlace = points.every(({ x, y }) => x === points[0].x && y === points[0].y);
  if (isOnePlace || map.getZoom() === map.getMaxZoom()) openPopup(marker, points.slice(0, MAX_LISTED), points.length);
  else {
    zoomTo(points);
    element.focus({ preventScroll: true });
  }
}

function zoomTo(points) {
  const bounds = L.latLngBounds(
    points.map((point) => [clampLatitude(point.latitude), nearestLongitude(map, point.longitude)]),
  );
  const zoom = map.getBoundsZoom(bounds, false, L.point(64, 64));
  map.setView(bounds.getCenter(), Math.min(map.getMaxZoom(), Math.max(zoom, map.getZoom() + 1)));
}

async function openPopup(marker, points, count) {
  const content = createElement("div", { class: "map-popup", text: "Loading…" });
  const popup = L.popup({ maxHeight: 280, minWidth: 200 })
    .setLatLng(marker.getLatLng())
    .setContent(content)
    .openOn(map);
  popup.on("remove", () => marker.getElement()?.focus({ preventScroll: true }));
  const more = count > points.length ? [createNote(`The first ${points.length} of ${formatCount(count)}.`)] : [];
  content.replaceChildren(...more, ...(await loadDetails(points)).map(createArticle));
  popup.update();
  query("a", HTMLElement, content)?.focus({ preventScroll: true });
}

async function loadDetails(points) {
  const ids = [...new Set(points.map((point) => `sub_${point.id}`))];
  if (!ids.length) return [];
  const search = new URLSearchParams(ids.map((id) => ["id", id]));
  const response = await fetch(`${element.dataset.details}&${search}`, { headers: { accept: "application/json" } });
  return response.ok ? await response.json() : [];
}

function createArticle({ url, title, status, answers }) {
  const link = createElement("a", { href: url, text: title });
  const heading = createElement("p", {}, link, ` · ${status[0]}${status.slice(1).toLowerCase()}`);
  const items = answers.flatMap(([label, text]) => [
    createElement("dt", { dir: "auto", text: label }),
    createElement("dd", { dir: "auto", text }),
  ]);
  return createElement("article", {}, heading, answers.length ? createElement("dl", {}, ...items) : null);
}

function createNote(text) {
  return createElement("p", { class: "muted", text });
}

// The text alternative of the map: the first positions in view, with the same answers as their pop-ups.
async function listPointsInView(clusters) {
  listRequestCount += 1;
  const requestNumber = listRequestCount;
  const total = clusters.reduce((sum, cluster) => sum + cluster.points.length, 0);
  const shown = clusters.flatMap((cluster) => cluster.points.slice(0, MAX_LISTED)).slice(0, MAX_LISTED);
  const details = new Map((await loadDetails(shown)).map((submission) => [submission.id, submission]));
  if (requestNumber !== listRequestCount) return; // The map has moved in the meantime.
  shapes.clearLayers();
  for (const { shape, places } of details.values()) {
    for (const pairs of places)
      createShapeLayer(
        map,
        shape,
        pairs.map(([longitude, latitude]) => ({ longitude, latitude })),
      )?.addTo(shapes);
  }
  const items = shown
    .filter((point) => details.has(`sub_${point.id}`))
    .map((point) => createListItem(point, details.get(`sub_${point.id}`)));
  list.replaceChildren(...items);
  listTitle.textContent =
    total > shown.length
      ? `The first ${shown.length} of ${formatCount(total)}. Zoom in to see others.`
      : `${formatCount(total)}.`;
}

function createListItem(point, submission) {
  const article = createArticle(submission);
  const row = point.row ? `Row ${point.row} · ` : "";
  article.firstElementChild.after(createNote(row + formatPosition(point)));
  return createElement("li", {}, article);
}
