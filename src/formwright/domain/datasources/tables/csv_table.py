"""A CSV, streamed."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import BinaryIO

from formwright.domain.datasources.limits import MAX_CELL
from formwright.domain.datasources.tables import delimiters
from formwright.domain.datasources.tables.cells import header_of, settled, too_long
from formwright.domain.datasources.tables.encodings import text_of
from formwright.domain.datasources.tables.model import BadRow, Dialect, TableUnreadable

_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 2**20


class CsvTable:
    """A table of text: UTF-8, UTF-16 or Windows-1252, with `,` `;` tab or `|` between its cells, or as was said."""

    def __init__(self, file: BinaryIO, dialect: Dialect) -> None:
        self._file = file
        self._text = text_of(file, dialect.encoding)
        sample = self._sample()
        said = delimiters.said(sample[0]) if sample else None
        self._skipped = 1 if said else 0
        asked = delimiters.checked(dialect.delimiter) if dialect.delimiter else said
        self._delimiter = asked or delimiters.found(sample)
        self._header_line, self.header = self._head()
        self.sheets: tuple[str, ...] = ()

    @property
    def dialect(self) -> Dialect:
        return Dialect(self._text.encoding, None if self._delimiter == delimiters.NONE else self._delimiter)

    def rows(self) -> Iterator[tuple[int, list[str]] | BadRow]:
        header, width, nul = self.header, len(self.header), self._text.nul
        for record in self._records():
            if isinstance(record, BadRow):
                yield record
                continue
            line, cells, length = record
            if line == self._header_line:
                continue
            if len(cells) != width or length > MAX_CELL or nul:
                yield settled(cells, header, line)
            else:
                yield line, cells

    def _head(self) -> tuple[int, tuple[str, ...]]:
        for record in self._records():
            if isinstance(record, BadRow):
                detail = f"The header holds more than {MAX_CELL} characters. The first row must hold names."
                raise TableUnreadable("table.header.too_long", detail, record.line)
            line, cells, _ = record
            return line, header_of(cells, line)
        raise TableUnreadable("table.empty", "There is nothing in the file. The first row must name the columns.")

    def _sample(self) -> list[str]:
        lines: list[str] = []
        with _opened(self._file, self._text.encoding) as text:
            room = _SAMPLE_CHARACTERS
            for line in islice(text, _SAMPLE_LINES):
                lines.append(line)
                room -= len(line)
                if room < 0:
                    break
        return lines

    def _records(self) -> Iterator[tuple[int, list[str], int] | BadRow]:
        """Each record that is not empty: its first line, its cells, and their characters in all."""
        with _opened(self._file, self._text.encoding) as text:
            for _ in range(self._skipped):
                next(text)
            # What it does not take is unclear; that would be found only rows later.
            reader = csv.reader(text, delimiter=self._delimiter, strict=True, skipinitialspace=True)
            line = before = self._skipped
            while True:
                try:
                    for row in reader:
                        line, before = before + 1, self._skipped + reader.line_num
                        cells = list(map(str.strip, row))
                        if length := len("".join(cells)):
                            yield line, cells, length
                    return
                except csv.Error as error:
                    line, before = before + 1, self._skipped + reader.line_num
                    yield _faulty(error, line, lines=before - line + 1)


@contextmanager
def _opened(file: BinaryIO, encoding: str) -> Iterator[io.TextIOWrapper]:
    """The file as text from its start, and still open afterwards. Ends of lines stay as they are."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding, newline="")
    try:
        yield text
    finally:
        if not file.closed:
            text.detach()


def _faulty(error: csv.Error, line: int, lines: int) -> BadRow:
    """The fault of one long cell; where it goes on over lines, a quote has no end."""
    if "field limit" in str(error) and lines == 1:
        return too_long(line, None, f"holds more than {csv.field_size_limit()} characters")
    detail = (
        f"In the row that begins in line {line} a quote is not closed, or a closing one is not followed by the next"
        " cell. Double each quote that belongs to a text."
    )
    raise TableUnreadable("table.quote", detail, line) from None
