// The files of answers: stored on this device until the submission has arrived.

import { reason, say } from "./texts.js";

const { outbox, store } = globalThis.formwright;
const addresses = new Map();
const faults = new Map();
const shown = new Map();
const names = new Map();
const coming = new Set();
let given = {};
let form = {};

/** A file was added and is being processed: the form is not submitted before that is done. */
export function addPending(work) {
  coming.add(work);
  const over = () => coming.delete(work);
  work.then(over, over);
}

export async function allHere() {
  while (coming.size) await Promise.allSettled(coming);
}

/** Files belong to the form at this address and version; `passing`: the device does not store them. */
export const holdFor = (base, version, passing) => (form = { base, version, passing });

/** Files that the server has already, by id: {name, url}. */
export const give = (files) => (given = files);

/** Store a file for this question; returns the id that represents it in the answer until it is submitted. */
export async function hold(question, name, blob) {
  const id = fresh();
  const field = question.name;
  const type = blob.type || "application/octet-stream";
  const file = { id, ...form, field, name, type, blob };
  await store.put("files", file);
  return id;
}

const fresh = () => `local:${crypto.randomUUID()}`;

/**
 * Store again the files of these answers that another tab has deleted after submitting, or that did not fit before;
 * returns whether the device has all of them now.
 */
export async function keepAgain(answers) {
  const locals = outbox.locals(answers);
  for (const id of locals) {
    const file = await store.get("files", id);
    if (file ? store.passes(id) : shown.has(id)) await store.put("files", file ?? shown.get(id));
  }
  return !locals.some(store.passes);
}

/** Return the answers with copies of the files that the server does not have yet. */
export async function copyFiles(answers) {
  const copies = new Map();
  for (const id of outbox.locals(answers)) {
    const file = await store.get("files", id).catch(() => null);
    if (!file) continue;
    copies.set(id, fresh());
    await store.put("files", { ...file, id: copies.get(id), fileId: undefined });
  }
  return outbox.named(answers, copies);
}

/** Return the file with an `address` for showing it; null if this device does not have it. */
export async function getFile(id) {
  const file = await store.get("files", id).catch(() => null);
  if (!file) return given[id] ? { name: given[id].name, address: given[id].url, fileId: id } : null;
  if (file.fileId) names.set(id, file.fileId);
  shown.set(id, { ...file, fileId: undefined });
  if (!addresses.has(id)) addresses.set(id, URL.createObjectURL(file.blob));
  return { ...file, address: addresses.get(id), fault: faults.get(id) };
}

export async function release(id) {
  URL.revokeObjectURL(addresses.get(id));
  addresses.delete(id);
  shown.delete(id);
  faults.delete(id);
  await outbox.release(id).catch(() => {});
}

/** Delete the files of these answers. */
export const releaseAll = (answers) => Promise.all(outbox.locals(answers).map(release));

/** Upload it now if possible; a refusal by the server is an error of the answer. */
export async function toServer(id) {
  if (!form.base) return;
  const answer = await outbox.upload(id);
  if (answer.kind === "done") names.set(id, answer.id);
  if (answer.kind === "refused" || answer.kind === "closed") faults.set(id, reason(answer) ?? "");
}

/** Upload the files of these answers. Returns {answers} with their ids on the server, or {failed}, the refusal of one. */
export async function uploadAll(answers) {
  const files = new Map();
  for (const local of outbox.locals(answers)) {
    const answer = await outbox.upload(local);
    if (answer.kind !== "done") return { failed: answer };
    files.set(local, answer.id);
    names.set(local, answer.id);
  }
  return { answers: outbox.named(answers, files) };
}

/** Return the answers for saving on the server before submitting: only files that it has, by their ids there. */
export function withServerIds(answers) {
  const named = outbox.named(answers, names);
  const left = new Set(outbox.locals(named));
  return left.size ? without(named, left) : named;
}

function without(value, left) {
  if (Array.isArray(value)) return value.filter((one) => !left.has(one)).map((one) => without(one, left));
  if (!value || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, one]) => !left.has(one));
  return Object.fromEntries(kept.map(([name, one]) => [name, without(one, left)]));
}

/** Return the first message why a file of this value cannot be submitted, or null. */
export function fault(value) {
  const id = [value].flat().find((one) => faults.has(one));
  return id === undefined ? null : say("checkFile", faults.get(id));
}

export function statusOf(file) {
  if (!file) return "";
  if (file.fault !== undefined) return say("checkFile", file.fault);
  if (file.fileId) return say("uploaded");
  return say(store.passes(file.id) ? "notSavedOnDevice" : "uploadsOnSubmit");
}
