"""The words of a search, and the letter groups by which signatures find them."""

import re
from collections.abc import Iterator, Sequence

from formwright.core.errors import ValidationFault
from formwright.domain.datasources.search.normalize import UNSPACED
from formwright.domain.submissions.text_search.document import normalize

MAX_QUERY_LENGTH = 200
_MIN_LENGTH = 3
_NUMBERS = re.compile("[0-9]{4,}")
_TOO_SHORT = "Enter a word of at least three letters."


def parse_words(text: str) -> tuple[tuple[str, ...], ValidationFault | None]:
    """Return the normalised words of a search without duplicates; none if it is empty.

    Shorter words are compared, too, but one must be long enough to search for: three letters, or two in scripts that
    are written without spaces. Otherwise, the fault is returned.
    """
    words = tuple(dict.fromkeys(normalize(text).split()))
    if not words or any(True for word in words for _ in iter_grams(word)):
        return words, None
    return (), ValidationFault("?q", "query.value", _TOO_SHORT)


def iter_grams(word: str) -> Iterator[str]:
    """Yield every three adjacent letters of a word, and every two in scripts that are written without spaces.

    Of numbers, also every four digits: there are few groups of three digits, so that most occur in many numbers.

    The letter groups of a part of a word are among those of the word.
    """
    for start in range(len(word) - _MIN_LENGTH + 1):
        yield word[start : start + _MIN_LENGTH]
    for number in _NUMBERS.findall(word):
        for start in range(len(number) - 3):
            yield number[start : start + 4]
    if not word.isascii():
        for run in UNSPACED.findall(word):
            for start in range(len(run) - 1):
                yield run[start : start + 2]


def split_matches(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """Return the parts of a displayed text, each with whether it matches a word."""
    parts, end = list[tuple[str, bool]](), 0
    for start, stop in _find_matches(text, words):
        parts += [(text[end:start], False), (text[start:stop], True)]
        end = stop
    return [part for part in [*parts, (text[end:], False)] if part[0]]


def _find_matches(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the start and end of each part that matches, in order and without overlaps."""
    folded, places = _fold_with_places(text)
    found = [match.span() for word in words for match in re.finditer(re.escape(word), folded)]
    spans: list[tuple[int, int]] = []
    for start, end in sorted((places[start], places[end - 1] + 1) for start, end in found):
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    return spans


def _fold_with_places(text: str) -> tuple[str, list[int]]:
    """Return the folded text, and for each of its letters the place in the text."""
    folded, places = "", list[int]()
    for place, letter in enumerate(text):
        plain = normalize(letter)
        folded += plain
        places += [place] * len(plain)
    return folded, places
