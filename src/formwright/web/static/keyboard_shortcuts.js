// Keys of the page of a submission: each presses the link or button that names it with `data-key`.

for (const button of document.querySelectorAll("button[data-key][hidden]")) button.hidden = false;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest?.("input, textarea, select, [contenteditable], dialog[open]")) return;
  const found = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!found) return;
  event.preventDefault();
  found.click();
});
