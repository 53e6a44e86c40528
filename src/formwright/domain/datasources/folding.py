"""Text as it is searched: without case and accents, word by word.

Each word stands between two spaces, so that `  wo` is found only where a word begins. In scripts that are written
without spaces every two letters in a row are a word.
"""

import re
import unicodedata
from collections.abc import Iterable

BETWEEN = "\x1f"
"""Stands between cells, and in none: the unit separator of ASCII."""
CELL_SEARCHED = 200
"""How many characters of a cell are searched."""

# Letters that look accented, but that Unicode does not take apart.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t"}
)
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def folded(text: str) -> str:
    """The text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", plain.casefold().translate(_PLAIN))


def words(text: str) -> list[str]:
    """The words that somebody looks for; NUL is none."""
    return _UNSPACED.sub(_pairs, folded(text).replace("\0", " ").replace(BETWEEN, " ")).split()


def searched(cells: Iterable[str]) -> str:
    """The text in which a row is found: its cells in their order, so that each can be told from the others."""
    text = folded(_joined(cells))
    if not text.isascii():
        text = _UNSPACED.sub(lambda run: _pairs(run) + run[0][-1] + " ", text)
    return BETWEEN.join("  " + "  ".join(cell.split()) + "  " for cell in text.split(BETWEEN))


def _pairs(run: "re.Match[str]") -> str:
    """Every two letters in a row as words; a single letter as one."""
    letters = run[0]
    pairs = (letters[start : start + 2] for start in range(max(1, len(letters) - 1)))
    return " " + " ".join(pairs) + " "


def _joined(cells: Iterable[str]) -> str:
    return BETWEEN.join(cell[:CELL_SEARCHED].replace(BETWEEN, " ") for cell in cells)


def needle(word: str) -> str:
    """What to look for in a `searched` text: a word shorter than three letters only where one begins."""
    return word if len(word) > 2 else "  " + word


def trigrams(sought: str) -> list[str]:
    """All three letters in a row of what is looked for."""
    return list(dict.fromkeys(sought[start : start + 3] for start in range(len(sought) - 2)))
