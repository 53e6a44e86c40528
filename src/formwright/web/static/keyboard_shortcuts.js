// Keys of the page of a submission: each presses the link or button that names it with `data-key`.

import { query, queryAll, targetOf } from "./dom.js";

for (const button of queryAll("button[data-key][hidden]")) button.hidden = false;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (targetOf(event)?.closest("input, textarea, select, [contenteditable], dialog[open]")) return;
  const control = query(`[data-key="${CSS.escape(event.key)}"]`);
  if (!control) return;
  event.preventDefault();
  control.click();
});
