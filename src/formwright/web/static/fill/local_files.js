// The files of answers: stored on this device until the submission has arrived.

import { rejectionText, t } from "./texts.js";

const { outbox, store } = globalThis.formwright;
const objectUrls = new Map();
const uploadErrors = new Map();
const loadedFiles = new Map();
const serverIds = new Map();
const pendingFiles = new Set();
let serverFiles = {};
let form = {};

/** A file was added and is being processed: the form is not submitted before that is done. */
export function addPending(work) {
  pendingFiles.add(work);
  const over = () => pendingFiles.delete(work);
  work.then(over, over);
}

export async function waitForPendingFiles() {
  while (pendingFiles.size) await Promise.allSettled(pendingFiles);
}

/** Files belong to the form at this address and version; `passing`: the device does not store them. */
export const setFormOfFiles = (base, version, passing) => (form = { base, version, passing });

/** Files that the server has already, by id: {name, url}. */
export const setServerFiles = (files) => (serverFiles = files);

/** Store a file for this question; returns the id that represents it in the answer until it is submitted. */
export async function storeFile(question, name, blob) {
  const id = createLocalId();
  const field = question.name;
  const type = blob.type || "application/octet-stream";
  const file = { id, ...form, field, name, type, blob };
  await store.put("files", file);
  return id;
}

const createLocalId = () => `local:${crypto.randomUUID()}`;

/**
 * Store again the files of these answers that another tab has deleted after submitting, or that did not fit before;
 * returns whether the device has all of them now.
 */
export async function restoreFiles(answers) {
  const locals = outbox.locals(answers);
  for (const id of locals) {
    const file = await store.get("files", id);
    if (file ? store.passes(id) : loadedFiles.has(id)) await store.put("files", file ?? loadedFiles.get(id));
  }
  return !locals.some(store.passes);
}

/** Return the answers with copies of the files that the server does not have yet. */
export async function copyFiles(answers) {
  const copies = new Map();
  for (const id of outbox.locals(answers)) {
    const file = await store.get("files", id).catch(() => null);
    if (!file) continue;
    copies.set(id, createLocalId());
    await store.put("files", { ...file, id: copies.get(id), fileId: undefined });
  }
  return outbox.named(answers, copies);
}

/** Return the file with an `address` for showing it; null if this device does not have it. */
export async function getFile(id) {
  const file = await store.get("files", id).catch(() => null);
  if (!file) return serverFiles[id] ? { name: serverFiles[id].name, address: serverFiles[id].url, fileId: id } : null;
  if (file.fileId) serverIds.set(id, file.fileId);
  loadedFiles.set(id, { ...file, fileId: undefined });
  if (!objectUrls.has(id)) objectUrls.set(id, URL.createObjectURL(file.blob));
  return { ...file, address: objectUrls.get(id), fault: uploadErrors.get(id) };
}

export async function deleteFile(id) {
  URL.revokeObjectURL(objectUrls.get(id));
  objectUrls.delete(id);
  loadedFiles.delete(id);
  uploadErrors.delete(id);
  await outbox.release(id).catch(() => {});
}

/** Delete the files of these answers. */
export const deleteFiles = (answers) => Promise.all(outbox.locals(answers).map(deleteFile));

/** Upload it now if possible; a refusal by the server is an error of the answer. */
export async function uploadFile(id) {
  if (!form.base) return;
  const answer = await outbox.upload(id);
  if (answer.kind === "done") serverIds.set(id, answer.id);
  if (answer.kind === "refused" || answer.kind === "closed") uploadErrors.set(id, rejectionText(answer) ?? "");
}

/** Upload the files of these answers. Returns {answers} with their ids on the server, or {failed}, the refusal of one. */
export async function uploadFiles(answers) {
  const files = new Map();
  for (const local of outbox.locals(answers)) {
    const answer = await outbox.upload(local);
    if (answer.kind !== "done") return { failed: answer };
    files.set(local, answer.id);
    serverIds.set(local, answer.id);
  }
  return { answers: outbox.named(answers, files) };
}

/** Return the answers for saving on the server before submitting: only files that it has, by their ids there. */
export function withServerIds(answers) {
  const named = outbox.named(answers, serverIds);
  const left = new Set(outbox.locals(named));
  return left.size ? removeLocalFiles(named, left) : named;
}

function removeLocalFiles(value, left) {
  if (Array.isArray(value)) return value.filter((one) => !left.has(one)).map((one) => removeLocalFiles(one, left));
  if (!value || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, one]) => !left.has(one));
  return Object.fromEntries(kept.map(([name, one]) => [name, removeLocalFiles(one, left)]));
}

/** Return the first message why a file of this value cannot be submitted, or null. */
export function findFileError(value) {
  const id = [value].flat().find((one) => uploadErrors.has(one));
  return id === undefined ? null : t("checkFile", uploadErrors.get(id));
}

export function describeFileState(file) {
  if (!file) return "";
  if (file.fault !== undefined) return t("checkFile", file.fault);
  if (file.fileId) return t("uploaded");
  return t(store.passes(file.id) ? "notSavedOnDevice" : "uploadsOnSubmit");
}
