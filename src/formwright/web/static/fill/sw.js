// The service worker of the fill pages: a page that was opened once opens without a network, and waiting submissions are
// sent when the network is back, even without an open page.

import { flush } from "./shared/outbox.js";
import { getAll } from "./shared/outbox_storage.js";

const PAGES = "formwright:pages";
const FILES = "formwright:files";
const PATIENCE = 4000;
const ENDED = [404, 410];

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => event.data.keep && event.waitUntil(keep(event.data.keep)));
addEventListener("message", (event) => event.data.forget && event.waitUntil(forget(event.data.forget)));
addEventListener("sync", (event) => event.waitUntil(send()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/static/") || pathname.startsWith("/fill/branding/")) event.respondWith(file(request));
  else if (pathname.startsWith("/files/")) event.respondWith(media(request));
});

// A slow network is worse than none: after a while, use the stored page.
async function page(request) {
  const here = await caches.open(PAGES).then((cache) => cache.match(request, { ignoreSearch: true }));
  const fresh = fetch(request);
  if (!here) return fresh;
  fresh.then((answer) => (isOver(answer) ? forget(request) : isElsewhere(answer) && again(request))).catch(() => {});
  return Promise.race([fresh.then((answer) => (isNone(answer) ? here : answer)), later(here)]).catch(() => here);
}

// A proxy in front of a restarting server may respond with 404 too; all our own responses have a request id.
const isOver = (answer) => answer.redirected || (ENDED.includes(answer.status) && answer.headers.has("x-request-id"));
// The link of a completed task redirects; where to, only a followed redirect tells.
const isElsewhere = (answer) => answer.type === "opaqueredirect";
const isNone = (answer) =>
  answer.status >= 500 || answer.status === 429 || (ENDED.includes(answer.status) && !isOver(answer));

// Answers loaded with the link are not stored longer than the link works.
const forget = (request) => caches.open(PAGES).then((cache) => cache.delete(request, { ignoreSearch: true }));

const again = (request) => keep({ page: request.url, files: [] });

const later = (value) => new Promise((resolve) => setTimeout(resolve, PATIENCE, value));

// A file's address depends on its content, so the stored copy is current.
async function file(request) {
  const cache = await caches.open(FILES);
  return (await cache.match(request)) ?? fetch(request);
}

// Media of a form. Players ask for a part, and some of them accept nothing else.
async function media(request) {
  const here = await caches.open(FILES).then((cache) => cache.match(request.url));
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
  if (!here || first === undefined) return here ?? fetch(request);
  const whole = await here.blob();
  const end = last ? Math.min(Number(last) + 1, whole.size) : whole.size;
  const headers = {
    "content-type": here.headers.get("content-type"),
    "content-range": `bytes ${first}-${end - 1}/${whole.size}`,
  };
  return new Response(whole.slice(Number(first), end), { status: 206, headers });
}

/** Store an open page and everything it loads: the newest version may load other files than the open one. */
async function keep({ page, files }) {
  const [pages, store] = await Promise.all([caches.open(PAGES), caches.open(FILES)]);
  const answer = await fetch(page);
  const path = new URL(page, location).pathname;
  if (isOver(answer)) await pages.delete(path);
  else if (answer.ok) {
    const add = async (file) => (await store.match(file)) ?? store.add(file);
    const named = [...(await answer.clone().text()).matchAll(/"(\/(?:static\/[0-9a-f]+|fill\/branding)\/[^"]+)"/g)].map(
      ([, file]) => file,
    );
    // Files of an older version are no longer available; this page does not need them.
    await Promise.allSettled(files.map(add));
    await Promise.all([...new Set(named)].map(add));
    await pages.put(path, answer);
  }
  await tidy(pages, store, files);
}

const MEDIA = /\/files\/(fil_[0-9a-z]+)/g;
const VERSION = /\/static\/([0-9a-f]+)\//g;

/** Delete the files of versions, and media, that neither a stored page nor the open one loads. */
async function tidy(pages, store, files) {
  const used = new Set();
  const use = (text) =>
    [VERSION, MEDIA].forEach((pattern) => [...text.matchAll(pattern)].forEach(([, name]) => used.add(name)));
  use(files.join());
  for (const request of await pages.keys()) use(await (await pages.match(request)).text());
  for (const request of await store.keys()) {
    const [[, name] = []] = [...request.url.matchAll(VERSION), ...request.url.matchAll(MEDIA)];
    if (name && !used.has(name)) await store.delete(request);
  }
}

async function send() {
  await flush();
  new BroadcastChannel("formwright").postMessage("outbox");
  const left = await getAll("submissions");
  // The browser tries again.
  if (left.some((one) => !one.problem)) throw new Error("Some submissions still wait.");
}
