// The page's requests. All return {kind, ...} and never throw:
//   done (the server has it) · refused (422, `errors`) · closed (never accepted) · later (may be accepted next time).
//
// The page and the service worker use the files in this folder.

/** @import { ApiResult, LocalFile } from "../types.js" */

const REQUEST_TIMEOUT_MS = 30_000;
const UPLOAD_TIMEOUT_MS = 300_000;
// With a poor network, large files take long but arrive.
const MIN_BYTES_PER_MS = 8;
// There will be space when others have been sent, or after a day.
const FULL_CODES = new Set(["file.limit_reached"]);
const BUSY_CODES = new Set([...FULL_CODES, "form.link_not_open", "storage.full"]);
const ACCEPT = "application/json, application/problem+json";
const running = new Set();

// The browser knows that the network is gone; a connection may only notice at its timeout.
globalThis.addEventListener?.("offline", () => {
  for (const controller of running) controller.abort();
});

export const saveDraft = (address, body, keepalive = false) => sendJson("PUT", address, body, { keepalive });
export const submitAnswers = (address, body) => sendJson("POST", address, body, {});
/** Save the answers so far, and create a link for continuing them. */
export const createReturnLink = (address, body) => sendJson("POST", `${address}/link`, body, {});

/**
 * Upload a file until `signal` cancels it.
 * @param {LocalFile} file
 * @param {AbortSignal} [signal]
 */
export function uploadFile({ base, version, field, name, type, blob }, signal) {
  const headers = { "Content-Type": type, "X-File-Name": encodeURIComponent(name) };
  const query = new URLSearchParams({ field, version });
  return sendRequest(`${base}/files?${query}`, { method: "POST", headers, body: blob }, UPLOAD_TIMEOUT_MS, signal);
}

function sendJson(method, address, body, options) {
  const headers = { "Content-Type": "application/json" };
  const request = { method, headers, body: JSON.stringify(body), ...options };
  return sendRequest(address, request, REQUEST_TIMEOUT_MS);
}

/**
 * The timeout is that of an empty request; larger ones have more time.
 * @returns {Promise<ApiResult>}
 */
async function sendRequest(address, request, timeoutMs, signal = undefined) {
  const headers = { ...request.headers, Accept: ACCEPT };
  const controller = new AbortController();
  const size = request.body.size ?? request.body.length;
  const timer = setTimeout(() => controller.abort(), timeoutMs + size / MIN_BYTES_PER_MS);
  signal?.addEventListener("abort", () => controller.abort());
  running.add(controller);
  try {
    return await toResult(await fetch(address, { ...request, headers, signal: controller.signal }));
  } catch {
    return { kind: "later", network: true };
  } finally {
    running.delete(controller);
    clearTimeout(timer);
  }
}

/** @returns {Promise<ApiResult>} */
async function toResult(response) {
  // A truncated body is a lost network, not a response.
  const body = await response.json().catch(() => (response.ok ? Promise.reject() : {}));
  if (response.ok) return { ...body, kind: "done" };
  if (response.status === 422 && body.code)
    return { kind: "refused", errors: body.errors ?? [], code: body.errors?.[0]?.code, detail: body.detail };
  // A response without our error code is from a proxy in front of the server, which may be restarting. The proxy may also
  // accept less at once than the server, and will not accept more next time.
  if (
    (!body.code && response.status !== 413) ||
    response.status >= 500 ||
    [408, 429].includes(response.status) ||
    BUSY_CODES.has(body.code)
  )
    return toLaterResult(response, body);
  return { kind: "closed", code: body.code, detail: body.detail ?? body.title };
}

/** `busy`: the server accepts nothing more for now; `wait` is the number of seconds it asks to wait. @returns {ApiResult} */
function toLaterResult(response, { code }) {
  const wait = Number(response.headers.get("Retry-After")) || 0;
  return { kind: "later", code, wait, busy: response.status === 429 || BUSY_CODES.has(code) };
}
