// Proof of work: if a link receives unusually many responses, the page solves a challenge (ALTCHA, PoW v2) before it
// submits. The browser derives the keys outside of the page's thread.

self.formwright ??= {};
self.formwright.proof = (() => {
  // So many derivations run at once.
  const BATCH = 8;
  const MOST = 100_000;

  const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

  async function derive({ nonce, salt, cost, keyLength }, counter) {
    const password = new Uint8Array(nonce.length / 2 + 4);
    password.set(bytes(nonce));
    new DataView(password.buffer).setUint32(nonce.length / 2, counter);
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const rule = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: cost };
    return hex(await crypto.subtle.deriveBits(rule, key, keyLength * 8));
  }

  /** Return the solution of a challenge, as the server reads it. */
  async function solve(challenge) {
    const { parameters } = challenge;
    for (let first = 0; first < MOST; first += BATCH) {
      const counters = Array.from({ length: BATCH }, (_, place) => first + place);
      const keys = await Promise.all(counters.map((counter) => derive(parameters, counter)));
      const found = keys.findIndex((key) => key.startsWith(parameters.keyPrefix));
      if (found >= 0) {
        const solution = { counter: first + found, derivedKey: keys[found] };
        return btoa(JSON.stringify({ challenge, solution }));
      }
    }
    return null;
  }

  /** Return the proof for one request to the form at the address `base`, or null without a network. */
  async function prove(base) {
    try {
      const response = await fetch(`${base}/challenge`, { cache: "no-store" });
      return response.ok ? await solve(await response.json()) : null;
    } catch {
      return null;
    }
  }

  return { prove };
})();
