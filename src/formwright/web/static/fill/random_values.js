// `random()` and `uuid()` in rules for initial answers, which have another value each time.

/** The variables with their values, by function. */
export const RANDOM_VARIABLES = { random: "_random_", uuid: "_uuid_" };

export const RANDOM_VARIABLE_KINDS = { [RANDOM_VARIABLES.random]: "DECIMAL", [RANDOM_VARIABLES.uuid]: "TEXT" };

/** Return new values, by variable. */
export const drawRandomValues = () => ({ [RANDOM_VARIABLES.random]: Math.random(), [RANDOM_VARIABLES.uuid]: uuid() });

// `crypto.randomUUID` needs a secure connection, `getRandomValues` does not.
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
