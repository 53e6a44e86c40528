"""Text as it is searched: without case and accents, word by word.

Each word stands between two spaces, so that `  wo` is found only where a word begins. Letters of scripts that are
written without spaces are words of their own.
"""

import re
import unicodedata
from collections.abc import Iterable

CELL_SEARCHED = 200
"""How many characters of a cell are searched."""

# Letters that look accented, but that Unicode does not take apart.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t"}
)
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[\U00020000-\U0003ffff]"
)


def folded(text: str) -> str:
    """The text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return _UNSPACED.sub(r" \g<0> ", unicodedata.normalize("NFC", plain.casefold().translate(_PLAIN)))


def words(text: str) -> list[str]:
    """The words that somebody looks for; NUL is none."""
    return folded(text).replace("\0", " ").split()


def searched(cells: Iterable[str]) -> str:
    """The text in which a row is found."""
    return "  " + "  ".join(folded(" ".join(cell[:CELL_SEARCHED] for cell in cells)).split()) + "  "


def needle(word: str) -> str:
    """What to look for in a `searched` text: a word shorter than three letters only where one begins."""
    return word if len(word) > 2 else "  " + word


def trigrams(sought: str) -> list[str]:
    """All three letters in a row of what is looked for."""
    return list(dict.fromkeys(sought[start : start + 3] for start in range(len(sought) - 2)))
