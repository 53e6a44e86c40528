// The files of answers: stored on this device until the submission has arrived.

import { rejectionText, t } from "./texts.js";
import * as outbox from "./shared/outbox.js";
import * as outboxStorage from "./shared/outbox_storage.js";

/** What is known of files while the page is open, by their ids on this device. */
const objectUrls = new Map();
const uploadErrors = new Map();
const loadedFiles = new Map();
const serverIds = new Map();
/** Work that must end before the form is submitted. */
const pendingWork = new Set();
/** @type {Record<string, { name: string, url: string }>} */
let serverFiles = {};
/** @type {{ base?: string, version?: string, inMemoryOnly?: boolean }} */
let form = {};

/** A file is being processed, or a position found: the form is not submitted before that is done. */
export function addPendingWork(work) {
  pendingWork.add(work);
  const finish = () => pendingWork.delete(work);
  work.then(finish, finish);
}

/** Resolves when nothing is pending, also not what began in the meantime. */
export async function waitForPendingWork() {
  while (pendingWork.size) await Promise.allSettled(pendingWork);
}

/** Files belong to the form at this address and version; `inMemoryOnly`: the device does not store them. */
export function setFormOfFiles(base, version, inMemoryOnly) {
  form = { base, version, inMemoryOnly };
}

/** Files that the server has already, by id: {name, url}. */
export function setServerFiles(files) {
  serverFiles = files;
}

/** Store a file for this question; returns the id that represents it in the answer until it is submitted. */
export async function storeFile(question, name, blob) {
  const id = createLocalId();
  const type = blob.type || "application/octet-stream";
  await outboxStorage.put("files", { id, ...form, field: question.name, name, type, blob });
  return id;
}

const createLocalId = () => `local:${crypto.randomUUID()}`;

/**
 * Store again the files of these answers that another tab has deleted after submitting, or that did not fit before;
 * returns whether the device has all of them now.
 */
export async function restoreFiles(answers) {
  const ids = outbox.findLocalFiles(answers);
  for (const id of ids) {
    const file = await outboxStorage.get("files", id);
    if (file ? outboxStorage.isInMemory(id) : loadedFiles.has(id))
      await outboxStorage.put("files", file ?? loadedFiles.get(id));
  }
  return !ids.some(outboxStorage.isInMemory);
}

/** Return the answers with copies of the files that the server does not have yet. */
export async function copyFiles(answers) {
  const copies = new Map();
  for (const id of outbox.findLocalFiles(answers)) {
    const file = await outboxStorage.get("files", id).catch(() => null);
    if (!file) continue;
    copies.set(id, createLocalId());
    await outboxStorage.put("files", { ...file, id: copies.get(id), fileId: undefined });
  }
  return outbox.replaceFileIds(answers, copies);
}

/** Return the file with an `address` for showing it; null if this device does not have it. */
export async function getFile(id) {
  const file = await outboxStorage.get("files", id).catch(() => null);
  if (!file) return serverFiles[id] ? { name: serverFiles[id].name, address: serverFiles[id].url, fileId: id } : null;
  if (file.fileId) serverIds.set(id, file.fileId);
  loadedFiles.set(id, { ...file, fileId: undefined });
  if (!objectUrls.has(id)) objectUrls.set(id, URL.createObjectURL(file.blob));
  return { ...file, address: objectUrls.get(id), uploadError: uploadErrors.get(id) };
}

/** Delete a file from this device. */
export async function deleteFile(id) {
  URL.revokeObjectURL(objectUrls.get(id));
  objectUrls.delete(id);
  loadedFiles.delete(id);
  uploadErrors.delete(id);
  await outbox.removeFile(id).catch(() => {});
}

/** Delete the files of these answers. */
export const deleteFiles = (answers) => Promise.all(outbox.findLocalFiles(answers).map(deleteFile));

/** Upload it now if possible; a refusal by the server is an error of the answer. */
export async function uploadFile(id) {
  if (!form.base) return;
  const result = await outbox.uploadFile(id);
  if (result.kind === "done") serverIds.set(id, result.id);
  if (result.kind === "refused" || result.kind === "closed") uploadErrors.set(id, rejectionText(result) ?? "");
}

/** Upload the files of these answers. Returns {answers} with their ids on the server, or {failed}, the result for one. */
export async function uploadFiles(answers) {
  for (const id of outbox.findLocalFiles(answers)) {
    const result = await outbox.uploadFile(id);
    if (result.kind !== "done") return { failed: result };
    serverIds.set(id, result.id);
  }
  return { answers: outbox.replaceFileIds(answers, serverIds) };
}

/** Return the answers for saving on the server before submitting: only files that it has, by their ids there. */
export function withServerIds(answers) {
  const onServer = outbox.replaceFileIds(answers, serverIds);
  const remaining = new Set(outbox.findLocalFiles(onServer));
  return remaining.size ? removeIds(onServer, remaining) : onServer;
}

function removeIds(value, ids) {
  if (Array.isArray(value)) return value.filter((item) => !ids.has(item)).map((item) => removeIds(item, ids));
  if (!value || typeof value !== "object") return value;
  const others = Object.entries(value).filter(([, item]) => !ids.has(item));
  return Object.fromEntries(others.map(([name, item]) => [name, removeIds(item, ids)]));
}

/** Return the first message why a file of this value cannot be submitted, or null. */
export function findFileError(value) {
  const id = [value].flat().find((one) => uploadErrors.has(one));
  return id === undefined ? null : t("checkFile", uploadErrors.get(id));
}

/** Return the text about a file: why it was refused, or where it is. */
export function describeFileState(file) {
  if (!file) return "";
  if (file.uploadError !== undefined) return t("checkFile", file.uploadError);
  if (file.fileId) return t("uploaded");
  return t(outboxStorage.isInMemory(file.id) ? "notSavedOnDevice" : "uploadsOnSubmit");
}
