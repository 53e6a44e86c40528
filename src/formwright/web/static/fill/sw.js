// The service worker of the fill pages: a page that was opened once opens without a network, and what waits is sent when
// it is back though no page is open. The server puts `const STATIC = "/static/…";` before this text.

importScripts(...["remote", "store", "outbox"].map((name) => `${STATIC}/fill/shared/${name}.js`));

const PAGES = "formwright:pages";
const FILES = "formwright:files";
const PATIENCE = 4000;
const ENDED = [404, 410];

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => event.data.keep && event.waitUntil(keep(event.data.keep)));
addEventListener("sync", (event) => event.waitUntil(send()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});

// One bar of network is worse than none: after a while what is here is shown.
async function page(request) {
  const here = await caches.open(PAGES).then((cache) => cache.match(request, { ignoreSearch: true }));
  const fresh = fetch(request);
  if (!here) return fresh;
  fresh.then((answer) => ENDED.includes(answer.status) && forget(request)).catch(() => {});
  return Promise.race([fresh.then((answer) => (answer.status < 500 ? answer : here)), later(here)]).catch(() => here);
}

// What the link has opened is not kept longer than the link.
const forget = (request) => caches.open(PAGES).then((cache) => cache.delete(request, { ignoreSearch: true }));

const later = (value) => new Promise((resolve) => setTimeout(resolve, PATIENCE, value));

// A file's address names its content: what is here is right.
async function file(request) {
  const cache = await caches.open(FILES);
  return (await cache.match(request)) ?? fetch(request);
}

/** Keep a page that is open, and all that it loads. */
async function keep({ page, files }) {
  const [pages, store] = await Promise.all([caches.open(PAGES), caches.open(FILES)]);
  const answer = await fetch(page);
  if (answer.ok) await pages.put(new URL(page, location).pathname, answer);
  else if (ENDED.includes(answer.status)) await pages.delete(new URL(page, location).pathname);
  await Promise.all(files.map(async (path) => (await store.match(path)) ?? store.add(path)));
  await tidy(pages, store);
}

/** Drop the files of versions that no kept page loads. */
async function tidy(pages, store) {
  const version = /\/static\/([0-9a-f]+)\//g;
  const used = new Set();
  for (const request of await pages.keys()) {
    const text = await (await pages.match(request)).text();
    for (const [, name] of text.matchAll(version)) used.add(name);
  }
  for (const request of await store.keys()) {
    const [, name] = /\/static\/([0-9a-f]+)\//.exec(request.url) ?? [];
    if (name && !used.has(name)) await store.delete(request);
  }
}

async function send() {
  await self.formwright.outbox.flush();
  new BroadcastChannel("formwright").postMessage("outbox");
  const left = await self.formwright.store.all("submissions");
  // The browser then tries again.
  if (left.some((one) => !one.problem)) throw new Error("Some submissions still wait.");
}
