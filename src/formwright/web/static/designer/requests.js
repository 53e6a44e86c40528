// Requests of the designer to the server. They never throw: the outcome is in what they return.

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * The outcome of a request that changes something. `faults` are validation errors; `detail` says why it was rejected. A
 * saved request also has what the server returned.
 * @typedef {{kind: "saved" | "faults" | "offline" | "signedOut" | "conflict" | "rejected", detail?: string, faults?: any[],
 *   [key: string]: any}} SaveResult
 */

/** Return the JSON at an address of the server, null if there is none, or undefined without a connection. */
export async function fetchJson(address) {
  try {
    const response = await fetch(address, { redirect: "manual" });
    return response.ok ? await response.json() : null;
  } catch {
    return undefined;
  }
}

/** @returns {Promise<SaveResult>} */
export async function postJson(address, body, token, keepalive = false) {
  try {
    const response = await fetch(address, {
      method: "POST",
      keepalive,
      redirect: "manual",
      headers: { "Content-Type": "application/json", "x-csrftoken": token },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return await readResult(response);
  } catch {
    return { kind: "offline" };
  }
}

/** @returns {Promise<SaveResult>} */
async function readResult(response) {
  if (response.type === "opaqueredirect") return { kind: "signedOut" };
  if (response.status >= 500 || response.status === 429) return { kind: "offline" };
  if (response.status === 413)
    return {
      kind: "rejected",
      detail: "The form is larger than 10 MiB and can’t be saved. Move long lists to a data source.",
    };
  if (response.status === 403)
    return {
      kind: "rejected",
      detail: "Your session expired, or you don’t have permission to edit this form. Reload the page.",
    };
  const content = await response.json();
  if (response.ok) return { kind: "saved", ...content };
  if (response.status === 422) return { kind: "faults", faults: content.faults };
  return { kind: response.status === 409 ? "conflict" : "rejected", detail: content.detail };
}
