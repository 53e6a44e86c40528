// Forms that accept one response per device identify it by a random id, which no other form sees. Fields for
// the id of the device have another one, which is the same in all forms.

const deviceIdKey = (base) => `formwright:device:${base}`;
const answeredKey = (base) => `formwright:answered:${base}`;
// Devices that store nothing are identified as long as the page is open.
const memoryFallback = new Map();

/** Return the id of this device for the form at the address `base`. */
export function deviceIdForForm(base) {
  const id = read(deviceIdKey(base)) ?? crypto.randomUUID();
  write(deviceIdKey(base), id);
  return id;
}

/** Return the id of this device for `metadata` of all forms. */
export const deviceId = () => deviceIdForForm("");

/** Remember that a response has been submitted here. */
export const markAnswered = (base) => write(answeredKey(base), "1");

/** Return whether this device has responded. The server knows whether the response still exists. */
export async function hasAnswered(base) {
  if (!read(answeredKey(base))) return false;
  try {
    const response = await fetch(`${base}/devices/${deviceIdForForm(base)}`);
    return response.ok ? (await response.json()).answered : true;
  } catch {
    return true;
  }
}

function read(key) {
  try {
    return localStorage.getItem(key) ?? memoryFallback.get(key);
  } catch {
    return memoryFallback.get(key);
  }
}

function write(key, value) {
  memoryFallback.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is in the memory.
  }
}
