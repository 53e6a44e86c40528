// `random()` and `uuid()` in rules for initial answers, which have another value each time.

/** The variables with their values, by function. */
export const CHANCE = { random: "_random_", uuid: "_uuid_" };

export const CHANCE_TYPES = { [CHANCE.random]: "DECIMAL", [CHANCE.uuid]: "TEXT" };

/** Return new values, by variable. */
export const drawChance = () => ({ [CHANCE.random]: Math.random(), [CHANCE.uuid]: uuid() });

// `crypto.randomUUID` needs a secure connection, `getRandomValues` does not.
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
