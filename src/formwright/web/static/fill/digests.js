// Digests of texts, as on the server (domain/forms/rules/functions.py). They come from a library, because browsers compute
// them asynchronously only, and rules are synchronous.

let algorithms = {};

/** Loads the library. Await it before the first call of `computeDigest`; only forms with such rules need it. */
export async function loadDigests() {
  ({ ALGORITHMS: algorithms } = await import("./digest_algorithms.js"));
}

/** Return the digest of a text in this encoding; undefined for unknown algorithms and encodings. */
export function computeDigest(text, algorithm, encoding) {
  const compute = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : null;
  const encode = { base64: toBase64, hex: toHex }[encoding];
  return compute && encode ? encode(compute(new TextEncoder().encode(text))) : undefined;
}

const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
