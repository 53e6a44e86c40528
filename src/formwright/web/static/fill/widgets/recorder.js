// Recording of sound and video, where the browser can.

import { t } from "../texts.js";
import { button, element } from "../dom.js";

// Less than the 100 MiB that the server takes: the last part arrives after the end.
const MAX_BYTES = 95 * 1024 * 1024;
const CHUNK_MS = 1000;
const BIT_RATES = { audioBitsPerSecond: 64_000, videoBitsPerSecond: 1_200_000 };

const SUFFIXES = { "audio/mp4": "m4a" };

export const canRecord = (recorder) =>
  supportedType(recorder) !== undefined && Boolean(navigator.mediaDevices?.getUserMedia);

const supportedType = ({ mimeTypes }) => mimeTypes.find((type) => globalThis.MediaRecorder?.isTypeSupported(type));

/**
 * Begin to record, as the `recorder` of a field type says. Returns {stop, file, stream}: `file` resolves to the recording
 * when `stop` is called, or when it is as large as a file may be; `onTime` is called with the seconds so far. Throws
 * without permission.
 */
export async function startRecording({ mimeTypes, constraints }, onTime) {
  const stream = await navigator.mediaDevices.getUserMedia(constraints);
  const recorder = new MediaRecorder(stream, { mimeType: supportedType({ mimeTypes }), ...BIT_RATES });
  const chunks = [];
  const stop = () => recorder.state !== "inactive" && recorder.stop();
  const file = new Promise((resolve) => {
    recorder.addEventListener("dataavailable", ({ data }) => {
      chunks.push(data);
      onTime(chunks.length);
      if (chunks.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) stop();
    });
    recorder.addEventListener("stop", () => {
      for (const track of stream.getTracks()) track.stop();
      resolve(toFile(chunks, recorder.mimeType));
    });
  });
  recorder.start(CHUNK_MS);
  return { stop, file, stream };
}

function toFile(chunks, mimeType) {
  const [type] = mimeType.split(";");
  const [kind, suffix] = type.split("/");
  return new File(chunks, `${kind}.${SUFFIXES[type] ?? suffix}`, { type });
}

/** Show what the camera sees until the person stops. */
export function showCameraPreview({ stop, file, stream }) {
  const video = element("video", { srcObject: stream, muted: true, autoplay: true, playsInline: true });
  const dialog = element("dialog", { className: "scanner" }, video, button(t("stopRecording"), stop));
  dialog.addEventListener("cancel", stop);
  document.body.append(dialog);
  dialog.showModal();
  file.then(() => dialog.remove());
}

export const formatTime = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
