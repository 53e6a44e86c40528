// The outbox: submissions are stored first, then sent, and deleted only when the server has them. Each has the id that the
// page chose, so sending it twice creates one submission; its files are sent before it.

import * as apiClient from "./api_client.js";
import * as outboxStorage from "./outbox_storage.js";
import { createProof } from "./proof_of_work.js";

/** @import { ApiResult } from "../types.js" */

const LOCAL_FILE_ID = /^local:[0-9a-f-]{36}$/;
// The server deletes files that no submission has named for a day; here they still exist.
const MISSING_FILE_CODES = new Set(["file.unknown", "file.taken"]);
/** What cancels the uploads that are running, by the ids of their files. */
const uploads = new Map();
/** @type {BroadcastChannel | null} */
let channel = null;

// The page in two tabs, and the service worker: only one of them sends at a time.
const withLock = (act) => (navigator.locks ? navigator.locks.request("formwright:outbox", act) : act());

/**
 * Send everything that can be sent, oldest first; a rejected submission waits for the user. If a link accepts nothing more
 * for now, its submissions wait. Returns the number of seconds that the server asks to wait.
 */
export async function flush() {
  const waiting = (await outboxStorage.getAll("submissions")).sort((one, other) => one.at - other.at);
  const busyLinks = new Map();
  for (const { id, base, problem } of waiting) {
    if (problem || busyLinks.has(base)) continue;
    const result = await send(id);
    if (result.busy) busyLinks.set(base, result.wait);
  }
  return Math.max(0, ...busyLinks.values());
}

/**
 * Send one. If it no longer exists, another tab has sent it.
 * @returns {Promise<ApiResult>}
 */
export const send = (id) =>
  withLock(async () => {
    const entry = await outboxStorage.get("submissions", id);
    if (!entry) return { kind: "done" };
    return entry.problem ?? recordResult(entry, await sendUnstored(entry));
  });

async function recordResult(entry, result) {
  if (result.kind === "done") await removeSent(entry, result);
  // A device without space for that tries again later; the following submissions continue.
  else if (result.kind !== "later")
    await outboxStorage.put("submissions", { ...entry, problem: result }).catch(() => {});
  return result;
}

/**
 * Send the files, then the answers, without storing anything.
 * @returns {Promise<ApiResult>}
 */
export async function sendUnstored(entry) {
  const result = await sendEntry(entry);
  const isMissingFiles = result.errors?.some(({ code }) => MISSING_FILE_CODES.has(code));
  return isMissingFiles && (await forgetUploads(entry.data)) ? sendEntry(entry) : result;
}

/** Let files be uploaded again that were uploaded earlier; returns whether there are any. */
async function forgetUploads(data) {
  const files = await Promise.all(findLocalFiles(data).map((id) => outboxStorage.get("files", id).catch(() => null)));
  const uploaded = files.filter((file) => file?.fileId);
  for (const file of uploaded) await outboxStorage.put("files", { ...file, fileId: undefined });
  return uploaded.length > 0;
}

/** @returns {Promise<ApiResult>} */
async function sendEntry({ id, base, versionId, data, seen, device, deviceTime, editor, revision }) {
  const fileIds = new Map();
  for (const local of findLocalFiles(data)) {
    const result = await uploadUnlocked(local);
    if (result.kind === "later") return result;
    if (result.id) fileIds.set(local, result.id);
  }
  const body = { versionId, data: replaceFileIds(data, fileIds), seen, device, deviceTime, editor, revision };
  const sendWithProof = (proof) => apiClient.submitAnswers(`${base}/submissions/${id}`, { ...body, proof });
  const result = await sendWithProof(undefined);
  if (result.code !== "fill.proof_required") return result;
  // The proof is created now, because it expires soon, also for what waited on the device. Without one, try again later.
  const proof = await createProof(base);
  const second = proof ? await sendWithProof(proof) : result;
  return second.code === "fill.proof_required" ? { kind: "later", code: second.code, wait: 0, busy: true } : second;
}

/**
 * Return the file's `id` on the server, which is requested once and then known.
 * @returns {Promise<ApiResult>}
 */
async function uploadUnlocked(local) {
  const controller = new AbortController();
  uploads.set(local, controller);
  const result = await uploadStoredFile(local, controller.signal);
  uploads.delete(local);
  return result;
}

/** @returns {Promise<ApiResult>} */
async function uploadStoredFile(local, signal) {
  const file = await outboxStorage.get("files", local).catch(() => null);
  if (file?.fileId) return { kind: "done", id: file.fileId };
  const result = file && !signal.aborted ? await apiClient.uploadFile(file, signal) : null;
  if (!result || signal.aborted) return { kind: "closed" };
  if (result.kind === "done") await outboxStorage.put("files", { ...file, fileId: result.id });
  return result;
}

export const uploadFile = (local) => withLock(() => uploadUnlocked(local));

/** Delete a file. An upload in progress is cancelled, because later submissions would wait for it. */
export async function removeFile(local) {
  uploads.get(local)?.abort();
  await outboxStorage.remove("files", local);
}

/** Delete what has arrived, and also the files of answers that were hidden when it was submitted. */
async function removeSent({ id, data, draft }, result) {
  for (const local of findLocalFiles([data, draft])) await outboxStorage.remove("files", local);
  await outboxStorage.remove("submissions", id);
  channel ??= new BroadcastChannel("formwright");
  channel.postMessage({ sent: id, answer: result });
}

/**
 * Return the ids of this device's files that the answers name.
 * @returns {string[]}
 */
export function findLocalFiles(value) {
  if (typeof value === "string") return LOCAL_FILE_ID.test(value) ? [value] : [];
  return value && typeof value === "object" ? Object.values(value).flatMap(findLocalFiles) : [];
}

/** Return the answers with other ids of files: those on the server, for example. */
export function replaceFileIds(value, ids) {
  if (typeof value === "string") return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceFileIds(item, ids));
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceFileIds(item, ids)]));
}
