// Normalises text for search, without case and accents: the counterpart of domain/datasources/search/normalize.py.
// tests/web/fill checks both with one table.

const MAX_SEARCHED_CHARACTERS = 200;
const MAX_WORDS = 20;

// Letters that look accented but that Unicode does not decompose.
const BASE_LETTERS = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", æ: "ae", œ: "oe", þ: "th", ŧ: "t" };
const NON_BASE_LETTER = new RegExp(`[${Object.keys(BASE_LETTERS).join("")}]`, "g");
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
const CELL_SEPARATOR = "\x01";
// White space as the server defines it; \s of a browser is a different set.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the set has control characters.
const WHITE_SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const ASCII = /^[\0-\x7f]*$/;

/** Return the text in lower case and without accents. */
export function fold(text) {
  if (ASCII.test(text)) return text.toLowerCase();
  const decomposed = foldCase(text)
    .normalize("NFKD")
    .replace(/\p{M}/gu, (mark) => (isCombining(mark) ? "" : mark));
  const base = foldCase(decomposed).replace(NON_BASE_LETTER, (letter) => BASE_LETTERS[letter]);
  return base.normalize("NFC");
}

/** Return the words of a search. */
export function splitWords(text) {
  const base = fold(text).replaceAll("\0", " ").replaceAll(CELL_SEPARATOR, " ");
  return split(base.replace(UNSPACED, toBigrams)).slice(0, MAX_WORDS);
}

/** Return the text in which a row is searched: its cells with separators. */
export function toSearchText(cells) {
  const text = fold(["", ...cells.map(truncateCell), ""].join(` ${CELL_SEPARATOR} `));
  return split(text.replace(UNSPACED, (run) => `${toBigrams(run)}${[...run].at(-1)} `)).join(" ");
}

const split = (text) => text.split(WHITE_SPACE).filter(Boolean);

function truncateCell(cell) {
  const short = cell.length > MAX_SEARCHED_CHARACTERS ? [...cell].slice(0, MAX_SEARCHED_CHARACTERS).join("") : cell;
  return short.replaceAll(CELL_SEPARATOR, " ");
}

// Every two consecutive letters as words; a single letter as one.
function toBigrams(run) {
  const letters = [...run];
  const bigrams = letters.slice(0, Math.max(1, letters.length - 1)).map((_, at) => letters.slice(at, at + 2).join(""));
  return ` ${bigrams.join(" ")} `;
}

/** Return what to look for in a `searched` text: a word shorter than three letters only matches at the start of a word. */
export const toNeedle = (word) => ([...word].length > 2 ? word : ` ${word}`);

// Browsers have no case folding. Upper-casing would merge the dotless i with the dotted one.
function foldCase(text) {
  const parts = text.split("ı").map((part) => part.toLowerCase().toUpperCase().toLowerCase());
  return parts.join("ı").replaceAll("ς", "σ");
}

// Browsers do not expose combining classes either: marks with a class other than 0 swap places with a mark of the
// highest class when they are normalised.
const HIGHEST_CLASS_MARK = "\u0345";
const combiningMarks = new Map();

function isCombining(mark) {
  if (!combiningMarks.has(mark))
    combiningMarks.set(
      mark,
      mark === HIGHEST_CLASS_MARK || (HIGHEST_CLASS_MARK + mark).normalize("NFD") !== HIGHEST_CLASS_MARK + mark,
    );
  return combiningMarks.get(mark);
}
