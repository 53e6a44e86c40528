// The files that answers name: on this device until the submission has arrived.

import { reason, say } from "./words.js";

const { outbox, store } = globalThis.formwright;
const addresses = new Map();
const faults = new Map();
const shown = new Map();
const names = new Map();
const coming = new Set();
let given = {};
let form = {};

/** Somebody has added this, and it takes a moment to be an answer: the form is not sent before. */
export function awaited(work) {
  coming.add(work);
  const over = () => coming.delete(work);
  work.then(over, over);
}

export async function allHere() {
  while (coming.size) await Promise.allSettled(coming);
}

/** Files are for the form at this address, in this version; `passing`: the device keeps none of them. */
export const holdFor = (base, version, passing) => (form = { base, version, passing });

/** Files that the server has already, by their ids: {name, url}. */
export const give = (files) => (given = files);

/** Keep a file for this question; the id that stands for it in the answer until it is sent. */
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
 * Keep those of these answers once more that another tab, which has sent them, has forgotten, or for which there was no
 * room before; whether the device has all of them now.
 */
export async function keepAgain(answers) {
  const locals = outbox.locals(answers);
  for (const id of locals) {
    const file = await store.get("files", id);
    if (file ? store.passes(id) : shown.has(id)) await store.put("files", file ?? shown.get(id));
  }
  return !locals.some(store.passes);
}

/** The answers with copies in the place of their files, which the server does not have yet. */
export async function copied(answers) {
  const copies = new Map();
  for (const id of outbox.locals(answers)) {
    const file = await store.get("files", id).catch(() => null);
    if (!file) continue;
    copies.set(id, fresh());
    await store.put("files", { ...file, id: copies.get(id), fileId: undefined });
  }
  return outbox.named(answers, copies);
}

/** The file with an `address` for showing it; null when this device does not have it. */
export async function held(id) {
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

/** Nobody wants the files of these answers any more. */
export const releaseAll = (answers) => Promise.all(outbox.locals(answers).map(release));

/** Send it up now, if that can be done; what the server refuses is a fault of the answer. */
export async function toServer(id) {
  if (!form.base) return;
  const answer = await outbox.upload(id);
  if (answer.kind === "done") names.set(id, answer.id);
  if (answer.kind === "refused" || answer.kind === "closed") faults.set(id, reason(answer) ?? "");
}

/** The answers as the server may see them before they are sent: files by their names there, none that is not. */
export function known(answers) {
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

/** The first sentence that says why a file of this value cannot go; null when all can. */
export function fault(value) {
  const id = [value].flat().find((one) => faults.has(one));
  return id === undefined ? null : say("checkFile", faults.get(id));
}

export function statusOf(file) {
  if (!file) return "";
  if (file.fault !== undefined) return say("checkFile", file.fault);
  if (file.fileId) return say("uploaded");
  return say(store.passes(file.id) ? "notKept" : "onDevice");
}
