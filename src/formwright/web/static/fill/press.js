// A press counts though the page moves under the finger: the fault of the field one has just left goes away, and the
// button that was pressed moves up.

export function press(button, act) {
  button.addEventListener("pointerdown", ({ pointerId }) => button.setPointerCapture(pointerId));
  button.addEventListener("click", act);
}
