// Forms that accept one response per device identify it by a random id, which no other form sees. Fields for
// the id of the device have another one, which is the same in all forms.

const idKey = (base) => `formwright:device:${base}`;
const storageKey = (base) => `formwright:answered:${base}`;
// Devices that store nothing are identified as long as the page is open.
const memory = new Map();

/** Return the id of this device for the form at the address `base`. */
export function deviceOf(base) {
  const id = read(idKey(base)) ?? crypto.randomUUID();
  write(idKey(base), id);
  return id;
}

/** Return the id of this device for `metadata` of all forms. */
export const deviceId = () => deviceOf("");

/** Remember that a response has been submitted here. */
export const noteAnswered = (base) => write(storageKey(base), "1");

/** Return whether this device has responded. The server knows whether the response still exists. */
export async function wasAnswered(base) {
  if (!read(storageKey(base))) return false;
  try {
    const response = await fetch(`${base}/devices/${deviceOf(base)}`);
    return response.ok ? (await response.json()).answered : true;
  } catch {
    return true;
  }
}

function read(key) {
  try {
    return localStorage.getItem(key) ?? memory.get(key);
  } catch {
    return memory.get(key);
  }
}

function write(key, value) {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is in the memory.
  }
}
