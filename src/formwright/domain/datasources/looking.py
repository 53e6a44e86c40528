"""Finds words in the text of a segment, without a look at the database."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from formwright.domain.datasources.folding import BETWEEN, needle, searched, words

_WORDS = 20
_EMPTY = searched([""])


@dataclass(frozen=True, slots=True)
class Sought:
    """What rows have to hold: all words in these columns, and these whole cells."""

    words: tuple[str, ...]
    shown: tuple[str, ...]
    cells: Mapping[str, str]

    @classmethod
    def of(cls, text: str, shown: Collection[str], by: Mapping[str, str]) -> "Sought":
        """The words of a text that somebody typed, and cells by column."""
        # The longest word is in the fewest rows.
        needles = sorted(dict.fromkeys(map(needle, words(text)[:_WORDS])), key=len, reverse=True)
        return cls(tuple(needles), tuple(sorted(shown)), {column: searched([cell]) for column, cell in by.items()})

    @property
    def columns(self) -> list[str]:
        """Those whose text is needed."""
        return sorted({*self.cells, *(self.shown if self.words else ())})

    def places(self, texts: Mapping[str, str], size: int) -> list[int]:
        """Where those are that may fit, in a segment of so many rows, in order. Cells are compared as folded texts."""
        found: set[int] | None = None
        for column, cell in self.cells.items():
            here = _places(texts.get(column), cell, size)
            found = here if found is None else found & here
            if not found:
                return []
        shown = [texts[name] for name in self.shown if name in texts]
        # To see that one is missing costs less than to find all places of another.
        if any(not any(word in text for text in shown) for word in self.words):
            return []
        for word in self.words:
            found = (
                {place for text in shown for place in _held(text, word)} if found is None else _of(found, shown, word)
            )
        return sorted(found or ())


def _places(text: str | None, cell: str, size: int) -> set[int]:
    if text is None:
        return set(range(size)) if cell == _EMPTY else set()
    return set(_held(text, cell))


def _held(text: str, sought: str) -> Iterator[int]:
    """The places of the cells that hold a word, or are the cell, with what stands before and behind it."""
    place, passed, at = -1, 0, text.find(sought)
    while at >= 0:
        place += text.count(BETWEEN, passed, at + 1)
        yield place
        passed = text.find(BETWEEN, at + 1)
        at = text.find(sought, passed)


def _of(places: set[int], shown: list[str], word: str) -> set[int]:
    """Those of the places whose cells hold a word."""
    held: set[int] = set()
    for text in shown:
        if word in text:
            cells = text.split(BETWEEN)
            held |= {place for place in places - held if word in cells[place + 1]}
    return held
