// The two calls of the page. Both answer {kind, ...} and never throw:
//   done (the server has it) · refused (422, `errors`) · closed (it will never take it) · later (it may, next time).

const PATIENCE = 30_000;

export const save = (address, body, keepalive = false) => call("PUT", address, body, keepalive);
export const submit = (address, body) => call("POST", address, body, false);

async function call(method, address, body, keepalive) {
  try {
    const response = await fetch(address, {
      method,
      keepalive,
      headers: { "Content-Type": "application/json", Accept: "application/json, application/problem+json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
    return await verdict(response);
  } catch {
    return { kind: "later", network: true };
  }
}

async function verdict(response) {
  // A body cut off on its way is a lost network, not an answer.
  const answer = await response.json().catch(() => (response.ok ? Promise.reject() : {}));
  if (response.ok) return { kind: "done", status: answer.status, id: answer.id };
  if (response.status === 422) return { kind: "refused", errors: answer.errors ?? [], detail: answer.detail };
  if (response.status >= 500 || response.status === 408 || response.status === 429) return { kind: "later" };
  return { kind: "closed", detail: answer.detail ?? answer.title };
}
