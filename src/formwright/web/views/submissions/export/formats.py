"""The kinds of files in which a form's submissions are taken away, and what writes each, piece by piece."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from formwright.web.views.submissions.export.csv_xlsx import BOM, Workbook, csv_text
from formwright.web.views.submissions.export.ndjson import line
from formwright.web.views.submissions.export.parquet import Parquet
from formwright.web.views.submissions.export.table import Piece, Table, headings, row_of, rows_of


class Writer(Protocol):
    """Writes a file in constant memory. It writes to the disk: for threads, and not for the event loop."""

    def add(self, piece: Piece) -> None:
        """Further submissions."""

    def close(self) -> None:
        """Put it together."""

    def abandon(self) -> None:
        """Let it go unfinished. What it kept is left in its folder."""


Opens = Callable[[IO[bytes], Table, Path], Writer]
"""Begins a file; what has to be kept beside it until it is whole goes into the folder."""


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file. `stream` makes the bytes of it that follow one another; None where it is only whole at the end.

    It is handed None for what stands before all submissions.
    """

    name: str
    title: str
    use: str
    media: str
    opens: Opens
    stream: Callable[[Table, Piece | None], bytes] | None = None


def _csv(table: Table, piece: Piece | None) -> bytes:
    """A repeat is one cell, in JSON."""
    if piece is None:
        return (BOM + csv_text([headings(table, table.main)])).encode()
    return csv_text(row_of(table, record, person) for record, person in piece).encode()


def _ndjson(_: Table, piece: Piece | None) -> bytes:
    return b"".join(line(record) for record, _ in piece or ())


class _Streamed:
    """A file of which each part can be written as it comes."""

    def __init__(self, file: IO[bytes], table: Table, stream: Callable[[Table, Piece | None], bytes]) -> None:
        self._file, self._table, self._stream = file, table, stream
        file.write(stream(table, None))

    def add(self, piece: Piece) -> None:
        self._file.write(self._stream(self._table, piece))

    def close(self) -> None:
        self._file.flush()

    def abandon(self) -> None:
        """Nothing is kept beside it."""


class _Excel:
    """A workbook with a sheet of the submissions, and one for each repeat."""

    def __init__(self, file: IO[bytes], table: Table, beside: Path) -> None:
        self._book, self._table = Workbook(file, table, beside), table

    def add(self, piece: Piece) -> None:
        table = self._table
        main = [row_of(table, record, person) for record, person in piece]
        inside = [[row for record, _ in piece for row in rows_of(table, sheet, record)] for sheet in table.repeats]
        self._book.add([main, *inside])

    def close(self) -> None:
        self._book.close()

    def abandon(self) -> None:
        self._book.abandon()


FORMATS: Mapping[str, Format] = {
    "csv": Format(
        "CSV",
        "CSV file",
        "For spreadsheets",
        "text/csv; charset=utf-8",
        lambda file, table, _: _Streamed(file, table, _csv),
        _csv,
    ),
    "xlsx": Format(
        "Excel",
        "Excel file",
        "With a sheet per repeated group",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _Excel,
    ),
    "ndjson": Format(
        "NDJSON",
        "NDJSON file",
        "One JSON object per line, as in the API",
        "application/x-ndjson",
        lambda file, table, _: _Streamed(file, table, _ndjson),
        _ndjson,
    ),
    "parquet": Format("Parquet", "Parquet file", "For data analysis", "application/vnd.apache.parquet", Parquet),
}
"""By the ending of a file's name, in the order in which they are offered."""
