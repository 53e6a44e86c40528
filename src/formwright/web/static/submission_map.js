// The locations, lines and areas of a submission on a small map. The answers next to it contain them as text.

import L from "leaflet";
import { clamp, createMap, drawShape, nearest, show } from "./basemap.js";

const element = document.getElementById("map");
const toPositions = (pairs) => pairs.map(([longitude, latitude]) => ({ longitude, latitude }));
const shapes = JSON.parse(element.dataset.shapes).map(([shape, pairs]) => ({ shape, points: toPositions(pairs) }));
const map = await createMap(element, { scrollWheelZoom: false });
show(
  map,
  shapes.flatMap(({ points }) => points),
);
for (const { shape, points } of shapes) {
  drawShape(map, shape, points)?.addTo(map);
  if (shape !== "point") continue;
  const [{ longitude, latitude }] = points;
  const icon = L.divIcon({ className: "map-point", iconSize: [20, 20], html: "" });
  L.marker([clamp(latitude), nearest(map, longitude)], { icon, interactive: false, keyboard: false }).addTo(map);
}
element.dataset.ready = "";
