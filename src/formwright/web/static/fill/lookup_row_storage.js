// The rows of lookups stored on this device, in an IndexedDB database apart from the outbox. Two object stores, so that
// the metadata can be read without the rows:
//   `lookups` {id, etag, version, columns, display, mapping, whole, space, count, bytes, at} · `rows` {id, rows}.

import { IndexedDatabase } from "./shared/indexed_database.js";

const MAX_AGE_DAYS = 30;
const STORE_NAMES = ["lookups", "rows"];
const database = new IndexedDatabase("formwright-rows", STORE_NAMES);

/** Run `createRequest(lookups, rows)` in a transaction and return its result when that is complete. */
const runTransaction = (mode, createRequest) => database.run(STORE_NAMES, mode, createRequest);

/** Return the metadata of the rows with this id. */
export const getMetadata = (id) => runTransaction("readonly", (lookups) => lookups.get(id));

export const getRows = async (id) => (await runTransaction("readonly", (_, rows) => rows.get(id)))?.rows ?? [];

/** Store both, or neither. */
export const putRows = (record, content) =>
  runTransaction("readwrite", (lookups, rows) => {
    rows.put({ id: record.id, rows: content });
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
