// A press counts even if the page moves under the finger: when the error of the field that loses focus disappears, the
// pressed button moves up.

export function addPressListener(button, listener) {
  button.addEventListener("pointerdown", ({ pointerId }) => button.setPointerCapture(pointerId));
  button.addEventListener("click", listener);
}
