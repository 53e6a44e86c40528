// Fields whose answers are files.

import { hasNoDuplicates } from "./answer_checks.js";

/** The first MIME type that the browser can record is used. */
const AUDIO_RECORDER = {
  mimeTypes: ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"],
  constraints: { audio: true },
};
const VIDEO_RECORDER = {
  mimeTypes: ["video/webm;codecs=vp8,opus", "video/mp4"],
  constraints: { audio: true, video: { facingMode: "environment" } },
};

const check = (step, value) =>
  value.length > step.maxItems || !hasNoDuplicates(value) ? ["checkFiles", step.maxItems] : null;

// `upload`: which files people add, the words on the buttons, how the page shows them, and what it records itself.
export const photo = {
  check,
  upload: { accept: "image/*", capture: "environment", take: "takePhoto", choose: "choosePhoto", isImage: true },
};
export const audio = {
  check,
  upload: {
    accept: "audio/*",
    capture: "user",
    take: "recordAudio",
    choose: "chooseAudio",
    player: "audio",
    recorder: AUDIO_RECORDER,
  },
};
export const video = {
  check,
  upload: {
    accept: "video/*",
    capture: "environment",
    take: "recordVideo",
    choose: "chooseVideo",
    player: "video",
    recorder: VIDEO_RECORDER,
  },
};
export const signature = {};
export const file = { check, upload: { accept: "", choose: "chooseFile" } };
