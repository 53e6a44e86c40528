// The rows of lookups that are kept on this device, in an IndexedDB of their own: what waits to be sent has nothing to
// do with them. Two stores, so that what is known of the rows is read without them:
//   `lookups` {id, etag, version, columns, display, mapping, whole, room, count, bytes, at} · `rows` {id, rows}.

const DAYS = 30;
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

/** What `act(lookups, rows)` asked for, when all of it is done. */
async function within(...all) {
  try {
    return await once(await open(), ...all);
  } catch {
    // The browser of a page that was frozen may have closed what the page had open.
    opening = null;
    return once(await open(), ...all);
  }
}

function once(database, mode, act) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(["lookups", "rows"], mode);
    const request = act(transaction.objectStore("lookups"), transaction.objectStore("rows"));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** What is known of the rows under this id. */
export const about = (id) => within("readonly", (lookups) => lookups.get(id));

export const rowsOf = async (id) => (await within("readonly", (_, rows) => rows.get(id)))?.rows ?? [];

/** Both at once, or neither. */
export const keep = (record, found) =>
  within("readwrite", (lookups, rows) => {
    rows.put({ id: record.id, rows: found });
    return lookups.put({ ...record, at: Date.now() });
  });

/** They are still right: only the day changes. */
export const touch = (record) => within("readwrite", (lookups) => lookups.put({ ...record, at: Date.now() }));

/** Forget those that no page has asked for in a month. */
export async function tidy() {
  const all = await within("readonly", (lookups) => lookups.getAll());
  const old = all.filter(({ at }) => Date.now() - at > DAYS * 24 * 3600 * 1000);
  await within("readwrite", (lookups, rows) => old.map(({ id }) => [lookups.delete(id), rows.delete(id)]).at(-1)?.[1]);
}

export const drop = (id) =>
  within("readwrite", (lookups, rows) => {
    rows.delete(id);
    return lookups.delete(id);
  });
