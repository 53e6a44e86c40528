"""Normalisation of text for search: case and accents are removed, and text is split into words.

Each word has a space before and after it, so that ` wo` matches only at the beginning of a word. In scripts that are
written without spaces, every pair of adjacent letters is a word.
"""

import re
import unicodedata
from collections.abc import Iterable

CELL_SEPARATOR = "\x01"
"""Separates cells in a search text. It is not whitespace, because runs of whitespace are collapsed."""
MAX_SEARCHED_CHARACTERS = 200
"""How many characters of a cell are searched."""
_MAX_CACHED_LETTERS = 10_000

# Letters that look accented, but that Unicode does not decompose.
_BASE_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t"}
)
UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


class _FoldingTable(dict[int, str]):
    """Maps code points to their folded text, for `str.translate`. Folding never depends on adjacent letters."""

    def __missing__(self, code: int) -> str:
        decomposed = unicodedata.normalize("NFKD", chr(code).casefold())
        plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
        plain = plain.casefold().translate(_BASE_LETTERS)
        if len(self) < _MAX_CACHED_LETTERS:
            self[code] = plain
        return plain


_folding_table = _FoldingTable()


def fold(text: str) -> str:
    """Return the text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    plain = text.translate(_folding_table)
    return plain if plain.isascii() else unicodedata.normalize("NFC", plain)


def split_words(text: str) -> list[str]:
    """Split a search query into words. NUL separates words, like a space."""
    return UNSPACED.sub(_to_bigrams, fold(text).replace("\0", " ").replace(CELL_SEPARATOR, " ")).split()


def to_search_text(cells: Iterable[str]) -> str:
    """Join cells into the text that is searched, in which the position of a match identifies the cell.

    There is a `CELL_SEPARATOR` before each cell and after the last.
    """
    short = [cell[:MAX_SEARCHED_CHARACTERS].replace(CELL_SEPARATOR, " ") for cell in cells]
    text = fold(f" {CELL_SEPARATOR} ".join(["", *short, ""]))
    if not text.isascii():
        text = UNSPACED.sub(lambda run: _to_bigrams(run) + run[0][-1] + " ", text)
    return " ".join(text.split())


def _to_bigrams(run: "re.Match[str]") -> str:
    """Return every pair of adjacent letters as a word; a single letter is one word."""
    letters = run[0]
    pairs = (letters[start : start + 2] for start in range(max(1, len(letters) - 1)))
    return " " + " ".join(pairs) + " "


def to_needle(word: str) -> str:
    """Return what to find in a search text: words of up to two letters match only at the beginning of a word."""
    return word if len(word) > 2 else " " + word
