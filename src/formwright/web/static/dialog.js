// `<button data-opens="id">` opens that dialog over the page. Without JavaScript, the same button loads the page with the
// dialog open.

export function dialogs(root) {
  root.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    const dialog = opener && document.getElementById(opener.dataset.opens);
    if (!dialog) return;
    event.preventDefault();
    dialog.showModal();
  });
  for (const dialog of root.querySelectorAll("dialog[open]")) {
    dialog.removeAttribute("open");
    dialog.showModal();
  }
}
