"""Finds words in the text of a segment, without a look at the database.

Texts are UTF-8 here: in that, no letter begins within another, and C searches it ten times as fast as Python a `str`.
"""

import ctypes
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from formwright.domain.datasources.search.normalize import CELL_SEPARATOR, split_words, to_needle, to_search_text

_MAX_WORDS = 20
_CELL_SEPARATOR = CELL_SEPARATOR.encode()


def _load_strstr() -> Callable[[bytes | int, bytes], int | None]:
    # `PyDLL` keeps the interpreter's lock: given back for a microsecond, it may take milliseconds to come again.
    strstr = ctypes.PyDLL(None).strstr
    strstr.argtypes, strstr.restype = (ctypes.c_void_p, ctypes.c_char_p), ctypes.c_void_p
    return strstr


_strstr = _load_strstr()
"""Where in memory the first of such bytes are, in a text or from an address on."""


def to_search_bytes(text: str) -> bytes:
    """A text as it is gone through. It ends for C where a NUL is, which no word has."""
    return text.encode().replace(b"\0", b" ")


_EMPTY_CELL = to_search_bytes(to_search_text([""]))


@dataclass(frozen=True, slots=True)
class RowMatcher:
    """What rows have to hold: all words in these columns, and these whole cells."""

    words: tuple[bytes, ...]
    shown: tuple[str, ...]
    cells: Mapping[str, bytes]

    @classmethod
    def of(cls, text: str, shown: Collection[str], by: Mapping[str, str]) -> "RowMatcher":
        """The words of a text that somebody typed, and cells by column."""
        # The longest word is in the fewest rows.
        needles = sorted(
            {to_search_bytes(to_needle(word)) for word in split_words(text)[:_MAX_WORDS]}, key=len, reverse=True
        )
        cells = {column: to_search_bytes(to_search_text([cell])) for column, cell in by.items()}
        return cls(tuple(needles), tuple(sorted(shown)), cells)

    @property
    def columns(self) -> list[str]:
        """Those whose text is needed."""
        return sorted({*self.cells, *(self.shown if self.words else ())})

    def places(self, texts: Mapping[str, bytes], size: int) -> list[int]:
        """Those that may fit, in a segment of so many rows, in order. Of cells, the folded texts are compared."""
        shown = [texts[name] for name in self.shown if name in texts]
        held = [(word, [text for text in shown if _strstr(text, word)]) for word in self.words]
        if not all(some for _, some in held):
            return []
        found: set[int] | None = None
        for column, cell in self.cells.items():
            here = _find_cell(texts.get(column), cell, size)
            found = here if found is None else found & here
        for word, some in held:
            found = (
                {place for text in some for place in _find_positions(text, word)}
                if found is None
                else _filter_by_word(found, some, word)
            )
        return sorted(found or ())


def _find_cell(text: bytes | None, cell: bytes, size: int) -> set[int]:
    if text is None:
        return set(range(size)) if cell == _EMPTY_CELL else set()
    return set(_find_positions(text, cell)) if _strstr(text, cell) else set()


def _find_positions(text: bytes, needle: bytes) -> Iterator[int]:
    """The places of the cells that hold a word, or are the cell, with what stands before and behind it."""
    start = _strstr(text, b"") or 0
    position, passed = -1, 0
    while found := _strstr(start + passed, needle):
        at = found - start
        position += text.count(_CELL_SEPARATOR, passed, at + 1)
        yield position
        passed = text.find(_CELL_SEPARATOR, at + 1)


def _filter_by_word(positions: set[int], texts: list[bytes], word: bytes) -> set[int]:
    """Those of the places whose cells hold a word."""
    matching: set[int] = set()
    for text in texts:
        cells = text.split(_CELL_SEPARATOR) if positions else []
        matching |= {place for place in positions - matching if word in cells[place + 1]}
    return matching
