// Keys of rows in groups that fit into an address.

const MAX_KEYS = 20;
// The server accepts 16 KiB of query, which also has the version. A key has 500 characters at most, each up to 12 bytes.
const MAX_BYTES = 8000;

/** Yield the keys in groups, in their order. */
export function* keyBatches(keys) {
  let batch = [];
  let bytes = 0;
  for (const key of keys) {
    const keyBytes = encodeURIComponent(key).length;
    if (batch.length === MAX_KEYS || (batch.length && bytes + keyBytes > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(key);
    bytes += keyBytes;
  }
  if (batch.length) yield batch;
}
