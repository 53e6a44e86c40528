// Lookups without a network: the rows for a form's lookups are downloaded, stored, and searched here with the same rules
// as on the server (`domain/datasources/row_search.py`).

import { toNeedle, toSearchText, splitWords } from "./text_normalization.js";
import * as storage from "./lookup_row_storage.js";

/** The limit for all lookups of a form. The server does not send data sources with more rows. */
const STORAGE_LIMITS = { rows: 50_000, bytes: 10_000_000 };
const PAGE_SIZE = 50;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_ATTEMPTS = 3;

const lookupId = (base, name) => `${base}/lookup/${name}`;
const openTables = new Map();

/** Download what is new for these lookups; a data source that does not fit is skipped as a whole. */
export async function downloadRows({ base, versionId, lookups }) {
  const space = { ...STORAGE_LIMITS };
  await storage.deleteOldRows().catch(() => {});
  for (const name of lookups) {
    const record = await downloadLookup(lookupId(base, name), versionId, { ...space }).catch(() => null);
    if (!record?.whole) continue;
    space.rows -= record.count;
    space.bytes -= record.bytes;
  }
}

async function downloadLookup(id, versionId, space) {
  const stored = await storage.getMetadata(id);
  // One that did not fit is requested again only if it has changed or there is more space.
  const etag = stored && (stored.whole || stored.space?.bytes >= space.bytes) ? stored.etag : null;
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const downloaded = await downloadParts(`${id}/rows`, versionId, etag, space);
    if (downloaded === "same") return touchRecord(stored);
    if (downloaded === "gone") return void (await storage.deleteRows(id));
    if (downloaded) return storeRecord({ id, space, ...downloaded });
  }
  return null;
}

async function touchRecord(record) {
  await storage.updateDate(record);
  return record;
}

async function storeRecord({ rows, ...record }) {
  openTables.delete(record.id);
  await storage.putRows(record, rows);
  return record;
}

/** Return all rows, "same" as before, or "gone"; null if they changed during the download. Throws without a response. */
async function downloadParts(address, version, etag, space) {
  const table = { etag: null, rows: [], bytes: 0, whole: true };
  for (let after = ""; after !== null; ) {
    const response = await call(`${address}?${new URLSearchParams({ version, after })}`, etag);
    if (response.status === 304) return "same";
    if (response.status === 404) return "gone";
    if (!response.ok) throw new Error(`${response.status}`);
    const content = await response.arrayBuffer();
    const part = JSON.parse(new TextDecoder().decode(content));
    if (table.etag && table.etag !== response.headers.get("etag")) return null;
    const { columns, display, mapping, count } = part;
    Object.assign(table, {
      etag: response.headers.get("etag"),
      version: part.version,
      columns,
      display,
      mapping,
      count,
    });
    table.bytes += content.byteLength;
    if (!part.fits || count > space.rows || table.bytes > space.bytes) return { ...table, rows: [], whole: false };
    for (const row of part.rows) table.rows.push(row);
    after = part.next;
    etag = null;
  }
  return table;
}

function call(address, etag) {
  const headers = { Accept: "application/json", ...(etag && { "If-None-Match": etag }) };
  return fetch(address, { headers, cache: "no-store", signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
}

/** Return whether the rows are stored ("whole"), too many ("large"), or not downloaded (null). */
export async function storageState(base, name) {
  const stored = await storage.getMetadata(lookupId(base, name)).catch(() => null);
  if (!stored) return null;
  return stored.whole ? "whole" : "large";
}

/** Like the server's response: {version, items}, up to 50 rows with the words of `q`, or those with the keys in `key`. */
export async function findRows(base, name, { q = "", key, skip = 0, ...by }) {
  const table = await openTable(lookupId(base, name));
  const cellFilters = Object.entries(by).filter(([name]) => name.startsWith("by."));
  const matchesCells = (row) => cellFilters.every(([name, value]) => cell(table, row, name.slice(3)) === String(value));
  if (key !== undefined)
    return toResult(
      table,
      table.rows.filter((row) => key.includes(row[0]) && matchesCells(row)),
    );
  const exactKey = q.trim();
  const needles = splitWords(q).map(toNeedle);
  const exact = exactKey ? table.rows.filter((row) => row[0] === exactKey && matchesCells(row)) : [];
  const others = table.rows.filter(
    (row, at) => row[0] !== exactKey && needles.every((one) => table.texts[at].includes(one)) && matchesCells(row),
  );
  return toResult(table, [...exact, ...others].slice(skip, skip + PAGE_SIZE));
}

async function openTable(id) {
  if (!openTables.has(id)) openTables.set(id, await loadTable(id));
  return openTables.get(id);
}

async function loadTable(id) {
  const [record, rows] = await Promise.all([storage.getMetadata(id), storage.getRows(id)]);
  const table = { ...record, rows, places: new Map(record.columns.map(({ name }, at) => [name, at + 1])) };
  table.texts = rows.map((row) => toSearchText([row[0], ...record.display.map((name) => cell(table, row, name))]));
  return table;
}

const cell = (table, row, name) => row[table.places.get(name)] ?? "";

const toResult = (table, rows) => ({ version: table.version, items: rows.map((row) => toItem(table, row)) });

function toItem(table, row) {
  const label = table.display.map((name) => cell(table, row, name)).filter(Boolean);
  const data = table.mapping.map((name) => [name, typedCell(table, row, name)]);
  const by = table.columns.map(({ name }) => [name, cell(table, row, name)]);
  return {
    key: row[0],
    label: label.join(" · ") || row[0],
    data: Object.fromEntries(data),
    by: Object.fromEntries(by),
  };
}

function typedCell(table, row, name) {
  const text = cell(table, row, name);
  const { type } = table.columns[table.places.get(name) - 1];
  return text === "" ? null : (CELL_PARSERS[type]?.(text) ?? text);
}

/** The cells of columns whose values are no texts. */
const CELL_PARSERS = { boolean: (text) => text === "true", integer: Number, decimal: Number };
