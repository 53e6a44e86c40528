// Notes, sections and repeats.

function checkRows({ minItems, maxItems }, value) {
  if (value.length > maxItems) return ["checkMost", maxItems];
  return value.length < minItems ? ["checkFewest", minItems] : null;
}

export const note = {};
export const section = {};
export const repeat = { check: checkRows };
