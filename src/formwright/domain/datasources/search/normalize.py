"""Text as it is searched: without case and accents, word by word.

A space stands before and behind each word, so that ` wo` is found only where a word begins. In scripts that are written
without spaces every two letters in a row are a word.
"""

import re
import unicodedata
from collections.abc import Iterable

BETWEEN = "\x01"
"""Stands around each cell, and in none. No blank, for blanks are folded away."""
CELL_SEARCHED = 200
"""How many characters of a cell are searched."""
_KNOWN = 10_000

# Letters that look accented, but that Unicode does not take apart.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t"}
)
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


class _Letters(dict[int, str]):
    """What each letter is folded to, for `str.translate`; no letter's depends on those around it."""

    def __missing__(self, code: int) -> str:
        apart = unicodedata.normalize("NFKD", chr(code).casefold())
        plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
        plain = plain.casefold().translate(_PLAIN)
        if len(self) < _KNOWN:
            self[code] = plain
        return plain


_letters = _Letters()


def folded(text: str) -> str:
    """The text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    plain = text.translate(_letters)
    return plain if plain.isascii() else unicodedata.normalize("NFC", plain)


def words(text: str) -> list[str]:
    """The words that somebody looks for; NUL is none."""
    return _UNSPACED.sub(_pairs, folded(text).replace("\0", " ").replace(BETWEEN, " ")).split()


def searched(cells: Iterable[str]) -> str:
    """The text in which cells are found, those of a row or of a column: in their order, so that each can be told.

    Each is behind a `BETWEEN`, and one is behind the last.
    """
    short = [cell[:CELL_SEARCHED].replace(BETWEEN, " ") for cell in cells]
    text = folded(f" {BETWEEN} ".join(["", *short, ""]))
    if not text.isascii():
        text = _UNSPACED.sub(lambda run: _pairs(run) + run[0][-1] + " ", text)
    return " ".join(text.split())


def _pairs(run: "re.Match[str]") -> str:
    """Every two letters in a row as words; a single letter as one."""
    letters = run[0]
    pairs = (letters[start : start + 2] for start in range(max(1, len(letters) - 1)))
    return " " + " ".join(pairs) + " "


def needle(word: str) -> str:
    """What to look for in a `searched` text: a word shorter than three letters only where one begins."""
    return word if len(word) > 2 else " " + word
