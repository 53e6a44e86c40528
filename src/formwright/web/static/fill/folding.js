// Text as it is searched, without case and accents: the mirror of domain/datasources/search/normalize.py. tests/web/fill holds
// both to one table.

const CELL_SEARCHED = 200;
const MOST_WORDS = 20;

// Letters that look accented, but that Unicode does not take apart.
const PLAIN = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", æ: "ae", œ: "oe", þ: "th", ŧ: "t" };
const PLAINED = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
const BETWEEN = "\x01";
// What the server takes for a blank; a browser's \s is another set.
const BLANK = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const SIMPLE = /^[\0-\x7f]*$/;

/** The text in lower case and without accents. */
export function folded(text) {
  if (SIMPLE.test(text)) return text.toLowerCase();
  const apart = caseless(text).normalize("NFKD").replace(/\p{M}/gu, (mark) => (combines(mark) ? "" : mark));
  const plain = caseless(apart).replace(PLAINED, (letter) => PLAIN[letter]);
  return plain.normalize("NFC");
}

/** The words that somebody looks for. */
export function words(text) {
  const plain = folded(text).replaceAll("\0", " ").replaceAll(BETWEEN, " ");
  return split(plain.replace(UNSPACED, pairs)).slice(0, MOST_WORDS);
}

/** The text in which a row is found: its cells one after another, each to be told from the others. */
export function searched(cells) {
  const text = folded(["", ...cells.map(beginning), ""].join(` ${BETWEEN} `));
  return split(text.replace(UNSPACED, (run) => `${pairs(run)}${[...run].at(-1)} `)).join(" ");
}

const split = (text) => text.split(BLANK).filter(Boolean);

function beginning(cell) {
  const short = cell.length > CELL_SEARCHED ? [...cell].slice(0, CELL_SEARCHED).join("") : cell;
  return short.replaceAll(BETWEEN, " ");
}

// Every two letters in a row as words; a single letter as one.
function pairs(run) {
  const letters = [...run];
  const found = letters.slice(0, Math.max(1, letters.length - 1)).map((_, at) => letters.slice(at, at + 2).join(""));
  return ` ${found.join(" ")} `;
}

/** What to look for in a `searched` text: a word shorter than three letters only where one begins. */
export const needle = (word) => ([...word].length > 2 ? word : ` ${word}`);

// A browser has no case folding. In upper case the dotless i would become one with the dotted too soon.
function caseless(text) {
  const parts = text.split("ı").map((part) => part.toLowerCase().toUpperCase().toLowerCase());
  return parts.join("ı").replaceAll("ς", "σ");
}

// Nor does it tell which marks stand on a letter (a combining class that is not 0): those change places with the mark
// of the highest class when they are put into order.
const LAST = "\u0345";
const known = new Map();

function combines(mark) {
  if (!known.has(mark)) known.set(mark, mark === LAST || (LAST + mark).normalize("NFD") !== LAST + mark);
  return known.get(mark);
}
