// The page's requests. All return {kind, ...} and never throw:
//   done (the server has it) · refused (422, `errors`) · closed (never accepted) · later (may be accepted next time).
//
// Files in this folder are loaded twice: as modules by the page, and with `importScripts` by the service worker. Exports
// would break the latter, so each file adds its functions to `self.formwright`.

self.formwright ??= {};
self.formwright.remote = (() => {
  const PATIENCE = 30_000;
  const FILE_PATIENCE = 300_000;
  // Bytes per millisecond: with a poor network, large files take long but arrive.
  const SLOWEST = 8;
  // There will be space when others have been sent, or after a day.
  const FULL = new Set(["file.limit_reached"]);
  const BUSY = new Set([...FULL, "form.link_not_open", "storage.full"]);
  const ANSWERS = "application/json, application/problem+json";
  const underWay = new Set();

  // The browser knows that the network is gone; a connection may only notice at its timeout.
  self.addEventListener("offline", () => underWay.forEach((one) => one.abort()));

  const save = (address, body, keepalive = false) => json("PUT", address, body, { keepalive });
  const submit = (address, body) => json("POST", address, body, {});
  /** Save the answers so far, and get a link for continuing them. */
  const link = (address, body) => json("POST", `${address}/link`, body, {});

  /** Upload a file until the signal `stop` cancels it. */
  function upload({ base, version, field, name, type, blob }, stop) {
    const headers = { "Content-Type": type, "X-File-Name": encodeURIComponent(name) };
    const query = new URLSearchParams({ field, version });
    return call(`${base}/files?${query}`, { method: "POST", headers, body: blob }, FILE_PATIENCE, stop);
  }

  function json(method, address, body, more) {
    const headers = { "Content-Type": "application/json" };
    return call(address, { method, headers, body: JSON.stringify(body), ...more }, PATIENCE);
  }

  async function call(address, request, patience, stop) {
    const headers = { ...request.headers, Accept: ANSWERS };
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), patience + (request.body.size ?? request.body.length) / SLOWEST);
    stop?.addEventListener("abort", () => ending.abort());
    underWay.add(ending);
    try {
      return await verdict(await fetch(address, { ...request, headers, signal: ending.signal }));
    } catch {
      return { kind: "later", network: true };
    } finally {
      underWay.delete(ending);
      clearTimeout(timer);
    }
  }

  async function verdict(response) {
    // A truncated body is a lost network, not a response.
    const answer = await response.json().catch(() => (response.ok ? Promise.reject() : {}));
    if (response.ok) return { ...answer, kind: "done" };
    if (response.status === 422 && answer.code)
      return { kind: "refused", errors: answer.errors ?? [], code: answer.errors?.[0]?.code, detail: answer.detail };
    // A response without our error code is from a proxy in front of the server, which may be restarting. The proxy may also
    // accept less at once than the server, and will not accept more next time.
    if (
      (!answer.code && response.status !== 413) ||
      response.status >= 500 ||
      [408, 429].includes(response.status) ||
      BUSY.has(answer.code)
    )
      return later(response, answer);
    return { kind: "closed", code: answer.code, detail: answer.detail ?? answer.title };
  }

  /** `busy`: the server accepts nothing more for now; `wait` is the number of seconds it asks to wait. */
  function later(response, { code }) {
    const wait = Number(response.headers.get("Retry-After")) || 0;
    return { kind: "later", code, wait, busy: response.status === 429 || BUSY.has(code) };
  }

  return { save, submit, link, upload };
})();
