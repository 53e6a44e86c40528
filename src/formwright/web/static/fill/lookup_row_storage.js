// The rows of lookups stored on this device, in an IndexedDB database apart from the outbox. Two object stores, so that
// the metadata can be read without the rows:
//   `lookups` {id, etag, version, columns, display, mapping, whole, space, count, bytes, at} · `rows` {id, rows}.

const MAX_AGE_DAYS = 30;
let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("formwright-rows", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("lookups", { keyPath: "id" });
      request.result.createObjectStore("rows", { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  opening.catch(() => (opening = null));
  return opening;
}

/** Run `createRequest(lookups, rows)` in a transaction and return its result when that is complete. */
async function runTransaction(...all) {
  try {
    return await runOnce(await open(), ...all);
  } catch {
    // The browser may have closed the database of a page that was frozen.
    opening = null;
    return runOnce(await open(), ...all);
  }
}

function runOnce(database, mode, createRequest) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(["lookups", "rows"], mode);
    const request = createRequest(transaction.objectStore("lookups"), transaction.objectStore("rows"));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Return the metadata of the rows with this id. */
export const getMetadata = (id) => runTransaction("readonly", (lookups) => lookups.get(id));

export const getRows = async (id) => (await runTransaction("readonly", (_, rows) => rows.get(id)))?.rows ?? [];

/** Store both, or neither. */
export const putRows = (record, found) =>
  runTransaction("readwrite", (lookups, rows) => {
    rows.put({ id: record.id, rows: found });
    return lookups.put({ ...record, at: Date.now() });
  });

/** The rows are still current: update only the date. */
export const updateDate = (record) =>
  runTransaction("readwrite", (lookups) => lookups.put({ ...record, at: Date.now() }));

/** Delete the rows that no page has used for a month. */
export async function deleteOldRows() {
  const all = await runTransaction("readonly", (lookups) => lookups.getAll());
  const expired = all.filter(({ at }) => Date.now() - at > MAX_AGE_DAYS * 24 * 3600 * 1000);
  await runTransaction(
    "readwrite",
    (lookups, rows) => expired.map(({ id }) => [lookups.delete(id), rows.delete(id)]).at(-1)?.[1],
  );
}

export const deleteRows = (id) =>
  runTransaction("readwrite", (lookups, rows) => {
    rows.delete(id);
    return lookups.delete(id);
  });
