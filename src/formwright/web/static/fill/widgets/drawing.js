// A drawing on an empty sheet or on a picture, in a dialog. Drawn with finger, pen or mouse.

import { t } from "../texts.js";
import { button, element } from "../dom.js";

// On white in dark mode too, because the picture is used elsewhere.
const PAPER = "#ffffff";
const INK = "#d02020";
const SHEET = { width: 1200, height: 900 };
const MAX_SIDE_PX = 2560;
const LINE_WIDTH_RATIO = 1 / 150;

/** Return a drawing on the picture of `blob`, or on an empty sheet without one; null if the person closes the dialog. */
export async function openDrawingDialog(title, blob) {
  const picture = blob ? await createImageBitmap(blob) : null;
  const canvas = element("canvas", { className: "drawing", ...canvasSize(picture), ariaLabel: title });
  canvas.setAttribute("role", "img");
  const context = canvas.getContext("2d");
  const strokes = [];
  const colour = element("input", { type: "color", value: INK, ariaLabel: t("colour") });
  const undoButton = button(t("undo"), () => {
    strokes.pop();
    redraw();
  });
  const keepButton = button(t("keepDrawing"), () => dialog.close("keep"));
  const closeButton = button(t("cancel"), () => dialog.close());
  const dialog = element("dialog", { className: "scanner drawing-view", ariaLabel: title }, canvas);
  dialog.append(element("div", { className: "buttons" }, colour, undoButton, keepButton, closeButton));
  canvas.addEventListener("pointerdown", beginStroke);
  canvas.addEventListener("pointermove", extendStroke);

  function beginStroke(event) {
    canvas.setPointerCapture(event.pointerId);
    strokes.push({ colour: colour.value, points: [pointOf(event)] });
    redraw();
    event.preventDefault();
  }

  function extendStroke(event) {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    const events = event.getCoalescedEvents?.() ?? [event];
    strokes.at(-1).points.push(...events.map(pointOf));
    redraw();
  }

  // The picture has more pixels than the screen shows.
  function pointOf({ clientX, clientY }) {
    const box = canvas.getBoundingClientRect();
    return [((clientX - box.left) * canvas.width) / box.width, ((clientY - box.top) * canvas.height) / box.height];
  }

  function redraw() {
    context.fillStyle = PAPER;
    context.fillRect(0, 0, canvas.width, canvas.height);
    if (picture) context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    Object.assign(context, {
      lineWidth: Math.max(canvas.width, canvas.height) * LINE_WIDTH_RATIO,
      lineCap: "round",
      lineJoin: "round",
    });
    for (const stroke of strokes) {
      context.strokeStyle = stroke.colour;
      context.beginPath();
      const [[x, y], ...rest] = stroke.points;
      context.moveTo(x, y);
      for (const point of rest.length ? rest : [[x, y]]) context.lineTo(...point);
      context.stroke();
    }
    undoButton.disabled = keepButton.disabled = !strokes.length;
  }

  redraw();
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  if (dialog.returnValue !== "keep") return null;
  const type = picture ? "image/jpeg" : "image/png";
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.9));
}

function canvasSize(picture) {
  if (!picture) return SHEET;
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(picture.width, picture.height));
  return { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) };
}
