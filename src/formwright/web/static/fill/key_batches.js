// Keys of rows in groups that fit into an address.

const MAX_KEYS = 20;
// The server accepts 16 KiB of query, which also has the version. A key has 500 characters at most, each up to 12 bytes.
const MAX_BYTES = 8000;

/** Yield the keys in groups, in their order. */
export function* keyBatches(keys) {
  let batch = [];
  let size = 0;
  for (const key of keys) {
    const own = encodeURIComponent(key).length;
    if (batch.length === MAX_KEYS || (batch.length && size + own > MAX_BYTES)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(key);
    size += own;
  }
  if (batch.length) yield batch;
}
