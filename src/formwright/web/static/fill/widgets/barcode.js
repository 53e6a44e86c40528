// A barcode: typed, or scanned with the camera if the browser can.

import { t } from "../texts.js";
import { button, element } from "../dom.js";

export function renderBarcode(question, root) {
  const input = element("input", {
    className: "sd-input",
    id: question.inputId,
    autocomplete: "off",
    spellcheck: false,
  });
  const scanButton = button("", scanCode);
  const status = element("p", { className: "widget-status", role: "status" });
  root.append(element("div", { className: "buttons" }, input, scanButton), status);
  input.addEventListener("input", () => (question.value = input.value.trim() || undefined));

  async function scanCode() {
    status.textContent = "";
    try {
      question.value = (await readCode()) ?? question.value;
    } catch {
      status.textContent = t("noCamera");
    }
    scanButton.focus();
  }

  function show() {
    scanButton.textContent = t("scan");
    scanButton.hidden = question.isReadOnly || !("BarcodeDetector" in globalThis);
    input.readOnly = question.isReadOnly;
    input.ariaLabel = question.processedTitle;
    // While typing, the text may end with a space.
    if (input.value.trim() !== (question.value ?? "")) input.value = question.value ?? "";
  }

  show();
  return show;
}

/** Return the text of the first code in view of the camera; null if the user closes the view. */
async function readCode() {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  const video = element("video", { srcObject: stream, muted: true, playsInline: true });
  const dialog = element("dialog", { className: "scanner" }, element("p", {}, t("scanning")), video);
  dialog.append(button(t("close"), () => dialog.close()));
  document.body.append(dialog);
  dialog.showModal();
  try {
    await video.play();
    return await detectCode(new globalThis.BarcodeDetector(), video, dialog);
  } finally {
    for (const track of stream.getTracks()) track.stop();
    dialog.remove();
  }
}

async function detectCode(detector, video, dialog) {
  while (dialog.open) {
    const [code] = await detector.detect(video);
    if (code) return code.rawValue;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return null;
}
