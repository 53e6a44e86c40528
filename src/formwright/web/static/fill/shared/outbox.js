// The outbox: submissions are stored first, then sent, and deleted only when the server has them. Each has the id that the
// page chose, so sending it twice creates one submission; its files are sent before it.

self.formwright ??= {};
self.formwright.outbox = (() => {
  const { proof, remote, store } = self.formwright;
  const LOCAL = /^local:[0-9a-f-]{36}$/;
  // The server deletes files that no submission has named for a day; here they still exist.
  const GONE = new Set(["file.unknown", "file.taken"]);
  const goingUp = new Map();
  const telling = new BroadcastChannel("formwright");

  // The page in two tabs, and the service worker: only one of them sends at a time.
  const withLock = (act) => (navigator.locks ? navigator.locks.request("formwright:outbox", act) : act());

  /**
   * Send everything that can be sent, oldest first; a rejected submission waits for the user. If a link accepts nothing more
   * for now, its submissions wait. Returns the number of seconds that the server asks to wait.
   */
  async function flush() {
    const waiting = (await store.all("submissions")).sort((one, other) => one.at - other.at);
    const busy = new Map();
    for (const { id, base, problem } of waiting) {
      if (problem || busy.has(base)) continue;
      const answer = await send(id);
      if (answer.busy) busy.set(base, answer.wait);
    }
    return Math.max(0, ...busy.values());
  }

  /** Send one. If it no longer exists, another tab has sent it. */
  const send = (id) =>
    withLock(async () => {
      const kept = await store.get("submissions", id);
      if (!kept) return { kind: "done" };
      return kept.problem ?? settle(kept, await deliver(kept));
    });

  async function settle(kept, answer) {
    if (answer.kind === "done") await forget(kept, answer);
    // A device without space for that tries again later; the following submissions continue.
    else if (answer.kind !== "later") await store.put("submissions", { ...kept, problem: answer }).catch(() => {});
    return answer;
  }

  /** Send the files, then the answers, without storing anything. */
  async function deliver(entry) {
    const answer = await submitEntry(entry);
    const gone = answer.errors?.some(({ code }) => GONE.has(code));
    return gone && (await forgetUploads(entry.data)) ? submitEntry(entry) : answer;
  }

  /** Upload files again that were uploaded earlier; returns whether there are any. */
  async function forgetUploads(data) {
    const files = await Promise.all(locals(data).map((local) => store.get("files", local).catch(() => null)));
    const known = files.filter((file) => file?.fileId);
    for (const file of known) await store.put("files", { ...file, fileId: undefined });
    return known.length > 0;
  }

  async function submitEntry({ id, base, versionId, data, seen, device, deviceTime, editor, revision }) {
    const files = new Map();
    for (const local of locals(data)) {
      const answer = await uploadFile(local);
      if (answer.kind === "later") return answer;
      if (answer.id) files.set(local, answer.id);
    }
    const send = (proven) =>
      remote.submit(`${base}/submissions/${id}`, {
        versionId,
        data: named(data, files),
        seen,
        device,
        deviceTime,
        editor,
        revision,
        proof: proven,
      });
    const answer = await send();
    if (answer.code !== "fill.proof_required") return answer;
    // The proof is made now, because it expires soon, also for what waited on the device. Without one, try again later.
    const proven = await proof.prove(base);
    const second = proven ? await send(proven) : answer;
    return second.code === "fill.proof_required" ? { kind: "later", code: second.code, wait: 0, busy: true } : second;
  }

  /** Return the file's id on the server, which is requested once and then known. */
  async function uploadFile(local) {
    const stop = new AbortController();
    goingUp.set(local, stop);
    const answer = await sendFile(local, stop.signal);
    goingUp.delete(local);
    return answer;
  }

  async function sendFile(local, stop) {
    const file = await store.get("files", local).catch(() => null);
    if (file?.fileId) return { kind: "done", id: file.fileId };
    const answer = file && !stop.aborted ? await remote.upload(file, stop) : { kind: "closed" };
    if (stop.aborted) return { kind: "closed" };
    if (answer.kind === "done") await store.put("files", { ...file, fileId: answer.id });
    return answer;
  }

  /** Delete a file. An upload in progress is cancelled, because later submissions would wait for it. */
  async function release(local) {
    goingUp.get(local)?.abort();
    await store.drop("files", local);
  }

  /** Also delete the files of answers that were hidden when it was submitted. */
  async function forget({ id, data, draft }, answer) {
    for (const local of locals([data, draft])) await store.drop("files", local);
    await store.drop("submissions", id);
    telling.postMessage({ sent: id, answer });
  }

  /** Return this device's files that the answers name. */
  function locals(value) {
    if (typeof value === "string") return LOCAL.test(value) ? [value] : [];
    return value && typeof value === "object" ? Object.values(value).flatMap(locals) : [];
  }

  /** Return the answers with the files' ids on the server. */
  function named(value, files) {
    if (typeof value === "string") return files.get(value) ?? value;
    if (Array.isArray(value)) return value.map((one) => named(one, files));
    if (!value || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, named(one, files)]));
  }

  return { flush, send, deliver, release, locals, named, upload: (local) => withLock(() => uploadFile(local)) };
})();
