"""The kinds of files in which a form's submissions are taken away, and what writes each, piece by piece."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from formwright.web.views.submissions.export.csv_xlsx import BOM, Workbook, format_csv
from formwright.web.views.submissions.export.ndjson import format_line
from formwright.web.views.submissions.export.parquet import ParquetWriter
from formwright.web.views.submissions.export.table import Batch, Table, headings, repeat_rows, submission_row


class Writer(Protocol):
    """Writes a file in constant memory. It writes to the disk: for threads, and not for the event loop."""

    def add(self, piece: Batch) -> None:
        """Further submissions."""

    def close(self) -> None:
        """Put it together."""

    def abandon(self) -> None:
        """Let it go unfinished. What it kept is left in its folder."""


OpenWriter = Callable[[IO[bytes], Table, Path], Writer]
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
    opens: OpenWriter
    stream: Callable[[Table, Batch | None], bytes] | None = None


def _csv_bytes(table: Table, batch: Batch | None) -> bytes:
    """A repeat is one cell, in JSON."""
    if batch is None:
        return (BOM + format_csv([headings(table, table.main)])).encode()
    return format_csv(submission_row(table, record, person) for record, person in batch).encode()


def _ndjson_bytes(_: Table, batch: Batch | None) -> bytes:
    return b"".join(format_line(record) for record, _ in batch or ())


class _StreamWriter:
    """A file of which each part can be written as it comes."""

    def __init__(self, file: IO[bytes], table: Table, stream: Callable[[Table, Batch | None], bytes]) -> None:
        self._file, self._table, self._stream = file, table, stream
        file.write(stream(table, None))

    def add(self, piece: Batch) -> None:
        self._file.write(self._stream(self._table, piece))

    def close(self) -> None:
        self._file.flush()

    def abandon(self) -> None:
        """Nothing is kept beside it."""


class _ExcelWriter:
    """A workbook with a sheet of the submissions, and one for each repeat."""

    def __init__(self, file: IO[bytes], table: Table, beside: Path) -> None:
        self._book, self._table = Workbook(file, table, beside), table

    def add(self, piece: Batch) -> None:
        table = self._table
        main = [submission_row(table, record, person) for record, person in piece]
        inside = [[row for record, _ in piece for row in repeat_rows(table, sheet, record)] for sheet in table.repeats]
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
        lambda file, table, _: _StreamWriter(file, table, _csv_bytes),
        _csv_bytes,
    ),
    "xlsx": Format(
        "Excel",
        "Excel file",
        "With a sheet per repeated group",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ExcelWriter,
    ),
    "ndjson": Format(
        "NDJSON",
        "NDJSON file",
        "One JSON object per line, as in the API",
        "application/x-ndjson",
        lambda file, table, _: _StreamWriter(file, table, _ndjson_bytes),
        _ndjson_bytes,
    ),
    "parquet": Format("Parquet", "Parquet file", "For data analysis", "application/vnd.apache.parquet", ParquetWriter),
}
"""By the ending of a file's name, in the order in which they are offered."""
