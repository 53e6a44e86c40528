// Reads numbers as people type them: with either decimal mark, groups of digits, an exponent, and the digits of any script.
//
// A text is either read as one number, whatever the language, or it is refused. The language only decides which texts
// with two readings are refused: in English "1.234" has three decimals, and "1,234" could also mean 1234.

/** The most digits that a number always keeps. */
const MAX_DIGITS = 15;
const MAX_LENGTH = 400;

// The zeros of scripts with decimal digits; the other nine follow them.
const SCRIPT_ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0x1810, 0xff10,
];
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// The Arabic decimal mark and the Arabic group mark have one meaning each; spaces and apostrophes are only used for groups.
const SIGN_CLASSES = [
  [/[٫]/g, "d"],
  [/[٬\s'’ʼ＇]/g, "g"],
  [/[،，]/g, ","],
  [/．/g, "."],
  [/[−‐‑–－﹣]/g, "-"],
  [/＋/g, "+"],
];
const NUMBER = /^([+-]?)([\d.,dg]*)(?:e([+-]?\d{1,4}))?$/;

/** Return the text with the digits of all scripts as those of ASCII. */
export function toAsciiDigits(text) {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0);
    const zero = SCRIPT_ZEROS.find((one) => code >= one && code < one + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

/**
 * Read a number: {value}, or {wrong: [word, ...values]} with the message, or {} if the text is blank.
 *
 * `mark` is the decimal mark of the language. For a `whole` number, a single group mark has no other reading; "1.000" still
 * could be 1 or 1000.
 */
export function parseNumber(text, { mark = numberNotation().mark, whole: isInteger = false } = {}) {
  if (!text.trim()) return {};
  if (text.length > MAX_LENGTH) return { wrong: ["checkDigits", MAX_DIGITS] };
  const [, sign, mantissa, exponent] = NUMBER.exec(normalizeSigns(text)) ?? [];
  const parts = /\d/.test(mantissa ?? "") ? splitAtMark(mantissa, mark, isInteger) : null;
  if (!parts) return { wrong: ["checkNumber"] };
  const scale = `e${exponent ?? 0}`;
  if (parts.readings)
    return {
      wrong: ["checkAmbiguous", text.trim(), ...parts.readings.map((one) => formatNumber(Number(sign + one + scale)))],
    };
  return toNumber(`${sign}${parts.whole || "0"}.${parts.fraction || "0"}${scale}`);
}

/** Return whether a text is this number as a page would show it, apart from zeros at its end: without groups and exponent. */
export function isPlainNumber(text, { mark } = numberNotation()) {
  const shown = toAsciiDigits(text.trim()).replace("٫", mark);
  return /^-?\d+([.,]\d*)?$/.test(shown) && !shown.includes(mark === "," ? "." : ",");
}

/** Return a number as people of this language write it, without groups. */
export function formatNumber(value, { digits, separator } = numberNotation()) {
  const text = String(value);
  return text.includes("e") ? text : text.replace(/\d/g, (digit) => digits[digit]).replace(".", separator);
}

/** Return whether the number of this text, in the notation of JSON, is exactly `value`. */
export function isExactNumber(text, value) {
  return significantDigits(text) === significantDigits(String(value));
}

/** The notation of a language: `digits`, their decimal `separator`, and the decimal `mark` of ASCII digits. */
export function numberNotation(tag = regionalLanguage(globalThis.document?.documentElement.lang || "en")) {
  if (!notationCache.has(tag)) notationCache.set(tag, findNotation(tag));
  return notationCache.get(tag);
}

const notationCache = new Map();

function findNotation(tag) {
  const digits = [...new Intl.NumberFormat(tag, { useGrouping: false }).format(9876543210)].reverse();
  return { digits, separator: decimalMark(tag), mark: decimalMark(tag, { numberingSystem: "latn" }) };
}

function decimalMark(tag, options) {
  const parts = new Intl.NumberFormat(tag, options).formatToParts(1.5);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value])).decimal;
}

/** The page's language as it is used in the region of this device: days come before months in en-GB, and Mexico has decimal points. */
export function regionalLanguage(tag) {
  const root = (one) => one.split("-")[0];
  return globalThis.navigator?.languages?.find((one) => root(one) === root(tag)) ?? tag;
}

/** Return the text with one sign for each meaning. */
function normalizeSigns(text) {
  const trimmed = toAsciiDigits(text.replace(DIRECTION_MARKS, ""))
    .trim()
    .replace(/^([+\-−‐‑–－﹣＋])\s+/, "$1");
  return SIGN_CLASSES.reduce(
    (result, [pattern, sign]) => result.replace(pattern, sign),
    trimmed.replace(/E/g, "e").replace(/[dg]/g, "?"),
  );
}

/** Split into the digits before and after the decimal mark: {whole, fraction}, {readings: [text, text]}, or null. */
function splitAtMark(text, mark, isInteger) {
  const marks = text.replace(/\d/g, "");
  const last = marks.at(-1);
  if (!marks) return { whole: text, fraction: "" };
  if (marks === last && ".,".includes(last)) return splitAtOnlyMark(text, last, mark, isInteger);
  // A mark that occurs several times, and one that never is a decimal mark, separates groups.
  const isDecimal = last !== "g" && marks.indexOf(last) === marks.length - 1;
  const index = isDecimal ? text.lastIndexOf(last) : text.length;
  const before = removeGroups(text.slice(0, index));
  return before === null ? null : { whole: before, fraction: text.slice(index + 1) };
}

/** Split at the only mark, a point or a comma, which could separate a group of thousands too. */
function splitAtOnlyMark(text, found, mark, isInteger) {
  const [before, after] = text.split(found);
  const decimal = { whole: before, fraction: after };
  if (!/^[1-9]\d{0,2}$/.test(before) || after.length !== 3) return decimal;
  const group = { whole: before + after, fraction: "" };
  if (found !== mark) return isInteger ? group : { readings: [before + after, `${before}.${after}`] };
  return isInteger && after === "000" ? { readings: [before + after, before] } : decimal;
}

/** Return the digits of groups with one kind of separator, or null: of three, or as in India, 12,34,567. */
function removeGroups(text) {
  const [separator] = text.replace(/\d/g, "");
  if (!separator) return text;
  const groups = text.split(separator);
  if (!groups.every((group) => /^\d+$/.test(group)) || separator === "d") return null;
  const [first, ...others] = groups.map((group) => group.length);
  const isThrees = first <= 3 && others.every((size) => size === 3);
  const isIndian =
    separator === "," && first <= 2 && others.at(-1) === 3 && others.slice(0, -1).every((size) => size === 2);
  return (isThrees || isIndian) && !/^0/.test(text) ? groups.join("") : null;
}

function toNumber(text) {
  const value = Number(text);
  return isExactNumber(text, value) ? { value: value === 0 ? 0 : value } : { wrong: ["checkDigits", MAX_DIGITS] };
}

/** The significant digits of a number with their exponent: the same for all spellings of a number. */
function significantDigits(text) {
  const [, sign, integerDigits, fraction = "", exponent = "0"] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (integerDigits === undefined) return NaN;
  const all = (integerDigits + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  return digits
    ? `${sign === "-" ? "-" : ""}${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`
    : "0";
}
