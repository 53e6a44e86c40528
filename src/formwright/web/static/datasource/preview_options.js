// Changes in the preview apply immediately: the file is parsed again with the new options.

import { byId, query, targetOf } from "../dom.js";

// Browsers add a letter to those typed before it within a second, so a select is not replaced earlier while someone types in it.
const TYPING_PAUSE_MS = 1000;

/** `replacePage(html, url)` shows the new preview. */
export function enablePreviewOptions(form, replacePage) {
  const button = query("[data-look-again]", HTMLElement, form);
  if (button) button.hidden = form.querySelector("[data-look]") !== null && !query(".notice.bad[role=alert]");
  let lastKeyTime = -TYPING_PAUSE_MS;
  let timer = 0;
  let request = null;

  form.addEventListener("keydown", (event) => {
    if (event.key === "Tab") return;
    lastKeyTime = performance.now();
    if (timer || request) schedule();
  });
  // The response to an earlier request would undo a choice made since, whichever field it is in.
  form.addEventListener("change", (event) => {
    if (targetOf(event)?.matches("[data-look]") || timer || request) schedule();
  });
  form.addEventListener("focusout", () => {
    if (timer) loadPreview();
  });

  function schedule() {
    request?.abort();
    request = null;
    clearTimeout(timer);
    timer = setTimeout(loadPreview, Math.max(0, lastKeyTime + TYPING_PAUSE_MS - performance.now()));
  }

  async function loadPreview() {
    clearTimeout(timer);
    timer = 0;
    const current = new AbortController();
    request = current;
    byId("announcement").textContent = "Reading the file…";
    form.setAttribute("aria-busy", "true");
    try {
      const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
      const response = await fetch(form.dataset.looks, { method: "POST", body, signal: current.signal });
      const html = await response.text();
      if (request !== current) return;
      replacePage(html, response.url);
      byId("announcement").textContent = "Preview updated";
    } catch {
      if (request !== current) return;
      request = null;
      form.removeAttribute("aria-busy");
      byId("announcement").textContent = "Connection lost. Try again.";
    }
  }
}
