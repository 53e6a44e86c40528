// The calls of the page. All answer {kind, ...} and never throw:
//   done (the server has it) · refused (422, `errors`) · closed (it will never take it) · later (it may, next time).
//
// What is in this folder is read twice, as modules by the page and by `importScripts` in the service worker; a module's
// exports would break the second, so each hands what it offers to `self.formwright`.

self.formwright ??= {};
self.formwright.remote = (() => {
  const PATIENCE = 30_000;
  const FILE_PATIENCE = 300_000;
  // Bytes a millisecond: at the edge of a network large files take long, and arrive.
  const SLOWEST = 8;
  // There will be room when others have sent, or after a day.
  const FULL = new Set(["file.limit_reached"]);
  const BUSY = new Set([...FULL, "storage.full"]);
  const ANSWERS = "application/json, application/problem+json";
  const underWay = new Set();

  // The browser knows that the network is gone; a connection may only notice when its patience is at an end.
  self.addEventListener("offline", () => underWay.forEach((one) => one.abort()));

  const save = (address, body, keepalive = false) => json("PUT", address, body, { keepalive });
  const submit = (address, body) => json("POST", address, body, {});

  /** Until `stop`, a signal, says that the file is no longer wanted. */
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
    // A body cut off on its way is a lost network, not an answer.
    const answer = await response.json().catch(() => (response.ok ? Promise.reject() : {}));
    if (response.ok) return { kind: "done", status: answer.status, id: answer.id, revision: answer.revision };
    if (response.status === 422 && answer.code) return { kind: "refused", errors: answer.errors ?? [], code: answer.errors?.[0]?.code, detail: answer.detail };
    // What has no code of ours comes from something before the server, which may be just being exchanged. It may also take
    // less at once than we do, and will not take more the next time.
    if ((!answer.code && response.status !== 413) || response.status >= 500 || [408, 429].includes(response.status) || FULL.has(answer.code)) return later(response, answer);
    return { kind: "closed", code: answer.code, detail: answer.detail ?? answer.title };
  }

  /** `busy`: the server answered that it takes no more for now, and `wait` is how many seconds it asks to be left alone. */
  function later(response, { code }) {
    const wait = Number(response.headers.get("Retry-After")) || 0;
    return { kind: "later", code, wait, busy: response.status === 429 || BUSY.has(code) };
  }

  return { save, submit, upload };
})();
