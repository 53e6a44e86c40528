// Patterns of text fields, and `matches` in rules: evaluated by RE2 as on the server (domain/forms/fields/patterns.py), and not by the
// browser, whose engine takes exponential time for some patterns and reads others differently.

let engine;
const compiled = new Map();

/** Loads the engine; only forms with patterns need it. */
export async function loadPatternEngine() {
  ({ RE2JS: engine } = await import("re2js"));
}

/** Whether the pattern matches anywhere in the text. Until the engine is loaded, any text does: submitting waits for it. */
export function matches(pattern, text) {
  if (!engine) return true;
  if (!compiled.has(pattern)) compiled.set(pattern, engine.compile(pattern));
  return compiled.get(pattern).test(text);
}

const PART = /\\[pP]\{\w+\}|\\.|\[(?:\\.|[^\]])*\]|\((?:\?:)?|\{(\d+)(?:,(\d*))?\}|./gsu;

/** How many parts a pattern has with its counted repetitions written out, as the server's `pattern_size`. */
export function patternSize(pattern) {
  const outer = [];
  let [size, last] = [0, 0];
  for (const [part, least, most] of pattern.matchAll(PART)) {
    if (part.startsWith("(")) {
      outer.push(size);
      size = 0;
    } else if (part === ")") {
      last = size;
      size += outer.pop() ?? 0;
    } else if (least) {
      size += last * (Number(most || least) - 1);
    } else {
      last = 1;
      size += 1;
    }
  }
  return size;
}
