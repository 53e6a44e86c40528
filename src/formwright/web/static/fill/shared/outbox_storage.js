// Waiting submissions in IndexedDB, because the service worker reads them too:
//   `submissions` {id, base, versionId, data, seen, device?, editor?, revision?, draft, rows, at, problem?}
//   `files` {id, base, version, field, name, type, blob, fileId?}; those `inMemoryOnly` exist as long as the page is open.

import { IndexedDatabase } from "./indexed_database.js";

const database = new IndexedDatabase("formwright", ["submissions", "files"], "strict");
// Files that the device does not store: they can be sent as long as the page is open.
const memory = new Map();

export const get = async (name, id) => memory.get(id) ?? database.run([name], "readonly", (store) => store.get(id));
export const getAll = (name) => database.run([name], "readonly", (store) => store.getAll());

export async function put(name, record) {
  if (record.inMemoryOnly) return void memory.set(record.id, record);
  try {
    await database.run([name], "readwrite", (store) => store.put(record));
    memory.delete(record.id);
  } catch (error) {
    if (name !== "files") throw error;
    memory.set(record.id, record);
  }
}

/** Return whether a file exists only as long as the page is open. */
export const isInMemory = (id) => memory.has(id);

/** Add it; returns false without a change if this id exists already. */
export const add = (name, record) =>
  database.run([name], "readwrite", (store) => store.add(record)).then(() => true, falseIfExists);

function falseIfExists(error) {
  if (error?.name !== "ConstraintError") throw error;
  return false;
}

export function remove(name, id) {
  memory.delete(id);
  return database.run([name], "readwrite", (store) => store.delete(id));
}
