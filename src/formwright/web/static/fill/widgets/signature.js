// A signature: drawn with finger, pen or mouse, stored as a picture.

import { addPendingWork, storeFile, getFile, deleteFile, uploadFile } from "../local_files.js";
import { t } from "../texts.js";
import { button, element } from "../dom.js";

// On white in dark mode too, because the picture is used elsewhere.
const INK = "#101a33";
const PAPER = "#ffffff";
const HEIGHT_PX = 180;
const BLANK = Symbol("nothing is drawn");

export function renderSignature(question, root) {
  const canvas = element("canvas", { className: "signature", tabIndex: 0, id: question.inputId });
  canvas.setAttribute("role", "img");
  const hint = element("span", { className: "sign-here", ariaHidden: true });
  const clearButton = button("", clearSignature);
  root.append(element("div", { className: "sign" }, canvas, hint), clearButton);
  const context = canvas.getContext("2d");
  const pictureCache = {};
  let strokes = 0;
  /** The id of the file that the canvas shows. @type {string | symbol | undefined} */
  let shown = BLANK;

  canvas.addEventListener("pointerdown", beginStroke);
  canvas.addEventListener("pointermove", extendStroke);
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, (event) => addPendingWork(storePicture(event)));
  new ResizeObserver(resizeCanvas).observe(canvas);

  function beginStroke(event) {
    if (question.isReadOnly) return;
    canvas.setPointerCapture(event.pointerId);
    Object.assign(context, { lineWidth: 2.5, lineCap: "round", lineJoin: "round", strokeStyle: INK });
    context.beginPath();
    context.moveTo(event.offsetX, event.offsetY);
    strokes += 1;
    hint.hidden = true;
    event.preventDefault();
  }

  function extendStroke(event) {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    for (const point of event.getCoalescedEvents?.() ?? [event]) context.lineTo(point.offsetX, point.offsetY);
    context.stroke();
  }

  async function storePicture(event) {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    canvas.releasePointerCapture(event.pointerId);
    const strokesBefore = strokes;
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (strokesBefore !== strokes) return;
    const [before, id] = [question.value, await storeFile(question, "signature.png", blob)];
    shown = question.value = id;
    if (before) deleteFile(before);
    // While the user is drawing, the next stroke would make this picture outdated.
    setTimeout(() => question.value === id && uploadFile(id), 2000);
  }

  function clearSignature() {
    strokes += 1;
    if (question.value) deleteFile(question.value);
    question.value = undefined;
    canvas.focus();
  }

  async function show() {
    clearButton.textContent = t("clear");
    hint.textContent = t("signHere");
    canvas.setAttribute("aria-label", `${question.processedTitle}: ${t(question.value ? "signature" : "signHere")}`);
    hint.hidden = Boolean(question.value);
    clearButton.hidden = !question.value || question.isReadOnly;
    if (question.value === shown) return;
    shown = question.value;
    clearCanvas();
    if (shown) await paintPicture(await getFile(shown));
  }

  function clearCanvas() {
    context.fillStyle = PAPER;
    context.fillRect(0, 0, canvas.clientWidth, HEIGHT_PX);
  }

  async function paintPicture(file) {
    if (!file) return;
    const picture = await loadPicture(file);
    // The canvas may have been cleared in the meantime.
    if (!picture || shown !== question.value) return;
    const scale = Math.min(1, canvas.clientWidth / (picture.width / devicePixelRatio));
    const size = [picture.width, picture.height].map((pixels) => (pixels / devicePixelRatio) * scale);
    context.drawImage(picture, 0, 0, size[0], size[1]);
  }

  // A file of the server is fetched once.
  async function loadPicture({ blob, address }) {
    pictureCache[address] ??= Promise.resolve(blob ?? fetch(address).then((answer) => answer.blob())).then((found) =>
      createImageBitmap(found),
    );
    return pictureCache[address].catch(() => null);
  }

  // A canvas loses its content when its width changes.
  function resizeCanvas() {
    const width = Math.round(canvas.clientWidth * devicePixelRatio);
    if (!width || canvas.width === width) return;
    [canvas.width, canvas.height] = [width, Math.round(HEIGHT_PX * devicePixelRatio)];
    context.scale(devicePixelRatio, devicePixelRatio);
    shown = BLANK;
    show();
  }

  show();
  return show;
}
