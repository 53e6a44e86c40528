"""Streaming CSV parser that detects the delimiter."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import BinaryIO

from formwright.core.tables.base import (
    DEFAULT_RULES,
    BadRow,
    CellRules,
    Dialect,
    TableUnreadable,
    cell_too_long,
    check_row,
    parse_header,
)
from formwright.core.tables.encodings import detect_encoding

# In the order of preference: the rarer in prose, the more likely a delimiter.
_CANDIDATES = ("\t", "|", ";", ",")
NO_DELIMITER = "\udfff"
"""The delimiter of tables with a single column: a lone surrogate, which never occurs in decoded text."""

_SEP_LINE = re.compile(r'sep=([^\w\s"]|\t)\r?\n?', re.IGNORECASE)
_VALID_DELIMITER = re.compile(r'[^\w\s"]|\t')


def declared_delimiter(first_line: str) -> str | None:
    """Return the delimiter from a line like `sep=;`, which Excel writes and reads before the header."""
    match = _SEP_LINE.fullmatch(first_line)
    return match[1] if match else None


def check_delimiter(delimiter: str) -> str:
    """Return the requested delimiter; raise `TableUnreadable` if it is not valid."""
    if _VALID_DELIMITER.fullmatch(delimiter):
        return delimiter
    detail = f"{delimiter!r} cannot be used as a delimiter. Use a comma, a semicolon, a tab or |."
    raise TableUnreadable("table.delimiter", detail)


def detect_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter with which most of the first records have as many cells as the header.

    If no delimiter yields more than one column, the result is `NO_DELIMITER`.
    """
    scores = {candidate: _score(lines, candidate) for candidate in _CANDIDATES}
    best = max(_CANDIDATES, key=lambda candidate: scores[candidate])
    return best if scores[best][1] > 1 else NO_DELIMITER


def _score(lines: Sequence[str], delimiter: str) -> tuple[float, int]:
    """Return the share of records that are as wide as the header, and that width.

    A record with a quoting error counts as one of another width.
    """
    if not any(delimiter in line for line in lines):
        return (-2, 0)
    widths: list[int] = []
    try:
        rows = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
        for row in rows:
            widths += [len(row)] if any(row) else []
    except csv.Error:
        widths += [0] if widths else []
    if not widths:
        return (-1, 2)  # Better than no delimiter: parsing then reports the quoting error in the first record.
    header, *rest = widths
    return (rest.count(header) / len(rest) if rest else 1, header) if header > 1 else (-2, 0)


_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 2**20


class CsvTable:
    """A CSV file.

    If the dialect does not specify them, the encoding and the delimiter (`,`, `;`, tab or `|`) are detected.
    """

    def __init__(self, file: BinaryIO, dialect: Dialect, rules: CellRules = DEFAULT_RULES) -> None:
        self._file, self._rules = file, rules
        self._encoding = detect_encoding(file, dialect.encoding)
        sample = self._read_sample()
        declared = declared_delimiter(sample[0]) if sample else None
        self._skipped = 1 if declared else 0
        requested = check_delimiter(dialect.delimiter) if dialect.delimiter else declared
        self._delimiter = requested or detect_delimiter(sample)
        self._header_line, self.header = self._read_header()
        self.sheets: tuple[str, ...] = ()

    @property
    def dialect(self) -> Dialect:
        return Dialect(self._encoding.encoding, None if self._delimiter == NO_DELIMITER else self._delimiter)

    @property
    def encoding_sample(self) -> tuple[str, ...]:
        return self._encoding.sample

    def rows(self) -> Iterator[tuple[int, list[str]] | BadRow]:
        header, width, has_nul = self.header, len(self.header), self._encoding.has_nul
        max_length = self._rules.max_length
        for record in self._read_records():
            if isinstance(record, BadRow):
                yield record
                continue
            line, cells, length = record
            if line == self._header_line:
                continue
            if len(cells) != width or length > max_length or has_nul:
                yield check_row(cells, header, line, max_length)
            else:
                yield line, cells

    def _read_header(self) -> tuple[int, tuple[str, ...]]:
        for record in self._read_records():
            if isinstance(record, BadRow):
                detail = (
                    f"The header has more than {csv.field_size_limit()} characters. It must contain the column names."
                )
                raise TableUnreadable("table.header.too_long", detail, record.line)
            line, cells, _ = record
            return line, parse_header([cell.strip() for cell in cells], line)
        raise TableUnreadable("table.empty", "The file is empty. The first row must contain the column names.")

    def _read_sample(self) -> list[str]:
        lines: list[str] = []
        with _open_text(self._file, self._encoding.encoding) as text:
            remaining = _SAMPLE_CHARACTERS
            for line in islice(text, _SAMPLE_LINES):
                lines.append(line)
                remaining -= len(line)
                if remaining < 0:
                    break
        return lines

    def _read_records(self) -> Iterator[tuple[int, list[str], int] | BadRow]:
        """Yield each record that is not empty: its first line, its cells, and their total number of characters."""
        with _open_text(self._file, self._encoding.encoding) as text:
            for _ in range(self._skipped):
                next(text)
            # Without `strict`, a quoting error would be misread and go unnoticed until many rows later.
            reader = csv.reader(text, delimiter=self._delimiter, strict=True, skipinitialspace=True)
            line, before, strip = self._skipped, self._skipped, self._rules.strip
            while True:
                try:
                    for row in reader:
                        line, before = before + 1, self._skipped + reader.line_num
                        cells = list(map(str.strip, row))
                        if length := len("".join(cells)):
                            yield line, cells if strip else row, length if strip else len("".join(row))
                    return
                except csv.Error as error:
                    line, before = before + 1, self._skipped + reader.line_num
                    yield _to_bad_row(error, line, before - line + 1, self._rules.max_length)


@contextmanager
def _open_text(file: BinaryIO, encoding: str) -> Iterator[io.TextIOWrapper]:
    """Decode the file from its start, keeping line endings. The file stays open afterwards."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding, newline="")
    try:
        yield text
    finally:
        if not file.closed:
            text.detach()


def _to_bad_row(error: csv.Error, line: int, lines: int, max_length: int) -> BadRow:
    """Return the error for a cell that is too long; raise `TableUnreadable` for all other errors.

    A cell that is too long and spans several lines is the result of an unclosed quote.
    """
    if "field limit" in str(error) and lines == 1:
        return cell_too_long(line, None, f"has more than {csv.field_size_limit()} characters", max_length)
    detail = (
        "A quote in this row is not closed, or a closing quote is not followed by a delimiter. Double all quotes within"
        " cells."
    )
    raise TableUnreadable("table.quote", detail, line) from None
