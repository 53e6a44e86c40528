// Keys of a page: each presses the link or button that names it with `data-key`. In lists, `j` and `k` move between rows.

import { byId, query, queryAll, targetOf } from "./dom.js";

const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable], dialog[open], :popover-open";

export function enableShortcuts() {
  const links = queryAll("main tr.row-link .open", HTMLElement);
  const help = byId("list-keys-opener", HTMLButtonElement);
  if (help && links.length) {
    help.hidden = false;
    help.dataset.key = "?";
  }
  for (const button of queryAll("button[data-key][hidden]", HTMLButtonElement)) button.hidden = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || targetOf(event)?.closest(TYPING)) return;
    if (moveBetweenRows(event, links) || pressControl(event)) event.preventDefault();
  });
}

/** Return whether the key moved the focus to another row, or opened the first one because none had the focus. */
function moveBetweenRows(event, links) {
  const target = targetOf(event);
  const current = links.findIndex((link) => link.closest("tr").contains(target));
  const arrows = target.closest(".table") ? { ArrowDown: 1, ArrowUp: -1 } : {};
  const step = { j: 1, k: -1, ...arrows }[event.key];
  if (!links.length || target.closest("details[open]")) return false;
  if (step) links[Math.min(Math.max(current + step, 0), links.length - 1)].focus();
  else if (event.key === "Enter" && target.matches("body, main")) links[0].click();
  else return false;
  return true;
}

function pressControl(event) {
  const control = query(`[data-key="${CSS.escape(event.key)}"]`, HTMLElement);
  if (!control || event.repeat) return false;
  control.click();
  return true;
}
