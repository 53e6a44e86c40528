// Proof of work: if a link receives unusually many responses, the page solves a challenge (ALTCHA, PoW v2) before it
// submits. The browser derives the keys outside of the page's thread.

// So many derivations run at once.
const BATCH_SIZE = 8;
const MAX_COUNTER = 100_000;

const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const toHex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function deriveKey({ nonce, salt, cost, keyLength }, counter) {
  const password = new Uint8Array(nonce.length / 2 + 4);
  password.set(fromHex(nonce));
  new DataView(password.buffer).setUint32(nonce.length / 2, counter);
  const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: fromHex(salt), iterations: cost };
  return toHex(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8));
}

/** Return the solution of a challenge, as the server reads it; null if there is none. */
async function solveChallenge(challenge) {
  const { parameters } = challenge;
  for (let first = 0; first < MAX_COUNTER; first += BATCH_SIZE) {
    const counters = Array.from({ length: BATCH_SIZE }, (_, index) => first + index);
    const keys = await Promise.all(counters.map((counter) => deriveKey(parameters, counter)));
    const index = keys.findIndex((key) => key.startsWith(parameters.keyPrefix));
    if (index >= 0) {
      const solution = { counter: first + index, derivedKey: keys[index] };
      return btoa(JSON.stringify({ challenge, solution }));
    }
  }
  return null;
}

/** Return the proof for one request to the form at the address `base`, or null without a network. */
export async function createProof(base) {
  try {
    const response = await fetch(`${base}/challenge`, { cache: "no-store" });
    return response.ok ? await solveChallenge(await response.json()) : null;
  } catch {
    return null;
  }
}
