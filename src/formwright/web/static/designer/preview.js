// The real fill page of the draft in a frame, reloaded when the draft is saved.

import { byId } from "../dom.js";

const RELOAD_DELAY_MS = 500;

export function createPreview(store) {
  const frame = byId("preview", HTMLIFrameElement);
  let timer = null;
  let scrollTop = 0;

  frame.addEventListener("load", () => frame.contentWindow?.scrollTo(0, scrollTop));
  function reloadFrame() {
    scrollTop = frame.contentWindow?.scrollY ?? 0;
    frame.contentWindow.location.replace(`/forms/${store.page.formId}/preview`);
  }
  return {
    reload() {
      clearTimeout(timer);
      timer = setTimeout(reloadFrame, RELOAD_DELAY_MS);
    },
    showNote(text) {
      byId("preview-note").textContent = text;
    },
  };
}
