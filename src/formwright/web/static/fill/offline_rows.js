// Lookups without a network: the rows for a form's lookups are downloaded, stored, and searched here with the same rules
// as on the server (`domain/datasources/row_search.py`).

import { needle, toSearchText, words } from "./text_normalization.js";
import * as shelf from "./lookup_row_storage.js";

/** The limit for all lookups of a form. The server does not send data sources with more rows. */
const LIMITS = { rows: 50_000, bytes: 10_000_000 };
const OFFERED = 50;
const PATIENCE = 30_000;
const TRIES = 3;

const idOf = (base, name) => `${base}/lookup/${name}`;
const opened = new Map();

/** Download what is new for these lookups; a data source that does not fit is skipped as a whole. */
export async function keepRows({ base, versionId, lookups }) {
  const space = { ...LIMITS };
  await shelf.tidy().catch(() => {});
  for (const name of lookups) {
    const record = await keepOne(idOf(base, name), versionId, { ...space }).catch(() => null);
    if (!record?.whole) continue;
    space.rows -= record.count;
    space.bytes -= record.bytes;
  }
}

async function keepOne(id, versionId, space) {
  const known = await shelf.about(id);
  // One that did not fit is requested again only if it has changed or there is more space.
  const etag = known && (known.whole || known.space?.bytes >= space.bytes) ? known.etag : null;
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await parts(`${id}/rows`, versionId, etag, space);
    if (found === "same") return touchRecord(known);
    if (found === "gone") return void (await shelf.drop(id));
    if (found) return keepRecord({ id, space, ...found });
  }
  return null;
}

async function touchRecord(record) {
  await shelf.touch(record);
  return record;
}

async function keepRecord({ rows, ...record }) {
  opened.delete(record.id);
  await shelf.keep(record, rows);
  return record;
}

/** Return all rows, "same" as before, or "gone"; null if they changed during the download. Throws without a response. */
async function parts(address, version, etag, space) {
  const found = { etag: null, rows: [], bytes: 0, whole: true };
  for (let after = ""; after !== null; ) {
    const response = await call(`${address}?${new URLSearchParams({ version, after })}`, etag);
    if (response.status === 304) return "same";
    if (response.status === 404) return "gone";
    if (!response.ok) throw new Error(`${response.status}`);
    const content = await response.arrayBuffer();
    const part = JSON.parse(new TextDecoder().decode(content));
    if (found.etag && found.etag !== response.headers.get("etag")) return null;
    const { columns, display, mapping, count } = part;
    Object.assign(found, {
      etag: response.headers.get("etag"),
      version: part.version,
      columns,
      display,
      mapping,
      count,
    });
    found.bytes += content.byteLength;
    if (!part.fits || count > space.rows || found.bytes > space.bytes) return { ...found, rows: [], whole: false };
    for (const row of part.rows) found.rows.push(row);
    after = part.next;
    etag = null;
  }
  return found;
}

function call(address, etag) {
  const headers = { Accept: "application/json", ...(etag && { "If-None-Match": etag }) };
  return fetch(address, { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
}

/** Return whether the rows are stored ("whole"), too many ("large"), or not downloaded (null). */
export async function state(base, name) {
  const known = await shelf.about(idOf(base, name)).catch(() => null);
  if (!known) return null;
  return known.whole ? "whole" : "large";
}

/** Like the server's response: {version, items}, up to 50 rows with the words of `q`, or those with the keys in `key`. */
export async function find(base, name, { q = "", key, skip = 0, ...by }) {
  const table = await open(idOf(base, name));
  const narrow = Object.entries(by).filter(([name]) => name.startsWith("by."));
  const fits = (row) => narrow.every(([name, value]) => cell(table, row, name.slice(3)) === String(value));
  if (key !== undefined)
    return answer(
      table,
      table.rows.filter((row) => key.includes(row[0]) && fits(row)),
    );
  const toValue = q.trim();
  const needles = words(q).map(needle);
  const exact = toValue ? table.rows.filter((row) => row[0] === toValue && fits(row)) : [];
  const others = table.rows.filter(
    (row, at) => row[0] !== toValue && needles.every((one) => table.texts[at].includes(one)) && fits(row),
  );
  return answer(table, [...exact, ...others].slice(skip, skip + OFFERED));
}

async function open(id) {
  if (!opened.has(id)) opened.set(id, await read(id));
  return opened.get(id);
}

async function read(id) {
  const [record, rows] = await Promise.all([shelf.about(id), shelf.rowsOf(id)]);
  const table = { ...record, rows, places: new Map(record.columns.map(({ name }, at) => [name, at + 1])) };
  table.texts = rows.map((row) => toSearchText([row[0], ...record.display.map((name) => cell(table, row, name))]));
  return table;
}

const cell = (table, row, name) => row[table.places.get(name)] ?? "";

const answer = (table, rows) => ({ version: table.version, items: rows.map((row) => item(table, row)) });

function item(table, row) {
  const label = table.display.map((name) => cell(table, row, name)).filter(Boolean);
  const data = table.mapping.map((name) => [name, typed(table, row, name)]);
  const by = table.columns.map(({ name }) => [name, cell(table, row, name)]);
  return {
    key: row[0],
    label: label.join(" · ") || row[0],
    data: Object.fromEntries(data),
    by: Object.fromEntries(by),
  };
}

function typed(table, row, name) {
  const text = cell(table, row, name);
  const { type } = table.columns[table.places.get(name) - 1];
  return text === "" ? null : (READ[type]?.(text) ?? text);
}

/** The cells of columns whose values are no texts. */
const READ = { boolean: (text) => text === "true", integer: Number, decimal: Number };
