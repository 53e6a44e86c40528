// Reloads the parts of the page that are about to change until they have; the rest of the page and any input stays.

const POLL_INTERVAL_MS = 1_500;

/** Replace the section by a newer one until that no longer has `data-changes`. */
export function pollSection(section) {
  setTimeout(async () => {
    if (!section.isConnected) return;
    try {
      const response = await fetch(location.href);
      // The server may be restarting.
      if (response.status >= 500) return pollSection(section);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const newer = page.getElementById(section.id);
      if (!newer) return;
      section.replaceWith(newer);
      if ("changes" in newer.dataset) pollSection(newer);
    } catch {
      pollSection(section);
    }
  }, POLL_INTERVAL_MS);
}
