// Shows a photo of the gallery in a larger view. The arrow keys lead to its neighbours; without JavaScript, a click
// downloads the photo.

import { byId, query, queryAll } from "./dom.js";

const photos = queryAll("[data-photo]", HTMLAnchorElement);
const viewer = byId("viewer", HTMLDialogElement);
const image = query("img", HTMLImageElement, viewer);
const stepButtons = queryAll("[data-step]", HTMLButtonElement, viewer);
let currentIndex = 0;

function showPhoto(index) {
  currentIndex = index;
  const photo = photos[index];
  image.src = photo.href;
  image.alt = query("img", HTMLImageElement, photo).alt;
  byId("viewer-caption").textContent = `${photo.dataset.caption} (${index + 1} of ${photos.length})`;
  query("[data-open]", HTMLAnchorElement, viewer).href = photo.dataset.submission;
  query("[data-download]", HTMLAnchorElement, viewer).href = photo.href;
  for (const button of stepButtons) button.disabled = !photos[index + Number(button.dataset.step)];
  if (!viewer.open) viewer.showModal();
}

function showNeighbor(step) {
  if (photos[currentIndex + step]) showPhoto(currentIndex + step);
}

for (const [index, photo] of photos.entries()) {
  photo.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showPhoto(index);
  });
}
for (const button of stepButtons) button.addEventListener("click", () => showNeighbor(Number(button.dataset.step)));
viewer.addEventListener("keydown", (event) => {
  const forward = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") showNeighbor(event.key === forward ? 1 : -1);
});
viewer.addEventListener("close", () => {
  image.removeAttribute("src");
  photos[currentIndex].focus();
});
