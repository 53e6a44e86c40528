"""The file formats of exports, and their writers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, Protocol

import msgspec

from formwright.domain.exports import import_cells, office_cells
from formwright.domain.exports.cells import LocalTimeFormat, build_columns, local_time, repeat_rows
from formwright.domain.exports.csv import BOM, format_csv
from formwright.domain.exports.parquet import ParquetWriter, open_typed_decoder
from formwright.domain.exports.records import Batch, Decoder, list_decoder, open_decoder
from formwright.domain.exports.table import Table, headings
from formwright.domain.exports.workbook import Workbook
from formwright.domain.submissions.rendered_json import select_answers


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
Encode = Callable[[Batch | None], bytes]
"""Returns the bytes of a batch, or with None the bytes before the first batch."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    `open_decoder` returns how a page of submissions is decoded, and `names_authors` whether the file has their names.
    `open_stream` is None for formats that can't be streamed, because their file is only valid once it is finished.
    """

    name: str
    title: str
    description: str
    media_type: str
    open_writer: OpenWriter
    open_decoder: Callable[[Table], Decoder] = open_decoder
    open_stream: Callable[[Table], Encode] | None = None
    names_authors: bool = True


def _open_csv(table: Table) -> Encode:
    """Return the encoder of CSV rows. Each repeat is a cell with JSON."""
    format_time = LocalTimeFormat(table.context.time_zone)

    def encode(batch: Batch | None) -> bytes:
        if batch is None:
            return (BOM + format_csv([[heading] for heading in headings(table, table.main)])).encode()
        if table.for_import:
            return import_cells.format_rows(table, batch).encode()
        return format_csv(build_columns(table, batch, format_time)).encode()

    return encode


def _open_ndjson(table: Table) -> Encode:
    """Return the encoder of lines of JSON. As in the API, chosen columns restrict the answers only."""
    names = table.answer_names

    def encode(batch: Batch | None) -> bytes:
        lines: list[Any] = [] if batch is None else list(batch.records)
        return b"".join(b"%b\n" % (line if names is None else select_answers(bytes(line), names)) for line in lines)

    return encode


class _StreamWriter:
    """Writes a format that can be streamed."""

    def __init__(self, open_stream: Callable[[Table], Encode], file: IO[bytes], table: Table, _: Path) -> None:
        self._file, self._encode = file, open_stream(table)
        file.write(self._encode(None))

    def add(self, batch: Batch) -> None:
        self._file.write(self._encode(batch))

    def close(self) -> None:
        self._file.flush()

    def abandon(self) -> None:
        """There are no temporary files."""


class _ExcelWriter:
    """Writes a workbook with a sheet of submissions and one for each repeat."""

    def __init__(self, file: IO[bytes], table: Table, folder: Path) -> None:
        self._book, self._table = Workbook(file, table, folder), table
        self._format_time = partial(local_time, zone=table.context.time_zone)

    def add(self, batch: Batch) -> None:
        table, rows = self._table, repeat_rows
        if table.for_import:
            columns, rows = import_cells.build_sheet_columns(table, batch), import_cells.repeat_rows
        elif table.layout:
            columns = build_columns(table, batch, self._format_time, office_cells.build_answer_columns)
            rows = office_cells.repeat_rows
        else:
            columns = build_columns(table, batch, self._format_time)
        self._book.add([zip(*columns, strict=True), *(rows(table, sheet, batch) for sheet in table.repeats)])

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
        partial(_StreamWriter, _open_csv),
        open_stream=_open_csv,
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
        partial(_StreamWriter, _open_ndjson),
        lambda _: list_decoder(msgspec.Raw),
        open_stream=_open_ndjson,
        names_authors=False,
    ),
    "parquet": Format(
        "Parquet",
        "Parquet file",
        "For data analysis",
        "application/vnd.apache.parquet",
        ParquetWriter,
        open_typed_decoder,
    ),
}
"""The formats by file extension, in the order in which pages offer them."""
