// Photos, sound, videos and other files: stored on this device immediately, uploaded when there is a network, named in the
// answer.

import { fieldType } from "../../fields/types.js";
import { addPendingWork, storeFile, getFile, deleteFile, describeFileState, uploadFile } from "../local_files.js";
import { t } from "../texts.js";
import { openDrawingDialog } from "./drawing.js";
import { button, element } from "../dom.js";
import { shrinkImage } from "./image_resize.js";
import { canRecord, startRecording, showCameraPreview, formatTime } from "./recorder.js";

const MAX_BYTES = 100 * 1024 * 1024;
const SHEET_UPLOAD = { accept: "image/*", take: "draw", choose: "chooseFile" };

const sizeError = ({ size }) => (size > MAX_BYTES ? t("fileLarge") : size ? "" : t("fileEmpty"));

export function renderFileUpload(question, root) {
  const { isImage, player, recorder, ...upload } = fieldType(question.widget).upload;
  const onSheet = question.drawing === "sheet";
  const { accept, capture, take: takeText, choose: chooseText } = onSheet ? SHEET_UPLOAD : upload;
  const list = element("ul", { className: "files" });
  const chooser = element("input", { type: "file", hidden: true, accept });
  const camera = element("input", { type: "file", hidden: true, accept });
  if (capture) camera.setAttribute("capture", capture);
  const choose = button("", () => chooser.click());
  const take = button("", () => (recording ? recording.stop() : begin()));
  (onSheet ? take : choose).id = question.inputId;
  const status = element("p", { className: "widget-status", role: "status" });
  root.append(list, element("div", { className: "buttons" }, take, choose), status, chooser, camera);
  for (const one of [chooser, camera]) one.addEventListener("change", () => addPendingWork(takeChosen(one)));
  // The cameras of phones have an app that can do more than the page.
  const isPhone = matchMedia("(pointer: coarse)").matches;
  const films = Boolean(recorder?.constraints.video);
  const records = recorder && !(films && isPhone) && canRecord(recorder);
  let recording = null;

  async function takeChosen(source) {
    const chosen = [...source.files];
    source.value = "";
    await add(chosen);
  }

  async function add(given) {
    const fitting = given.filter((file) => !sizeError(file)).slice(0, question.maxItems - ids().length);
    status.textContent = given.map(sizeError).find(Boolean) ?? "";
    for (const file of fitting) {
      const id = await storeFile(question, file.name, isImage ? await shrinkImage(file) : file);
      question.value = [...ids(), id];
      uploadFile(id).then(show);
    }
  }

  async function drawNew() {
    const blob = await openDrawingDialog(question.processedTitle);
    if (blob) addPendingWork(add([new File([blob], "drawing.png", { type: blob.type })]));
  }

  // The drawing replaces the picture.
  async function drawOn(id, name) {
    const file = await getFile(id);
    const before = file?.blob ?? (await fetch(file.address).then((answer) => answer.blob()));
    const blob = await openDrawingDialog(t("drawOn", name), before).catch(() => undefined);
    // Browsers cannot decode all formats.
    status.textContent = blob === undefined ? t("noDrawing") : "";
    if (!blob) return;
    const made = await storeFile(question, blob.type === "image/png" ? "drawing.png" : "drawing.jpg", blob);
    question.value = ids().map((one) => (one === id ? made : one));
    deleteFile(id);
    uploadFile(made).then(show);
  }

  async function begin() {
    if (onSheet) return drawNew();
    if (!records) return camera.click();
    try {
      recording = await startRecording(
        recorder,
        (seconds) => (status.textContent = t("recording", formatTime(seconds))),
      );
    } catch {
      return void (status.textContent = t("noRecorder"));
    }
    // A form is not submitted without what is being recorded.
    question.unfinished = "stopFirst";
    if (films) showCameraPreview(recording);
    recording.file.then((file) => addPendingWork(end(file)));
    return show();
  }

  async function end(file) {
    recording = null;
    question.unfinished = undefined;
    // Empty if it was stopped before the first sound or picture.
    if (!file.size) status.textContent = t("nothingRecorded");
    else if (root.isConnected) await add([file]);
    await show();
  }

  const ids = () => question.value ?? [];

  async function drop(id) {
    const left = ids().filter((one) => one !== id);
    question.value = left.length ? left : undefined;
    deleteFile(id);
    await show();
    (onSheet ? take : choose).focus(); // It was hidden if the maximum number was reached.
  }

  async function show() {
    const lines = await Promise.all(ids().map((id, index) => line(id, index)));
    // A line is rendered again when its file has been uploaded: its button keeps the focus.
    const focused = list.contains(document.activeElement) && document.activeElement.dataset.file;
    list.replaceChildren(...lines);
    if (focused) lines.find((one) => one.lastChild.dataset.file === focused)?.lastChild.focus();
    const full = ids().length >= question.maxItems || question.isReadOnly;
    take.hidden = full || !takeText || (!records && !isPhone && !onSheet);
    choose.hidden = full || onSheet;
    take.textContent = takeText ? t(recording ? "stopRecording" : takeText) : "";
    choose.textContent = t(chooseText);
    chooser.multiple = question.maxItems > 1;
  }

  async function line(id, index) {
    const file = await getFile(id);
    const name = isImage ? t("photo", index + 1) : (file?.name ?? id);
    const state = element("span", { className: "file-state" }, describeFileState(file));
    const remove = button("✕", () => drop(id), { hidden: question.isReadOnly, ariaLabel: t("remove", name) });
    remove.dataset.file = id;
    const label = element("span", { className: "file-name" }, name, state);
    return element("li", {}, preview(file, name), label, ...drawButton(id, file, name), remove);
  }

  function drawButton(id, file, name) {
    if (!question.drawing || !file || question.isReadOnly) return [];
    return [button("✎", () => drawOn(id, name), { ariaLabel: t("drawOn", name) })];
  }

  function preview(file, name) {
    if (file && isImage) return element("img", { src: file.address, alt: name });
    if (!file || !player) return "";
    return element(player, { src: file.address, controls: true, preload: "metadata", ariaLabel: name });
  }

  show();
  return show;
}
