// Shows a photo of the gallery in a larger view. The arrow keys lead to its neighbours; without JavaScript, a click
// downloads the photo.

const photos = [...document.querySelectorAll("[data-photo]")];
const viewer = document.getElementById("viewer");
const image = viewer.querySelector("img");
const caption = document.getElementById("viewer-caption");
let current = 0;

function show(index) {
  current = index;
  const photo = photos[index];
  image.src = photo.href;
  image.alt = photo.querySelector("img").alt;
  caption.textContent = `${photo.dataset.caption} (${index + 1} of ${photos.length})`;
  viewer.querySelector("[data-open]").href = photo.dataset.submission;
  viewer.querySelector("[data-download]").href = photo.href;
  for (const button of viewer.querySelectorAll("[data-step]"))
    button.disabled = !photos[index + Number(button.dataset.step)];
  if (!viewer.open) viewer.showModal();
}

function step(by) {
  if (photos[current + by]) show(current + by);
}

photos.forEach((photo, index) =>
  photo.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(index);
  }),
);
for (const button of viewer.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => step(Number(button.dataset.step)));
}
viewer.addEventListener("keydown", (event) => {
  const forward = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") step(event.key === forward ? 1 : -1);
});
viewer.addEventListener("close", () => {
  image.removeAttribute("src");
  photos[current].focus();
});
