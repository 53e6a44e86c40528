// The real fill page of the draft in a frame, reloaded when the draft is saved.

import { at } from "../dom.js";

const PAUSE = 500;

export function preview(store) {
  const frame = at("preview");
  let timer = null;
  let place = 0;

  frame.addEventListener("load", () => frame.contentWindow?.scrollTo(0, place));
  function load() {
    place = frame.contentWindow?.scrollY ?? 0;
    frame.contentWindow.location.replace(`/forms/${store.page.formId}/preview`);
  }
  return {
    renew() {
      clearTimeout(timer);
      timer = setTimeout(load, PAUSE);
    },
    note(text) {
      at("preview-note").textContent = text;
    },
  };
}
