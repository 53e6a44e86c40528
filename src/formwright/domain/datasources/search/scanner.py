"""Finds words in the search text of a segment, without access to the database.

The texts are UTF-8, in which no character begins within another. C's `strstr` searches them ten times faster than
Python searches a `str`.
"""

import ctypes
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from formwright.domain.datasources.search.normalize import CELL_SEPARATOR, split_words, to_needle, to_search_text

_MAX_WORDS = 20
_CELL_SEPARATOR = CELL_SEPARATOR.encode()


def _load_strstr() -> Callable[[bytes | int, bytes], int | None]:
    # `PyDLL` keeps the GIL. After releasing it for a microsecond, reacquiring it may take milliseconds.
    strstr = ctypes.PyDLL(None).strstr
    strstr.argtypes, strstr.restype = (ctypes.c_void_p, ctypes.c_char_p), ctypes.c_void_p
    return strstr


_strstr = _load_strstr()
"""Returns the address of the first occurrence of the second argument in the first, which may be an address; or None."""


def to_search_bytes(text: str) -> bytes:
    """Encode a text for `strstr`, which stops at NUL; words never contain NUL."""
    return text.encode().replace(b"\0", b" ")


_EMPTY_CELL = to_search_bytes(to_search_text([""]))


@dataclass(frozen=True, slots=True)
class RowMatcher:
    """Matches rows that contain all words, each in any of the searched columns, and that have these cells."""

    words: tuple[bytes, ...]
    searched_columns: tuple[str, ...]
    cells: Mapping[str, bytes]

    @classmethod
    def parse(cls, query: str, columns: Collection[str], cells: Mapping[str, str]) -> "RowMatcher":
        """Return the matcher for a query typed by a user, the columns to search, and cells by column."""
        words = {to_search_bytes(to_needle(word)) for word in split_words(query)[:_MAX_WORDS]}
        # The longest word is probably in the fewest rows.
        by_length = sorted(words, key=len, reverse=True)
        encoded = {column: to_search_bytes(to_search_text([cell])) for column, cell in cells.items()}
        return cls(tuple(by_length), tuple(sorted(columns)), encoded)

    @property
    def columns(self) -> list[str]:
        """The columns whose text the matcher needs."""
        return sorted({*self.cells, *(self.searched_columns if self.words else ())})

    def find_candidates(self, texts: Mapping[str, bytes], size: int) -> list[int]:
        """Return the sorted positions of rows that may match, in a segment of `size` rows.

        They are candidates, because cells are compared without case and accents.
        """
        searched = [texts[name] for name in self.searched_columns if name in texts]
        texts_by_word = [(word, [text for text in searched if _strstr(text, word)]) for word in self.words]
        if not all(matching for _, matching in texts_by_word):
            return []
        found: set[int] | None = None
        for column, cell in self.cells.items():
            positions = _find_cell(texts.get(column), cell, size)
            found = positions if found is None else found & positions
        for word, matching in texts_by_word:
            if found is None:
                found = {position for text in matching for position in _find_positions(text, word)}
            else:
                found = _filter_by_word(found, matching, word)
        return sorted(found or ())


def _find_cell(text: bytes | None, cell: bytes, size: int) -> set[int]:
    if text is None:
        return set(range(size)) if cell == _EMPTY_CELL else set()
    return set(_find_positions(text, cell)) if _strstr(text, cell) else set()


def _find_positions(text: bytes, needle: bytes) -> Iterator[int]:
    """Yield the positions of the cells that contain a word, or that equal a cell including its separators."""
    start = _strstr(text, b"") or 0
    position, passed = -1, 0
    while found := _strstr(start + passed, needle):
        at = found - start
        position += text.count(_CELL_SEPARATOR, passed, at + 1)
        yield position
        passed = text.find(_CELL_SEPARATOR, at + 1)


def _filter_by_word(positions: set[int], texts: list[bytes], word: bytes) -> set[int]:
    """Return those of the positions at which a cell contains the word."""
    matching: set[int] = set()
    for text in texts:
        cells = text.split(_CELL_SEPARATOR) if positions else []
        matching |= {position for position in positions - matching if word in cells[position + 1]}
    return matching
