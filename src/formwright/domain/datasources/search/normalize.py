"""Text as it is searched: without case and accents, word by word.

A space stands before and behind each word, so that ` wo` is found only where a word begins. In scripts that are written
without spaces every two letters in a row are a word.
"""

import re
import unicodedata
from collections.abc import Iterable

CELL_SEPARATOR = "\x01"
"""Stands around each cell, and in none. No blank, for blanks are folded away."""
MAX_SEARCHED_CHARACTERS = 200
"""How many characters of a cell are searched."""
_MAX_CACHED_LETTERS = 10_000

# Letters that look accented, but that Unicode does not take apart.
_BASE_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t"}
)
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


class _FoldingTable(dict[int, str]):
    """What each letter is folded to, for `str.translate`; no letter's depends on those around it."""

    def __missing__(self, code: int) -> str:
        apart = unicodedata.normalize("NFKD", chr(code).casefold())
        plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
        plain = plain.casefold().translate(_BASE_LETTERS)
        if len(self) < _MAX_CACHED_LETTERS:
            self[code] = plain
        return plain


_folding_table = _FoldingTable()


def fold(text: str) -> str:
    """The text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    plain = text.translate(_folding_table)
    return plain if plain.isascii() else unicodedata.normalize("NFC", plain)


def split_words(text: str) -> list[str]:
    """The words that somebody looks for; NUL is none."""
    return _UNSPACED.sub(_to_bigrams, fold(text).replace("\0", " ").replace(CELL_SEPARATOR, " ")).split()


def to_search_text(cells: Iterable[str]) -> str:
    """The text in which cells are found, those of a row or of a column: in their order, so that each can be told.

    Each is behind a `BETWEEN`, and one is behind the last.
    """
    short = [cell[:MAX_SEARCHED_CHARACTERS].replace(CELL_SEPARATOR, " ") for cell in cells]
    text = fold(f" {CELL_SEPARATOR} ".join(["", *short, ""]))
    if not text.isascii():
        text = _UNSPACED.sub(lambda run: _to_bigrams(run) + run[0][-1] + " ", text)
    return " ".join(text.split())


def _to_bigrams(run: "re.Match[str]") -> str:
    """Every two letters in a row as words; a single letter as one."""
    letters = run[0]
    pairs = (letters[start : start + 2] for start in range(max(1, len(letters) - 1)))
    return " " + " ".join(pairs) + " "


def to_needle(word: str) -> str:
    """What to look for in a `searched` text: a word shorter than three letters only where one begins."""
    return word if len(word) > 2 else " " + word
