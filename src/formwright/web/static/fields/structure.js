// Notes, sections and repeats.

export const note = {};
export const section = {};
export const repeat = { check: (step, value) => (value.length > step.max ? ["checkMost", step.max] : fewest(step, value)) };

function fewest(step, value) {
  const least = Math.max(step.min ?? 0, step.required ? 1 : 0);
  return value.length < least ? ["checkFewest", least] : null;
}
