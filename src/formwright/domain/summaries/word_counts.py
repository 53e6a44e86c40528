"""The most frequent words of texts in any language."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from sys import maxunicode

MAX_WORDS = 50_000
"""How many different words are counted. Once there are more, only those that are known already are counted."""
MIN_LENGTH = 2


class WordCounter:
    """Counts words: letters, marks, digits and `_`, with apostrophes between them, in lower case and in NFC."""

    def __init__(self) -> None:
        self.complete = True
        """Whether all words have been counted."""
        self._counts: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """Count the words of a text."""
        words = _pattern().findall(unicodedata.normalize("NFC", text.lower()))
        if self.complete and len(self._counts) <= MAX_WORDS:
            self._counts.update(words)
        else:
            known = [word for word in words if word in self._counts]
            self.complete = self.complete and len(known) == len(words)
            self._counts.update(known)

    def most_common(self, limit: int) -> list[tuple[str, int]]:
        """Return the most frequent words of at least two characters; equally frequent ones by their letters."""
        long = ((word, count) for word, count in self._counts.items() if len(word) >= MIN_LENGTH)
        return sorted(long, key=lambda item: (-item[1], item[0]))[:limit]


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    # In Python, `\w` excludes marks, without which the words of many scripts, such as Devanagari, fall apart.
    marks = "".join(chr(code) for code in range(maxunicode + 1) if unicodedata.category(chr(code)).startswith("M"))
    word = rf"[\w{marks}]+"
    return re.compile(rf"{word}(?:['’]{word})*")
