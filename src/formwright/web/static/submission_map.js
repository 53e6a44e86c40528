// The locations, lines and areas of a submission on a small map. The answers next to it contain them as text.

import L from "leaflet";
import { clampLatitude, createMap, createShapeLayer, nearestLongitude, fitPositions } from "./basemap.js";
import { byId } from "./dom.js";

const element = byId("map");
const toPositions = (pairs) => pairs.map(([longitude, latitude]) => ({ longitude, latitude }));
const shapes = JSON.parse(element.dataset.shapes).map(([shape, pairs]) => ({ shape, points: toPositions(pairs) }));
const map = await createMap(element, { scrollWheelZoom: false });
fitPositions(
  map,
  shapes.flatMap(({ points }) => points),
);
for (const { shape, points } of shapes) {
  createShapeLayer(map, shape, points)?.addTo(map);
  if (shape !== "point") continue;
  const [{ longitude, latitude }] = points;
  const icon = L.divIcon({ className: "map-point", iconSize: [20, 20], html: "" });
  L.marker([clampLatitude(latitude), nearestLongitude(map, longitude)], {
    icon,
    interactive: false,
    keyboard: false,
  }).addTo(map);
}
element.dataset.ready = "";
