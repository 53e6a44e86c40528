// Moves rows by mouse, pen or touch: dragged by the handle, dropped before, after or into another row.

import { find, forbidden } from "./field_tree.js";

const EDGE = 48;
const PACE = 12;
const MARKS = ["drop-before", "drop-behind", "drop-into"];

/** `place(id, parent, index)` moves the row there. */
export function dragging(list, store, place) {
  let held = null;

  list.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest(".grip");
    if (!grip || event.button !== 0) return;
    event.preventDefault();
    const row = grip.closest(".row");
    held = { id: row.dataset.id, row, goal: null };
    row.classList.add("dragged");
    list.setPointerCapture(event.pointerId);
  });
  list.addEventListener("pointermove", (event) => {
    if (!held) return;
    scroll(list, event.clientY);
    unmark(list);
    held.goal = goalAt(list, store, held.id, event);
    held.goal?.row.classList.add(`drop-${held.goal.where}`);
  });
  list.addEventListener("pointerup", () => {
    if (held?.goal) place(held.id, held.goal.parent, held.goal.index);
    letGo();
  });
  list.addEventListener("pointercancel", () => letGo());
  addEventListener("keydown", (event) => event.key === "Escape" && letGo());

  function letGo() {
    held?.row.classList.remove("dragged");
    unmark(list);
    held = null;
  }
}

function unmark(list) {
  for (const row of list.querySelectorAll(MARKS.map((mark) => `.${mark}`).join())) row.classList.remove(...MARKS);
}

function goalAt(list, store, id, { clientX, clientY }) {
  const row = document.elementFromPoint(clientX, clientY)?.closest(".row");
  if (!row || !list.contains(row) || row.dataset.id === id) return null;
  const { node, parent, index } = find(store.nodes, row.dataset.id);
  const { top, height } = row.getBoundingClientRect();
  const part = (clientY - top) / height;
  const where = node.children && part > 0.3 ? "into" : part > 0.5 ? "behind" : "before";
  const goal =
    where === "into"
      ? { parent: node.id, index: 0 }
      : { parent: parent?.id ?? null, index: index + (where === "behind" ? 1 : 0) };
  return forbidden(store.nodes, store.get(id), goal.parent, store.page) ? null : { ...goal, row, where };
}

function scroll(list, y) {
  const box = list.parentElement;
  const { top, bottom } = box.getBoundingClientRect();
  if (y < top + EDGE) box.scrollTop -= PACE;
  if (y > bottom - EDGE) box.scrollTop += PACE;
  if (y < EDGE) scrollBy(0, -PACE);
  if (y > innerHeight - EDGE) scrollBy(0, PACE);
}
