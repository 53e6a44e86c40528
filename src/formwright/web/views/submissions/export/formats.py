"""The file formats of exports, and their writers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from formwright.domain.submissions.rendered_json import select_answers
from formwright.web.views.submissions.export.csv_xlsx import BOM, Workbook, format_csv
from formwright.web.views.submissions.export.ndjson import format_line
from formwright.web.views.submissions.export.parquet import ParquetWriter
from formwright.web.views.submissions.export.table import Batch, Table, headings, repeat_rows, submission_row


class Writer(Protocol):
    """Writes a file in constant memory. It blocks on disk I/O, so call it in a thread."""

    def add(self, batch: Batch) -> None:
        """Write submissions."""

    def close(self) -> None:
        """Finish the file."""

    def abandon(self) -> None:
        """Stop without finishing the file. Temporary files stay in their folder."""


OpenWriter = Callable[[IO[bytes], Table, Path], Writer]
"""Opens a writer of a table into a file. Temporary files go into the folder."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format. `stream` returns the bytes of a batch, or with None the bytes before the first batch.

    It is None for formats that can't be streamed, because their file is only valid once it is finished.
    """

    name: str
    title: str
    description: str
    media_type: str
    open_writer: OpenWriter
    stream: Callable[[Table, Batch | None], bytes] | None = None


def _csv_bytes(table: Table, batch: Batch | None) -> bytes:
    """Return CSV rows. Each repeat is a cell with JSON."""
    if batch is None:
        return (BOM + format_csv([headings(table, table.main)])).encode()
    return format_csv(submission_row(table, record, person) for record, person in batch).encode()


def _ndjson_bytes(table: Table, batch: Batch | None) -> bytes:
    """Return lines of JSON. As in the API, chosen columns restrict the answers only."""
    lines, names = (format_line(record) for record, _ in batch or ()), table.answer_names
    return b"".join(lines if names is None else (select_answers(line, names) + b"\n" for line in lines))


class _StreamWriter:
    """Writes a format that can be streamed."""

    def __init__(self, file: IO[bytes], table: Table, stream: Callable[[Table, Batch | None], bytes]) -> None:
        self._file, self._table, self._stream = file, table, stream
        file.write(stream(table, None))

    def add(self, batch: Batch) -> None:
        self._file.write(self._stream(self._table, batch))

    def close(self) -> None:
        self._file.flush()

    def abandon(self) -> None:
        """There are no temporary files."""


class _ExcelWriter:
    """Writes a workbook with a sheet of submissions and one for each repeat."""

    def __init__(self, file: IO[bytes], table: Table, folder: Path) -> None:
        self._book, self._table = Workbook(file, table, folder), table

    def add(self, batch: Batch) -> None:
        table = self._table
        main = [submission_row(table, record, person) for record, person in batch]
        repeats = [[row for record, _ in batch for row in repeat_rows(table, sheet, record)] for sheet in table.repeats]
        self._book.add([main, *repeats])

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
"""The formats by file extension, in the order in which pages offer them."""
