// Selecting rows of a list: all of the page, a range with Shift, and `x` on the focused row. The bar with the actions
// appears once a row is selected.

import { byId, closest, query, queryAll, targetOf } from "./dom.js";

/** @param {HTMLFormElement} bar */
export function enableRowSelection(bar) {
  const boxes = queryAll('input[name="row"]', HTMLInputElement);
  const header = query("[data-tick-all]");
  const headerBox = query("input", HTMLInputElement, header);
  const scopeBox = query("[name=scope]", HTMLInputElement, bar);
  let lastIndex = 0;
  header.hidden = false;

  // Whether the actions are for all submissions that match the filter, also those of other pages.
  const isEverything = () => Boolean(scopeBox?.checked);

  function showSelection() {
    const count = boxes.filter((box) => box.checked).length;
    headerBox.checked = count === boxes.length;
    headerBox.indeterminate = count > 0 && count < boxes.length;
    bar.toggleAttribute("data-none", count === 0 && !isEverything());
    const text = isEverything() ? scopeBox.parentElement.textContent.trim() : String(count);
    query("[data-count]", HTMLElement, bar).textContent = text;
    const noun = count === 1 ? "submission" : "submissions";
    for (const place of queryAll("[data-selection]")) {
      place.textContent = isEverything() ? "all matching submissions" : `${count} ${noun}`;
    }
  }

  header.addEventListener("change", () => {
    for (const box of boxes) box.checked = headerBox.checked;
    if (!headerBox.checked && scopeBox) scopeBox.checked = false;
    showSelection();
  });
  for (const [index, box] of boxes.entries()) {
    box.addEventListener("click", (event) => {
      if (event.shiftKey) {
        const [first, last] = [Math.min(lastIndex, index), Math.max(lastIndex, index)];
        for (const other of boxes.slice(first, last + 1)) other.checked = box.checked;
      }
      lastIndex = index;
      showSelection();
    });
  }
  scopeBox?.addEventListener("change", () => {
    if (scopeBox.checked) for (const box of boxes) box.checked = true;
    showSelection();
  });
  document.addEventListener("keydown", (event) => {
    // Otherwise, Enter on a checkbox would press the first button of the bar.
    if (event.key === "Enter" && targetOf(event)?.matches("input[type=checkbox]")) event.preventDefault();
    const row = closest(event, "tr.row-link");
    if (event.key !== "x" || !row || targetOf(event).matches("input:not([type=checkbox])")) return;
    query('input[name="row"]', HTMLInputElement, row).click();
  });
  // Approving selected rows can be undone; approving everything asks for confirmation.
  bar.addEventListener("click", (event) => {
    const opener = closest(event, "[data-opens-all]");
    if (!opener || !isEverything()) return;
    event.preventDefault();
    byId(opener.dataset.opensAll, HTMLDialogElement).showModal();
  });
  addEventListener("pageshow", showSelection);
  showSelection();
}
