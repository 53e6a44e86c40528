// The page without a network: the service worker keeps it, and is asked to send what waits.

/** Keep this page, and all that it has loaded and may load. */
export async function keepPage(files) {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register("/fill/sw.js", { scope: "/fill/" });
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map((one) => new URL(one.name));
    const own = loaded.filter((url) => url.origin === location.origin && url.pathname.startsWith("/static/"));
    const all = new Set([...own.map((url) => url.pathname), ...files]);
    active.postMessage({ keep: { page: location.pathname + location.search, files: [...all] } });
  } catch {
    // Without it the page works as long as it is open.
  }
}

/** What is filled once has been filled: without a network it is not opened again. */
export async function forgetPage() {
  const registration = await navigator.serviceWorker?.getRegistration("/fill/").catch(() => null);
  registration?.active?.postMessage({ forget: location.pathname });
}

/** Where the browser can, it sends though no page is open. */
export async function askToSend() {
  try {
    const registration = await navigator.serviceWorker.ready;
    await registration.sync.register("outbox");
  } catch {
    // Then it is sent when a page is opened.
  }
}
