// The page without a network: the service worker stores it, and sends waiting submissions.

/** Store this page and everything that it has loaded and may load. */
export async function storePage(files) {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register("/fill/sw.js", { scope: "/fill/" });
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map((one) => new URL(one.name));
    const staticFiles = loaded.filter((url) => url.origin === location.origin && url.pathname.startsWith("/static/"));
    const paths = new Set([...staticFiles.map((url) => url.pathname), ...files]);
    active.postMessage({ keep: { page: location.pathname + location.search, files: [...paths] } });
  } catch {
    // Without it, the page works as long as it stays open.
  }
}

/** A form that can be filled in once is not available offline after it has been submitted. */
export async function removePage() {
  const registration = await navigator.serviceWorker?.getRegistration("/fill/").catch(() => null);
  registration?.active?.postMessage({ forget: location.pathname });
}

/** If the browser supports it, waiting submissions are sent even without an open page. */
export async function requestBackgroundSync() {
  try {
    const registration = await navigator.serviceWorker.ready;
    await registration.sync.register("outbox");
  } catch {
    // Otherwise they are sent when a page is opened.
  }
}
