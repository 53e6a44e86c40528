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
  const clear = button("", wipe);
  root.append(element("div", { className: "sign" }, canvas, hint), clear);
  const pen = canvas.getContext("2d");
  const pictures = {};
  let strokes = 0;
  let shown = BLANK;

  canvas.addEventListener("pointerdown", begin);
  canvas.addEventListener("pointermove", draw);
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, (event) => addPendingWork(keep(event)));
  new ResizeObserver(fit).observe(canvas);

  function begin(event) {
    if (question.isReadOnly) return;
    canvas.setPointerCapture(event.pointerId);
    Object.assign(pen, { lineWidth: 2.5, lineCap: "round", lineJoin: "round", strokeStyle: INK });
    pen.beginPath();
    pen.moveTo(event.offsetX, event.offsetY);
    strokes += 1;
    hint.hidden = true;
    event.preventDefault();
  }

  function draw(event) {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    for (const point of event.getCoalescedEvents?.() ?? [event]) pen.lineTo(point.offsetX, point.offsetY);
    pen.stroke();
  }

  async function keep(event) {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    canvas.releasePointerCapture(event.pointerId);
    const mine = strokes;
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (mine !== strokes) return;
    const [before, id] = [question.value, await storeFile(question, "signature.png", blob)];
    shown = question.value = id;
    if (before) deleteFile(before);
    // While the user is drawing, the next stroke would make this picture outdated.
    setTimeout(() => question.value === id && uploadFile(id), 2000);
  }

  function wipe() {
    strokes += 1;
    if (question.value) deleteFile(question.value);
    question.value = undefined;
    canvas.focus();
  }

  async function show() {
    clear.textContent = t("clear");
    hint.textContent = t("signHere");
    canvas.setAttribute("aria-label", `${question.processedTitle}: ${t(question.value ? "signature" : "signHere")}`);
    hint.hidden = Boolean(question.value);
    clear.hidden = !question.value || question.isReadOnly;
    if (question.value === shown) return;
    shown = question.value;
    blank();
    if (shown) await paint(await getFile(shown));
  }

  function blank() {
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, canvas.clientWidth, HEIGHT_PX);
  }

  async function paint(file) {
    if (!file) return;
    const picture = await pictureOf(file);
    // The canvas may have been cleared in the meantime.
    if (!picture || shown !== question.value) return;
    const fit = Math.min(1, canvas.clientWidth / (picture.width / devicePixelRatio));
    pen.drawImage(picture, 0, 0, (picture.width / devicePixelRatio) * fit, (picture.height / devicePixelRatio) * fit);
  }

  // A file of the server is fetched once.
  async function pictureOf({ blob, address }) {
    pictures[address] ??= Promise.resolve(blob ?? fetch(address).then((answer) => answer.blob())).then((found) =>
      createImageBitmap(found),
    );
    return pictures[address].catch(() => null);
  }

  // A canvas loses its content when its width changes.
  function fit() {
    const width = Math.round(canvas.clientWidth * devicePixelRatio);
    if (!width || canvas.width === width) return;
    [canvas.width, canvas.height] = [width, Math.round(HEIGHT_PX * devicePixelRatio)];
    pen.scale(devicePixelRatio, devicePixelRatio);
    shown = BLANK;
    show();
  }

  show();
  return show;
}
