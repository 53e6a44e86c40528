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
/** What people add to a field for drawings on an empty sheet. @type {import("../types.js").UploadSettings} */
const SHEET_UPLOAD = { accept: "image/*", take: "draw", choose: "chooseFile" };

const sizeError = ({ size }) => (size > MAX_BYTES ? t("fileLarge") : size ? "" : t("fileEmpty"));

export function renderFileUpload(question, root) {
  const { isImage, player, recorder, ...upload } = fieldType(question.widget).upload;
  const isSheet = question.drawing === "sheet";
  const { accept, capture, take: takeText, choose: chooseText } = isSheet ? SHEET_UPLOAD : upload;
  const list = element("ul", { className: "files" });
  const chooser = element("input", { type: "file", hidden: true, accept });
  const camera = element("input", { type: "file", hidden: true, accept });
  if (capture) camera.setAttribute("capture", capture);
  const chooseButton = button("", () => chooser.click());
  const takeButton = button("", () => (recording ? recording.stop() : startTaking()));
  (isSheet ? takeButton : chooseButton).id = question.inputId;
  const status = element("p", { className: "widget-status", role: "status" });
  root.append(list, element("div", { className: "buttons" }, takeButton, chooseButton), status, chooser, camera);
  for (const one of [chooser, camera]) one.addEventListener("change", () => addPendingWork(addChosen(one)));
  // The cameras of phones have an app that can do more than the page.
  const isPhone = matchMedia("(pointer: coarse)").matches;
  const isVideo = Boolean(recorder?.constraints.video);
  const canRecordHere = recorder && !(isVideo && isPhone) && canRecord(recorder);
  let recording = null;

  async function addChosen(source) {
    const chosen = [...source.files];
    source.value = "";
    await add(chosen);
  }

  async function add(chosenFiles) {
    const fitting = chosenFiles.filter((file) => !sizeError(file)).slice(0, question.maxItems - fileIds().length);
    status.textContent = chosenFiles.map(sizeError).find(Boolean) ?? "";
    for (const file of fitting) {
      const id = await storeFile(question, file.name, isImage ? await shrinkImage(file) : file);
      question.value = [...fileIds(), id];
      uploadFile(id).then(show);
    }
  }

  async function drawNew() {
    const blob = await openDrawingDialog(question.processedTitle);
    if (blob) addPendingWork(add([new File([blob], "drawing.png", { type: blob.type })]));
  }

  // The drawing replaces the picture.
  async function drawOnPicture(id, name) {
    const file = await getFile(id);
    const before = file?.blob ?? (await fetch(file.address).then((answer) => answer.blob()));
    const blob = await openDrawingDialog(t("drawOn", name), before).catch(() => undefined);
    // Browsers cannot decode all formats.
    status.textContent = blob === undefined ? t("noDrawing") : "";
    if (!blob) return;
    const drawingId = await storeFile(question, blob.type === "image/png" ? "drawing.png" : "drawing.jpg", blob);
    question.value = fileIds().map((one) => (one === id ? drawingId : one));
    deleteFile(id);
    uploadFile(drawingId).then(show);
  }

  async function startTaking() {
    if (isSheet) return drawNew();
    if (!canRecordHere) return camera.click();
    try {
      recording = await startRecording(recorder, (seconds) => {
        status.textContent = t("recording", formatTime(seconds));
      });
    } catch {
      status.textContent = t("noRecorder");
      return undefined;
    }
    // A form is not submitted without what is being recorded.
    question.unfinished = "stopFirst";
    if (isVideo) showCameraPreview(recording);
    recording.file.then((file) => addPendingWork(finishRecording(file)));
    return show();
  }

  async function finishRecording(file) {
    recording = null;
    question.unfinished = undefined;
    // Empty if it was stopped before the first sound or picture.
    if (!file.size) status.textContent = t("nothingRecorded");
    else if (root.isConnected) await add([file]);
    await show();
  }

  const fileIds = () => question.value ?? [];

  async function removeFile(id) {
    const remaining = fileIds().filter((one) => one !== id);
    question.value = remaining.length ? remaining : undefined;
    deleteFile(id);
    await show();
    (isSheet ? takeButton : chooseButton).focus(); // It was hidden if the maximum number was reached.
  }

  async function show() {
    const lines = await Promise.all(fileIds().map((id, index) => renderFile(id, index)));
    // A line is rendered again when its file has been uploaded: its button keeps the focus.
    const { activeElement } = document;
    const focused = list.contains(activeElement) && activeElement.getAttribute("data-file");
    list.replaceChildren(...lines);
    if (focused) lines.find((one) => one.lastChild.dataset.file === focused)?.lastChild.focus();
    const isFull = fileIds().length >= question.maxItems || question.isReadOnly;
    takeButton.hidden = isFull || !takeText || (!canRecordHere && !isPhone && !isSheet);
    chooseButton.hidden = isFull || isSheet;
    takeButton.textContent = takeText ? t(recording ? "stopRecording" : takeText) : "";
    chooseButton.textContent = t(chooseText);
    chooser.multiple = question.maxItems > 1;
  }

  async function renderFile(id, index) {
    const file = await getFile(id);
    const name = isImage ? t("photo", index + 1) : (file?.name ?? id);
    const state = element("span", { className: "file-state" }, describeFileState(file));
    const remove = button("✕", () => removeFile(id), { hidden: question.isReadOnly, ariaLabel: t("remove", name) });
    remove.dataset.file = id;
    const label = element("span", { className: "file-name" }, name, state);
    return element("li", {}, renderPreview(file, name), label, ...renderDrawButtons(id, file, name), remove);
  }

  function renderDrawButtons(id, file, name) {
    if (!question.drawing || !file || question.isReadOnly) return [];
    return [button("✎", () => drawOnPicture(id, name), { ariaLabel: t("drawOn", name) })];
  }

  function renderPreview(file, name) {
    if (file && isImage) return element("img", { src: file.address, alt: name });
    if (!file || !player) return "";
    return element(player, { src: file.address, controls: true, preload: "metadata", ariaLabel: name });
  }

  show();
  return show;
}
