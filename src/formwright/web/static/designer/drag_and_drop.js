// Moves rows by mouse, pen or touch: dragged by the handle, dropped before, after or into another row.

import { closest, queryAll } from "../dom.js";
import { findMoveError, findNode } from "./field_tree.js";

const SCROLL_EDGE_PX = 48;
const SCROLL_STEP_PX = 12;
const DROP_CLASSES = ["drop-before", "drop-behind", "drop-into"];

/**
 * @param {HTMLElement} list
 * @param {import("./design_store.js").DesignStore} store
 * @param {(id: string, parent: string | null, index: number) => void} moveTo
 */
export function enableDragAndDrop(list, store, moveTo) {
  let dragged = null;

  list.addEventListener("pointerdown", (event) => {
    const row = closest(event, ".grip") && closest(event, ".row");
    if (!row || event.button !== 0) return;
    event.preventDefault();
    dragged = { id: row.dataset.id, row, target: null };
    row.classList.add("dragged");
    list.setPointerCapture(event.pointerId);
  });
  list.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    scrollNearEdge(list, event.clientY);
    clearDropMarks(list);
    dragged.target = findDropTarget(list, store, dragged.id, event);
    dragged.target?.row.classList.add(`drop-${dragged.target.where}`);
  });
  list.addEventListener("pointerup", () => {
    if (dragged?.target) moveTo(dragged.id, dragged.target.parent, dragged.target.index);
    endDrag();
  });
  list.addEventListener("pointercancel", () => endDrag());
  addEventListener("keydown", (event) => event.key === "Escape" && endDrag());

  function endDrag() {
    dragged?.row.classList.remove("dragged");
    clearDropMarks(list);
    dragged = null;
  }
}

function clearDropMarks(list) {
  for (const row of queryAll(DROP_CLASSES.map((mark) => `.${mark}`).join(), HTMLElement, list))
    row.classList.remove(...DROP_CLASSES);
}

function findDropTarget(list, store, id, { clientX, clientY }) {
  const row = /** @type {HTMLElement | null} */ (document.elementFromPoint(clientX, clientY)?.closest(".row"));
  if (!row || !list.contains(row) || row.dataset.id === id) return null;
  const { node, parent, index } = findNode(store.nodes, row.dataset.id);
  const { top, height } = row.getBoundingClientRect();
  const fraction = (clientY - top) / height;
  const where = node.children && fraction > 0.3 ? "into" : fraction > 0.5 ? "behind" : "before";
  const target =
    where === "into"
      ? { parent: node.id, index: 0 }
      : { parent: parent?.id ?? null, index: index + (where === "behind" ? 1 : 0) };
  return findMoveError(store.nodes, store.get(id), target.parent, store.page) ? null : { ...target, row, where };
}

function scrollNearEdge(list, y) {
  const box = list.parentElement;
  const { top, bottom } = box.getBoundingClientRect();
  if (y < top + SCROLL_EDGE_PX) box.scrollTop -= SCROLL_STEP_PX;
  if (y > bottom - SCROLL_EDGE_PX) box.scrollTop += SCROLL_STEP_PX;
  if (y < SCROLL_EDGE_PX) scrollBy(0, -SCROLL_STEP_PX);
  if (y > innerHeight - SCROLL_EDGE_PX) scrollBy(0, SCROLL_STEP_PX);
}
