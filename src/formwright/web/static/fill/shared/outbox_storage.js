// Waiting submissions in IndexedDB, because the service worker reads them too:
//   `submissions` {id, base, versionId, data, seen, device?, editor?, revision?, draft, rows, at, problem?}
//   `files` {id, base, version, field, name, type, blob, fileId?}; those `inMemoryOnly` exist as long as the page is open.

/** @type {Promise<IDBDatabase> | null} */
let opening = null;
// Files that the device does not store: they can be sent as long as the page is open.
const memory = new Map();

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("formwright", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("submissions", { keyPath: "id" });
      request.result.createObjectStore("files", { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  // A device that refuses once may accept it the next time.
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

const LOST_CONNECTION_ERRORS = ["InvalidStateError", "UnknownError"];

// The browser may have closed the database of a page that was frozen.
async function runTransaction(name, mode, request) {
  try {
    return await runOnce(await open(), name, mode, request);
  } catch (error) {
    if (!LOST_CONNECTION_ERRORS.includes(error?.name)) throw error;
    opening = null;
    return runOnce(await open(), name, mode, request);
  }
}

function runOnce(database, name, mode, createRequest) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode, { durability: "strict" });
    const request = createRequest(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

export const get = async (name, id) => memory.get(id) ?? runTransaction(name, "readonly", (store) => store.get(id));
export const getAll = (name) => runTransaction(name, "readonly", (store) => store.getAll());

export async function put(name, record) {
  if (record.inMemoryOnly) return void memory.set(record.id, record);
  try {
    await runTransaction(name, "readwrite", (store) => store.put(record));
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
  runTransaction(name, "readwrite", (store) => store.add(record)).then(() => true, falseIfExists);

function falseIfExists(error) {
  if (error?.name !== "ConstraintError") throw error;
  return false;
}

export function remove(name, id) {
  memory.delete(id);
  return runTransaction(name, "readwrite", (store) => store.delete(id));
}
