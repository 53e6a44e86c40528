// Normalises text for search, without case and accents: the counterpart of domain/datasources/search/normalize.py.
// tests/web/fill checks both with one table.

const CELL_SEARCHED = 200;
const MOST_WORDS = 20;

// Letters that look accented but that Unicode does not decompose.
const PLAIN = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", æ: "ae", œ: "oe", þ: "th", ŧ: "t" };
const PLAINED = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
const BETWEEN = "\x01";
// White space as the server defines it; \s of a browser is a different set.
const BLANK = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const SIMPLE = /^[\0-\x7f]*$/;

/** Return the text in lower case and without accents. */
export function fold(text) {
  if (SIMPLE.test(text)) return text.toLowerCase();
  const apart = caseless(text)
    .normalize("NFKD")
    .replace(/\p{M}/gu, (mark) => (isCombining(mark) ? "" : mark));
  const plain = caseless(apart).replace(PLAINED, (letter) => PLAIN[letter]);
  return plain.normalize("NFC");
}

/** Return the words of a search. */
export function words(text) {
  const plain = fold(text).replaceAll("\0", " ").replaceAll(BETWEEN, " ");
  return split(plain.replace(UNSPACED, pairs)).slice(0, MOST_WORDS);
}

/** Return the text in which a row is searched: its cells with separators. */
export function toSearchText(cells) {
  const text = fold(["", ...cells.map(beginning), ""].join(` ${BETWEEN} `));
  return split(text.replace(UNSPACED, (run) => `${pairs(run)}${[...run].at(-1)} `)).join(" ");
}

const split = (text) => text.split(BLANK).filter(Boolean);

function beginning(cell) {
  const short = cell.length > CELL_SEARCHED ? [...cell].slice(0, CELL_SEARCHED).join("") : cell;
  return short.replaceAll(BETWEEN, " ");
}

// Every two consecutive letters as words; a single letter as one.
function pairs(run) {
  const letters = [...run];
  const found = letters.slice(0, Math.max(1, letters.length - 1)).map((_, at) => letters.slice(at, at + 2).join(""));
  return ` ${found.join(" ")} `;
}

/** Return what to look for in a `searched` text: a word shorter than three letters only matches at the start of a word. */
export const needle = (word) => ([...word].length > 2 ? word : ` ${word}`);

// Browsers have no case folding. Upper-casing would merge the dotless i with the dotted one.
function caseless(text) {
  const parts = text.split("ı").map((part) => part.toLowerCase().toUpperCase().toLowerCase());
  return parts.join("ı").replaceAll("ς", "σ");
}

// Browsers do not expose combining classes either: marks with a class other than 0 swap places with a mark of the
// highest class when they are normalised.
const LAST = "\u0345";
const known = new Map();

function isCombining(mark) {
  if (!known.has(mark)) known.set(mark, mark === LAST || (LAST + mark).normalize("NFD") !== LAST + mark);
  return known.get(mark);
}
