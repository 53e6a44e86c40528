// The locations of a submission on a small map. The answers next to it contain them as text.

import { clamp, createMap, nearest, show } from "./basemap.js";

const { L } = window;
const element = document.getElementById("map");
const positions = JSON.parse(element.dataset.positions).map(([longitude, latitude]) => ({ longitude, latitude }));
const map = await createMap(element, { scrollWheelZoom: false });
show(map, positions);
for (const { longitude, latitude } of positions) {
  const icon = L.divIcon({ className: "map-point", iconSize: [20, 20], html: "" });
  L.marker([clamp(latitude), nearest(map, longitude)], { icon, interactive: false, keyboard: false }).addTo(map);
}
element.dataset.ready = "";
