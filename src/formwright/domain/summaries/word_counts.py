"""The most frequent words of texts in any language."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import filterfalse
from sys import maxunicode

MAX_WORDS = 50_000
"""How many different words are counted. Once there are more, only those that are known already are counted."""
MIN_LENGTH, MAX_LENGTH = 2, 100
"""Words of other lengths are left out: they say nothing, and could fill the memory."""
_MAX_SIZE = 4_000_000
"""Characters that are split before their words are counted."""
_AT_ONCE = 64
"""Texts that are split together: fewer take twice as long, and more are slower again, because they exceed caches."""


class WordCounter:
    """Counts words: letters, marks, digits and `_`, with apostrophes between them, in lower case and in NFC.

    Digits alone are no word: in short texts, such as the names of sites, numbers would hide the words.
    """

    def __init__(self) -> None:
        self.complete = True
        """Whether all words have been counted."""
        self._counts: Counter[str] = Counter()
        # Texts are only split at spaces, and words are found once in each different part: that is ten times as fast.
        self._tokens: Counter[str] = Counter()
        self._size = 0

    def add(self, texts: Sequence[str]) -> None:
        """Count the words of texts."""
        for start in range(0, len(texts), _AT_ONCE):
            joined = "\n".join(texts[start : start + _AT_ONCE])
            # Digits alone are no word, and are left out here because there can be as many of them as texts.
            self._tokens.update(filterfalse(str.isdecimal, joined.split()))
            self._size += len(joined)
            if self._size > _MAX_SIZE:
                self._count_tokens()

    def _count_tokens(self) -> None:
        for token, count in self._tokens.items():
            for word in _find_words(token):
                if not MIN_LENGTH <= len(word) <= MAX_LENGTH:
                    continue
                if word in self._counts or len(self._counts) < MAX_WORDS:
                    self._counts[word] += count
                else:
                    self.complete = False
        self._tokens.clear()
        self._size = 0

    def most_common(self, limit: int) -> list[tuple[str, int]]:
        """Return the most frequent words of 2 to 100 characters; equally frequent ones by their letters."""
        self._count_tokens()
        return sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))[:limit]


def _find_words(token: str) -> Sequence[str]:
    # Most tokens are a word or a number, and no other characters: those need no regular expression.
    if token.isdecimal():
        return ()
    lowered = unicodedata.normalize("NFC", token.lower())
    if lowered.isalpha():
        return (lowered,)
    return [word for word in _pattern().findall(lowered) if not word.isdecimal()]


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    # In Python, `\w` excludes marks, without which the words of many scripts, such as Devanagari, fall apart.
    marks = "".join(chr(code) for code in range(maxunicode + 1) if unicodedata.category(chr(code)).startswith("M"))
    word = rf"[\w{marks}]+"
    return re.compile(rf"{word}(?:['’]{word})*")
