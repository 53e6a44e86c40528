// Names in the code of a rule that are not those of fields, found while it is typed: the code may be incomplete.

const TEXTS =
  /r?"""(?:[^\\]|\\.)*?"""|r?'''(?:[^\\]|\\.)*?'''|r?"(?:[^"\\\n]|\\.)*"?|r?'(?:[^'\\\n]|\\.)*'?|\/\/[^\n]*/gis;
const LOOP_VARIABLES = /\.\s*(?:all|exists|exists_one|map|filter)\s*\(\s*([A-Za-z_]\w*)\s*,/g;
const WORDS = /(\banswered\s*\.\s*|\.\s*)?\b([A-Za-z_]\w*)\b(?!\s*\()/g;
const KEYWORDS = ["true", "false", "null", "in", "answered"];
const MAX_TYPOS = 2;

/** Return the first unknown name that ends before or after `caret`, and a similar known one, or null. */
export function findUnknownName(code, known, caret = -1) {
  const blank = (text) => " ".repeat(text.length);
  const bare = code.replace(TEXTS, blank);
  const names = new Set([...known, ...KEYWORDS, ...[...bare.matchAll(LOOP_VARIABLES)].map(([, name]) => name)]);
  for (const { index, 0: word, 1: before, 2: name } of bare.matchAll(WORDS)) {
    const isProperty = before && !before.startsWith("answered");
    // A name that is still being typed is not wrong yet.
    const isUnfinished = index + word.length === caret && known.some((one) => one.startsWith(name));
    if (!isProperty && !names.has(name) && !isUnfinished && !/^\d/.test(name))
      return { name, similar: findSimilar(name, known) };
  }
  return null;
}

function findSimilar(name, known) {
  const ranked = known.map((one) => [countTypos(name.toLowerCase(), one.toLowerCase()), one]);
  const [best] = ranked.sort(([one], [other]) => one - other);
  return best && best[0] <= Math.min(MAX_TYPOS, name.length - 1) ? best[1] : null;
}

/** Count the letters to insert, remove or replace (Levenshtein). */
function countTypos(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [index, known] of [...other].entries())
      next.push(Math.min(next[index] + 1, row[index + 1] + 1, row[index] + (letter === known ? 0 : 1)));
    row = next;
  }
  return row.at(-1);
}
