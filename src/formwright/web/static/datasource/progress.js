// Polls the progress of long-running work every second; when it is done, loads the page with its result.

import { query } from "../dom.js";

const POLL_INTERVAL_MS = 1_000;

export function showProgress(section) {
  const bar = query("progress", HTMLProgressElement, section);
  const status = query("[data-working-words]", HTMLElement, section);
  const timer = setInterval(poll, POLL_INTERVAL_MS);

  async function poll() {
    if (!section.isConnected) return clearInterval(timer);
    try {
      const response = await fetch(`${section.dataset.working}/state`);
      if (!response.ok) throw new Error(String(response.status));
      const { working, seen, done } = await response.json();
      if (!working) {
        clearInterval(timer);
        return location.replace(section.dataset.working);
      }
      if (done >= 0) bar.value = done;
      status.textContent = done >= 0 ? `${Math.floor(done / 10)} %` : `${seen.toLocaleString("en")} rows so far`;
    } catch {
      status.textContent = "Connection lost. The import continues, and this page reconnects automatically.";
    }
  }
}
