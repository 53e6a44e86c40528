// The tab "Map" of a form: clusters of submissions, pop-ups with their answers, and the list of those in view.

import L from "leaflet";
import { clamp, createMap, drawShape, nearest, show } from "./basemap.js";

const LISTED = 20;
const CELL = 64;
const TOUCHING = 44;

const element = document.getElementById("map");
const summary = document.getElementById("map-summary");
const listTitle = document.getElementById("in-view-count");
const list = document.getElementById("in-view-list");
const formatCount = (number) => `${number.toLocaleString("en")} position${number === 1 ? "" : "s"}`;

const [points, map] = await Promise.all([loadPoints(), createMap(element)]);
const markers = L.layerGroup().addTo(map);
const shapes = L.layerGroup().addTo(map);
let listing = 0;

if (points) {
  if (points.length) show(map, points);
  else map.setView([20, 0], 2);
  map.on("moveend", draw);
  element.addEventListener("keydown", (event) => event.key === "Escape" && map.closePopup());
  draw();
  element.dataset.ready = "";
}

async function loadPoints() {
  try {
    const answer = await fetch(element.dataset.points);
    if (!answer.ok) throw new Error(answer.status);
    const { points, complete, fault } = await answer.json();
    if (fault) {
      summary.textContent = fault;
      summary.className = "notice bad";
      return null;
    }
    const found = [];
    for (let at = 0; at < points.length; at += 4) {
      if (points[at]) found.push(new Point(points[at], points[at + 1], points[at + 2], points[at + 3]));
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

// `x` and `y` are where Mercator's projection draws it, as fractions of the world.
function Point(id, row, longitude, latitude) {
  this.id = id;
  this.row = row;
  this.longitude = longitude;
  this.latitude = latitude;
  const sine = Math.sin((clamp(latitude) * Math.PI) / 180);
  this.x = longitude / 360 + 0.5;
  this.y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

function draw() {
  const clusters = mergeTouching(groupByCell());
  markers.clearLayers();
  for (const one of clusters) addMarker(one);
  listView(clusters);
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
    const key = Math.floor((x * scale) / CELL) * 4194304 + Math.floor((point.y * scale) / CELL);
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
    const near = merged.find((other) => Math.hypot(other.x - cell.x, other.y - cell.y) < TOUCHING);
    if (near) near.points = near.points.concat(cell.points);
    else merged.push(cell);
  }
  return merged;
}

function addMarker(cluster) {
  const count = cluster.points.length;
  const content = document.createElement("span");
  content.textContent = count > 1 ? shorten(count) : "";
  const size = count > 1 ? 32 + Math.min(24, 6 * Math.log10(count)) : 20;
  const icon = L.divIcon({ html: content, iconSize: [size, size], className: count > 1 ? "map-cluster" : "map-point" });
  const marker = L.marker(map.unproject([cluster.x, cluster.y]), { icon });
  const open = () => openMarker(marker, cluster.points);
  marker.on("click", open);
  marker.addTo(markers);
  marker
    .getElement()
    .setAttribute("aria-label", count > 1 ? formatCount(count) : `Position ${place(cluster.points[0])}`);
  marker.getElement().addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open();
  });
}

function shorten(count) {
  return count < 1000
    ? String(count)
    : count < 10_000
      ? `${(count / 1000).toFixed(1)}k`
      : `${Math.round(count / 1000)}k`;
}

function place({ longitude, latitude }) {
  const degrees = (value, positive, negative) => `${Math.abs(value).toFixed(5)}° ${value >= 0 ? positive : negative}`;
  return `${degrees(latitude, "N", "S")}, ${degrees(longitude, "E", "W")}`;
}

function openMarker(marker, members) {
  // Positions that are drawn at the same place stay together at any zoom.
  const isOnePlace = members.every(({ x, y }) => x === members[0].x && y === members[0].y);
  if (isOnePlace || map.getZoom() === map.getMaxZoom()) openPopup(marker, members.slice(0, LISTED), members.length);
  else {
    zoomTo(members);
    element.focus({ preventScroll: true });
  }
}

function zoomTo(members) {
  const bounds = L.latLngBounds(members.map((one) => [clamp(one.latitude), nearest(map, one.longitude)]));
  const zoom = map.getBoundsZoom(bounds, false, L.point(64, 64));
  map.setView(bounds.getCenter(), Math.min(map.getMaxZoom(), Math.max(zoom, map.getZoom() + 1)));
}

async function openPopup(marker, members, count) {
  const content = document.createElement("div");
  content.className = "map-popup";
  content.textContent = "Loading…";
  const popup = L.popup({ maxHeight: 280, minWidth: 200 })
    .setLatLng(marker.getLatLng())
    .setContent(content)
    .openOn(map);
  popup.on("remove", () => marker.getElement()?.focus({ preventScroll: true }));
  const more = count > members.length ? [note(`The first ${members.length} of ${formatCount(count)}.`)] : [];
  content.replaceChildren(...more, ...(await loadDetails(members)).map(article));
  popup.update();
  content.querySelector("a")?.focus({ preventScroll: true });
}

async function loadDetails(members) {
  const ids = [...new Set(members.map((one) => `sub_${one.id}`))];
  if (!ids.length) return [];
  const query = new URLSearchParams(ids.map((id) => ["id", id]));
  const answer = await fetch(`${element.dataset.details}&${query}`, { headers: { accept: "application/json" } });
  return answer.ok ? await answer.json() : [];
}

function article({ url, title, status, answers }) {
  const made = document.createElement("article");
  const heading = document.createElement("p");
  const link = document.createElement("a");
  link.href = url;
  link.textContent = title;
  heading.append(link, ` · ${status[0]}${status.slice(1).toLowerCase()}`);
  const answered = document.createElement("dl");
  for (const [label, text] of answers) {
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.dir = description.dir = "auto";
    term.textContent = label;
    description.textContent = text;
    answered.append(term, description);
  }
  made.append(heading, ...(answers.length ? [answered] : []));
  return made;
}

function note(text) {
  const made = document.createElement("p");
  made.className = "muted";
  made.textContent = text;
  return made;
}

// The text alternative of the map: the first positions in view, with the same answers as their pop-ups.
async function listView(clusters) {
  const mine = ++listing;
  const total = clusters.reduce((sum, one) => sum + one.points.length, 0);
  const shown = clusters.flatMap((one) => one.points.slice(0, LISTED)).slice(0, LISTED);
  const details = new Map((await loadDetails(shown)).map((one) => [one.id, one]));
  if (mine !== listing) return; // The map has moved in the meantime.
  shapes.clearLayers();
  for (const { shape, places } of details.values()) {
    for (const pairs of places)
      drawShape(
        map,
        shape,
        pairs.map(([longitude, latitude]) => ({ longitude, latitude })),
      )?.addTo(shapes);
  }
  const items = shown.filter((one) => details.has(`sub_${one.id}`)).map(listItem(details));
  list.replaceChildren(...items);
  listTitle.textContent =
    total > shown.length
      ? `The first ${shown.length} of ${formatCount(total)}. Zoom in to see others.`
      : `${formatCount(total)}.`;
}

function listItem(details) {
  return (one) => {
    const item = document.createElement("li");
    const made = article(details.get(`sub_${one.id}`));
    const row = one.row ? `Row ${one.row} · ` : "";
    made.firstChild.after(note(row + place(one)));
    item.append(made);
    return item;
  };
}
