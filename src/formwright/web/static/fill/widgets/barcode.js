// A barcode: typed, or scanned with the camera if the browser can.

import { t } from "../texts.js";
import { button, element } from "../dom.js";

export function renderBarcode(question, root) {
  const typed = element("input", {
    className: "sd-input",
    id: question.inputId,
    autocomplete: "off",
    spellcheck: false,
  });
  const scan = button("", scanCode);
  const status = element("p", { className: "widget-status", role: "status" });
  root.append(element("div", { className: "buttons" }, typed, scan), status);
  typed.addEventListener("input", () => (question.value = typed.value.trim() || undefined));

  async function scanCode() {
    status.textContent = "";
    try {
      question.value = (await readCode()) ?? question.value;
    } catch {
      status.textContent = t("noCamera");
    }
    scan.focus();
  }

  function show() {
    scan.textContent = t("scan");
    scan.hidden = question.isReadOnly || !("BarcodeDetector" in globalThis);
    typed.readOnly = question.isReadOnly;
    typed.ariaLabel = question.processedTitle;
    // While typing, the text may end with a space.
    if (typed.value.trim() !== (question.value ?? "")) typed.value = question.value ?? "";
  }

  show();
  return show;
}

/** Return the text of the first code in view of the camera; null if the user closes the view. */
async function readCode() {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  const video = element("video", { srcObject: stream, muted: true, playsInline: true });
  const view = element("dialog", { className: "scanner" }, element("p", {}, t("scanning")), video);
  view.append(button(t("close"), () => view.close()));
  document.body.append(view);
  view.showModal();
  try {
    await video.play();
    return await detectCode(new globalThis.BarcodeDetector(), video, view);
  } finally {
    for (const track of stream.getTracks()) track.stop();
    view.remove();
  }
}

async function detectCode(detector, video, view) {
  while (view.open) {
    const [code] = await detector.detect(video);
    if (code) return code.rawValue;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return null;
}
