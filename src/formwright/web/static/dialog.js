// `<button data-opens="id">` opens that dialog over the page. Without script the same button asks the server for the
// page with the dialog open in it.

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
