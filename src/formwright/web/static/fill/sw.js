// The service worker of the fill pages: a page that was opened once opens without a network, and waiting submissions are
// sent when the network is back, even without an open page.

import { flush } from "./shared/outbox.js";
import { getAll } from "./shared/outbox_storage.js";

// TypeScript has no types of service workers next to those of pages.
const worker = /** @type {any} */ (globalThis);
const PAGE_CACHE = "formwright:pages";
const FILE_CACHE = "formwright:files";
const NETWORK_TIMEOUT_MS = 4000;
const GONE_STATUSES = [404, 410];
const MEDIA_URL = /\/files\/(fil_[0-9a-z]+)/g;
const VERSION_URL = /\/static\/([0-9a-f]+)\//g;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("message", (event) => event.data.keep && event.waitUntil(storePage(event.data.keep)));
worker.addEventListener("message", (event) => event.data.forget && event.waitUntil(removePage(event.data.forget)));
worker.addEventListener("sync", (event) => event.waitUntil(sendSubmissions()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(loadPage(request));
  else if (pathname.startsWith("/static/") || pathname.startsWith("/fill/branding/"))
    event.respondWith(loadFile(request));
  else if (pathname.startsWith("/files/")) event.respondWith(loadMedia(request));
});

// A slow network is worse than none: after a while, use the stored page.
async function loadPage(request) {
  const stored = await caches.open(PAGE_CACHE).then((cache) => cache.match(request, { ignoreSearch: true }));
  const loading = fetch(request);
  if (!stored) return loading;
  loading.then((response) => updateStoredPage(request, response)).catch(() => {});
  const loaded = loading.then((response) => (isUnavailable(response) ? stored : response));
  return Promise.race([loaded, resolveLater(stored)]).catch(() => stored);
}

async function updateStoredPage(request, response) {
  if (isGone(response)) await removePage(request);
  else if (isRedirect(response)) await storePage({ page: request.url, files: [] });
}

// A proxy in front of a restarting server may respond with 404 too; all our own responses have a request id.
const isGone = (response) =>
  response.redirected || (GONE_STATUSES.includes(response.status) && response.headers.has("x-request-id"));
// The link of a completed task redirects; where to, only a followed redirect tells.
const isRedirect = (response) => response.type === "opaqueredirect";
const isUnavailable = (response) =>
  response.status >= 500 || response.status === 429 || (GONE_STATUSES.includes(response.status) && !isGone(response));

// Answers loaded with the link are not stored longer than the link works.
const removePage = (request) => caches.open(PAGE_CACHE).then((cache) => cache.delete(request, { ignoreSearch: true }));

const resolveLater = (value) => new Promise((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_MS, value));

// A file's address depends on its content, so the stored copy is current.
async function loadFile(request) {
  const cache = await caches.open(FILE_CACHE);
  return (await cache.match(request)) ?? fetch(request);
}

// Media of a form. Players ask for a part, and some of them accept nothing else.
async function loadMedia(request) {
  const stored = await caches.open(FILE_CACHE).then((cache) => cache.match(request.url));
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
  if (!stored || first === undefined) return stored ?? fetch(request);
  const blob = await stored.blob();
  const end = last ? Math.min(Number(last) + 1, blob.size) : blob.size;
  const headers = {
    "content-type": stored.headers.get("content-type"),
    "content-range": `bytes ${first}-${end - 1}/${blob.size}`,
  };
  return new Response(blob.slice(Number(first), end), { status: 206, headers });
}

/** Store an open page and everything it loads: the newest version may load other files than the open one. */
async function storePage({ page, files }) {
  const [pageCache, fileCache] = await Promise.all([caches.open(PAGE_CACHE), caches.open(FILE_CACHE)]);
  const response = await fetch(page);
  const path = new URL(page, location.href).pathname;
  if (isGone(response)) await pageCache.delete(path);
  else if (response.ok) {
    const addFile = async (file) => (await fileCache.match(file)) ?? fileCache.add(file);
    const html = await response.clone().text();
    const namedFiles = new Set(html.match(/(?<=")\/(?:static\/[0-9a-f]+|fill\/branding)\/[^"]+(?=")/g));
    // Files of an older version are no longer available; this page does not need them.
    await Promise.allSettled(files.map(addFile));
    await Promise.all([...namedFiles].map(addFile));
    await pageCache.put(path, response);
  }
  await removeUnusedFiles(pageCache, fileCache, files);
}

/** Delete the files of versions, and media, that neither a stored page nor the open one loads. */
async function removeUnusedFiles(pageCache, fileCache, files) {
  const usedNames = new Set(listFileNames(files.join()));
  for (const request of await pageCache.keys())
    for (const name of listFileNames(await (await pageCache.match(request)).text())) usedNames.add(name);
  for (const request of await fileCache.keys()) {
    const [name] = listFileNames(request.url);
    if (name && !usedNames.has(name)) await fileCache.delete(request);
  }
}

/** Return the versions and ids of media in the URLs of a text. */
const listFileNames = (text) => [...text.matchAll(VERSION_URL), ...text.matchAll(MEDIA_URL)].map(([, name]) => name);

async function sendSubmissions() {
  await flush();
  new BroadcastChannel("formwright").postMessage("outbox");
  const submissions = await getAll("submissions");
  // The browser tries again.
  if (submissions.some(({ problem }) => !problem)) throw new Error("Some submissions still wait.");
}
