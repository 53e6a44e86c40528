"""What stands between the cells of a CSV.

In which encoding a file of text is, and whether all of it is.

A CSV, streamed.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from itertools import islice
from typing import BinaryIO

from formwright.domain.datasources.limits import MAX_CELL
from formwright.domain.datasources.parsers.base import (
    BadRow,
    Dialect,
    TableUnreadable,
    cell_too_long,
    check_row,
    parse_header,
)

# The rarer it is in plain text, the sooner it is believed.
_CANDIDATES = ("\t", "|", ";", ",")
NO_DELIMITER = "\udfff"
"""Half a character, which no decoded text holds: a table of one column has nothing between its cells."""

_SEP_LINE = re.compile(r'sep=([^\w\s"]|\t)\r?\n?', re.IGNORECASE)
_VALID_DELIMITER = re.compile(r'[^\w\s"]|\t')


def declared_delimiter(first_line: str) -> str | None:
    """The delimiter of the line `sep=;` that Excel writes and reads before the header."""
    found = _SEP_LINE.fullmatch(first_line)
    return found[1] if found else None


def check_delimiter(delimiter: str) -> str:
    """The delimiter that was asked for, if it can be one."""
    if _VALID_DELIMITER.fullmatch(delimiter):
        return delimiter
    detail = f"{delimiter!r} cannot stand between cells. Use a comma, a semicolon, a tab or |."
    raise TableUnreadable("table.delimiter", detail)


def detect_delimiter(lines: Sequence[str]) -> str:
    """The delimiter with which the first records have most often as many cells as the header; `NONE` for one column."""
    scores = {candidate: _score(lines, candidate) for candidate in _CANDIDATES}
    best = max(_CANDIDATES, key=lambda candidate: scores[candidate])
    return best if scores[best][1] > 1 else NO_DELIMITER


def _score(lines: Sequence[str], delimiter: str) -> tuple[float, int]:
    """The share of the records that agree with the header, and its width; a fault in the quotes does not agree."""
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
        return (-1, 2)  # Better than none: a fault in the first record is then found where it is.
    header, *rest = widths
    return (rest.count(header) / len(rest) if rest else 1, header) if header > 1 else (-2, 0)


MAX_LINE = 4_000_000
"""Characters: 200 columns of 10,000, each of them a quote that is doubled."""

_CHUNK = 2**20
# UTF-32 first: its mark begins as that of UTF-16 does.
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Python calls them text; they are ways to write names of hosts and of programs, and UTF-7 yields halves of characters.
_UNSUPPORTED_ENCODINGS = {
    "idna",
    "punycode",
    "unicode-escape",
    "raw-unicode-escape",
    "undefined",
    "unicode_escape",
    "utf-7",
}
_FIX_HINT = "Save it as CSV UTF-8, or name its encoding."


@dataclass(frozen=True, slots=True)
class TextEncoding:
    """How the file is decoded, and whether there is a NUL anywhere in it."""

    encoding: str
    nul: bool


def parse_charset(content_type: str) -> str | None:
    """The encoding that the `charset` of a Content-Type names; None where it names none, or none that is known.

    UTF-8 is often named without a look at the file, and is found anyway.
    """
    header = Message()
    header["content-type"] = content_type or "text/csv"
    try:
        name = codecs.lookup(header.get_content_charset("")).name
    except LookupError:
        return None
    return None if name in ("utf-8", "ascii") else name


def detect_encoding(file: BinaryIO, requested: str | None) -> TextEncoding:
    """The encoding in which the whole file is text. A mark at its beginning counts for more than what was said."""
    file.seek(0)
    head = file.read(4096)
    marked = next((encoding for mark, encoding in _BOMS if head.startswith(mark)), None)
    if encoding := marked or _check_encoding(requested):
        return _check_decodable(file, encoding)
    if head.count(0) > len(head) // 4:
        detail = "This looks like UTF-16 without a mark at its beginning. Name the encoding, utf-16-le or utf-16-be."
        raise TableUnreadable("table.encoding", detail, 1)
    try:
        return _check_decodable(file, "utf-8")
    except TableUnreadable as error:
        if error.code != "table.encoding":
            raise
        return _check_decodable(file, "cp1252")


def _check_encoding(requested: str | None) -> str | None:
    if requested is None:
        return None
    try:
        io.TextIOWrapper(io.BytesIO(), requested)  # It takes encodings of text only.
        name = codecs.lookup(requested).name
    except (LookupError, ValueError):
        name = ""
    if not name or name in _UNSUPPORTED_ENCODINGS:
        detail = (
            f"There is no encoding {requested!r} for text. Use utf-8, utf-16, windows-1252 or another that is known."
        )
        raise TableUnreadable("table.encoding.unknown", detail)
    return name


def _check_decodable(file: BinaryIO, encoding: str) -> TextEncoding:
    """The file decoded once to its end, so that nothing is found undecodable when half of it is taken in."""
    decoder = codecs.getincrementaldecoder(encoding)()
    feeds = returns = length = 0
    nul = False
    file.seek(0)
    while True:
        chunk = file.read(_CHUNK)
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeError as error:
            before = _decodable_prefix(error, encoding)
            line = 1 + max(feeds + before.count("\n"), returns + before.count("\r"))
            raise TableUnreadable("table.encoding", _undecodable_message(encoding, line), line) from None
        if not chunk:
            return TextEncoding(encoding, nul)
        feeds, returns = feeds + text.count("\n"), returns + text.count("\r")
        nul = nul or "\0" in text
        end = max(text.rfind("\n"), text.rfind("\r"))
        length = length + len(text) if end < 0 else len(text) - end - 1
        if length > MAX_LINE:
            line = 1 + max(feeds, returns)
            detail = f"Line {line} has more than {MAX_LINE} characters. No row of a table is as long."
            raise TableUnreadable("table.line", detail, line)


def _decodable_prefix(error: UnicodeError, encoding: str) -> str:
    """What could be decoded of the chunk; not every codec says where it failed."""
    return error.object[: error.start].decode(encoding, "ignore") if isinstance(error, UnicodeDecodeError) else ""


def _undecodable_message(encoding: str, line: int) -> str:
    if encoding == "cp1252":
        return f"The file is neither UTF-8 nor Windows-1252: see line {line}. {_FIX_HINT}"
    return f"Line {line} is not in {encoding}. {_FIX_HINT}"


_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 2**20


class CsvTable:
    """A table of text: UTF-8, UTF-16 or Windows-1252, with `,` `;` tab or `|` between its cells, or as was said."""

    def __init__(self, file: BinaryIO, dialect: Dialect) -> None:
        self._file = file
        self._text = detect_encoding(file, dialect.encoding)
        sample = self._sample()
        said = declared_delimiter(sample[0]) if sample else None
        self._skipped = 1 if said else 0
        asked = check_delimiter(dialect.delimiter) if dialect.delimiter else said
        self._delimiter = asked or detect_delimiter(sample)
        self._header_line, self.header = self._head()
        self.sheets: tuple[str, ...] = ()

    @property
    def dialect(self) -> Dialect:
        return Dialect(self._text.encoding, None if self._delimiter == NO_DELIMITER else self._delimiter)

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
                yield check_row(cells, header, line)
            else:
                yield line, cells

    def _head(self) -> tuple[int, tuple[str, ...]]:
        for record in self._records():
            if isinstance(record, BadRow):
                detail = f"The header holds more than {MAX_CELL} characters. The first row must hold names."
                raise TableUnreadable("table.header.too_long", detail, record.line)
            line, cells, _ = record
            return line, parse_header(cells, line)
        raise TableUnreadable("table.empty", "There is nothing in the file. The first row must name the columns.")

    def _sample(self) -> list[str]:
        lines: list[str] = []
        with _open_text(self._file, self._text.encoding) as text:
            room = _SAMPLE_CHARACTERS
            for line in islice(text, _SAMPLE_LINES):
                lines.append(line)
                room -= len(line)
                if room < 0:
                    break
        return lines

    def _records(self) -> Iterator[tuple[int, list[str], int] | BadRow]:
        """Each record that is not empty: its first line, its cells, and their characters in all."""
        with _open_text(self._file, self._text.encoding) as text:
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
                    yield _to_bad_row(error, line, lines=before - line + 1)


@contextmanager
def _open_text(file: BinaryIO, encoding: str) -> Iterator[io.TextIOWrapper]:
    """The file as text from its start, and still open afterwards. Ends of lines stay as they are."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding, newline="")
    try:
        yield text
    finally:
        if not file.closed:
            text.detach()


def _to_bad_row(error: csv.Error, line: int, lines: int) -> BadRow:
    """The fault of one long cell; where it goes on over lines, a quote has no end."""
    if "field limit" in str(error) and lines == 1:
        return cell_too_long(line, None, f"holds more than {csv.field_size_limit()} characters")
    detail = (
        f"In the row that begins in line {line} a quote is not closed, or a closing one is not followed by the next"
        " cell. Double each quote that belongs to a text."
    )
    raise TableUnreadable("table.quote", detail, line) from None
