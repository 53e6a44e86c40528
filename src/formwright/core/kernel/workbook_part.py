"""One part of an .xlsx: how large it would be when laid out, and what stands where."""

import functools
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from xml.parsers import expat

_CELL = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_ROW = re.compile(r"[0-9]{1,7}")
_INDEX = re.compile(r"[0-9]{1,8}")
_COLUMNS = 2**24


class Unusable(Exception):
    """The file is not read. `code` is one of `not_xlsx`, `old_or_locked`, `too_large`, `bomb`."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


class Places:
    """Cells by row and column, both from 1, in eight bytes each: a sheet may have a million."""

    __slots__ = ("_packed",)

    def __init__(self) -> None:
        self._packed = array("Q")

    def add(self, row: int, column: int) -> None:
        self._packed.append(row * _COLUMNS + column)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return (divmod(packed, _COLUMNS) for packed in self._packed)

    def first_by_row(self) -> dict[int, int]:
        """For each row that has any, the leftmost column."""
        return dict(divmod(packed, _COLUMNS) for packed in sorted(self._packed, reverse=True))


class Part:
    """What a look through one part found. `texts` are the lengths of the shared texts, of which one part has all."""

    def __init__(self, cells: int, text: int, texts: "array[int]") -> None:
        self.formulas, self.errors = Places(), Places()
        self.sheets: dict[str, str] = {}
        self.targets: dict[str, str] = {}
        self._cells, self._room, self._texts = cells, text, texts
        self._known = len(texts)
        self._rows = self._columns = self._row = self._column = 0
        self._act: Callable[[str], None] | None = None
        self._shared, self._rest = False, b""
        # Whatever a part says of its encoding: two readers must not see two texts.
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._element
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = _no_doctype
        # They part the text around them, here as in the reader of cells. `len` is the quickest way to do nothing.
        parser.EndElementHandler = parser.CommentHandler = len
        parser.StartCdataSectionHandler = parser.EndCdataSectionHandler = _nothing
        parser.ProcessingInstructionHandler = _nothing

    def feed(self, chunk: bytes) -> None:
        """The next bytes; `Unusable` as soon as it is too much."""
        if b"\0" in chunk:  # UTF-16, which is taken in spite of what we say.
            raise Unusable("not_xlsx", "The file is damaged: a part of it is not in UTF-8.")
        # Handed on up to the end of an element, so that no number is cut in two.
        chunk = self._rest + chunk
        end = chunk.rfind(b">") + 1 or len(chunk)
        self._rest = chunk[end:]
        self._parse(chunk[:end])

    def end(self) -> None:
        """There is no more."""
        self._parse(self._rest, last=True)
        del self._parser  # It holds us in a circle.

    def _parse(self, chunk: bytes, *, last: bool = False) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError:
            raise Unusable("not_xlsx", "The file is damaged: a part of it is no XML.") from None

    def _element(self, tag: str, given: Mapping[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if tag == "c":
            self._cell(given)
        elif tag == "v":
            self._act = self._named if self._shared else None
        elif tag == "row":
            self._at(int(_whole(_ROW, given.get("r", str(self._row + 1)))[0]), 0)
        elif tag == "f":
            self.formulas.add(self._row, self._column)
        elif tag == "si":
            self._text_begins()
        elif tag == "sheet":
            self.sheets[given.get("name", "")] = next((v for k, v in given.items() if k.endswith(":id")), "")
        elif tag == "Relationship":
            self.targets[given.get("Id", "")] = given.get("Target", "")

    def _cell(self, given: Mapping[str, str]) -> None:
        if place := given.get("r"):
            letters, row = _whole(_CELL, place).groups()
            self._at(int(row), _number(letters))
        else:
            self._at(self._row, self._column + 1)
        kind = given.get("t")
        self._shared, self._act = kind == "s", None
        if kind == "e":
            self.errors.add(self._row, self._column)

    def _at(self, row: int, column: int) -> None:
        """Where the reader of cells will put the next one: cells may leave out where they are."""
        self._row, self._column = row, column
        if row > self._rows or column > self._columns:
            self._rows, self._columns = max(self._rows, row), max(self._columns, column)
            if self._rows * self._columns > self._cells:
                raise Unusable(
                    "bomb", f"A sheet spans more than {self._cells} cells. Clear the empty rows and columns."
                )

    def _characters(self, text: str) -> None:
        if self._act:
            self._act(text)

    def _text_begins(self) -> None:
        if self._known:
            raise Unusable("not_xlsx", "The file is damaged: its shared texts are in more than one place.")
        self._texts.append(0)
        self._act = self._text_goes_on

    def _text_goes_on(self, text: str) -> None:
        self._texts[-1] += len(text)

    def _named(self, text: str) -> None:
        """The number of a shared text, all of it: what follows in the same cell may only be white space."""
        index = int(_whole(_INDEX, text)[0])
        if index >= len(self._texts):
            raise Unusable("not_xlsx", "The file is damaged: a cell names a text that is not there.")
        self._room -= self._texts[index]
        self._act = _only_space
        if self._room < 0:
            raise Unusable("bomb", "A sheet repeats long texts until they need more room than any spreadsheet does.")


def letters(column: int) -> str:
    """The name of a column, which counts from 1: `A`, `Z`, `AA`."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


@functools.lru_cache(2**15)
def _number(name: str) -> int:
    number = 0
    for letter in name.upper():
        number = number * 26 + ord(letter) - 64
    return number


def _whole(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    if found := pattern.fullmatch(text):
        return found
    raise Unusable("not_xlsx", "The file is damaged: a cell is nowhere.")


def _only_space(text: str) -> None:
    if text.strip():
        raise Unusable("not_xlsx", "The file is damaged: a cell names two texts.")


def _no_doctype(*_: object) -> None:
    # No spreadsheet has one; it is where entities that expand without end are declared.
    raise Unusable("not_xlsx", "A part of the file declares a document type.")


def _nothing(*_: object) -> None:
    pass
