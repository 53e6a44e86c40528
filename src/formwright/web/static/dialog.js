// `<button data-opens="id">` opens that dialog over the page. Without JavaScript, the same button loads the page with the
// dialog open.

import { byId, closest, queryAll } from "./dom.js";

export function enableDialogs(root) {
  root.addEventListener("click", (event) => {
    const opener = closest(event, "[data-opens]");
    const dialog = opener && byId(opener.dataset.opens, HTMLDialogElement);
    if (!dialog) return;
    event.preventDefault();
    dialog.showModal();
  });
  for (const dialog of queryAll("dialog[open]", HTMLDialogElement, root)) {
    dialog.removeAttribute("open");
    dialog.showModal();
  }
}
