"""The process that writes a Parquet file: reads rows as JSON lines from standard input, writes to standard output.

In the lines, the answers are an object of their own. In the file, they are columns beside the built-in ones.

The library holds the interpreter lock while it works. In the server's own process, nothing else could run.
"""

import os
import sys
from collections.abc import Iterator

from arro3.core import Array, DataType, Field, RecordBatch, RecordBatchReader, Schema, struct_field
from arro3.io import read_ipc_stream, read_json, write_parquet

ANSWERS = "_answers"
"""The property of the lines that contains the answers. Names of fields don't begin with `_`."""

_ROW_GROUP = 10_000
"""Rows per row group, which is kept in memory until it is written."""
_BATCH_ROWS = 1_000


def main() -> None:
    """Write the file. The first argument is the length of the schema in bytes, which precedes the rows."""
    length, schema = int(sys.argv[1]), b""
    while len(schema) < length:
        # Without a buffer, because `read_json` opens the pipe again and needs all of the rows.
        schema += os.read(0, length - len(schema))
    columns = read_ipc_stream(schema).schema
    rows = RecordBatchReader.from_batches(columns, _read_rows(columns))
    write_parquet(rows, sys.stdout.buffer, compression="zstd(3)", max_row_group_size=_ROW_GROUP)
    sys.stdout.buffer.flush()


def _read_rows(columns: Schema) -> Iterator[RecordBatch]:
    """Yield the rows in batches with these columns."""
    fields = [columns.field(name) for name in columns.names]
    answers = [field for field in fields if not field.name.startswith("_")]
    own = [field for field in fields if field.name.startswith("_")]
    nested = [Field(ANSWERS, DataType.struct(answers), nullable=True)] if answers else []
    for batch in read_json("/dev/stdin", Schema([*own, *nested]), batch_size=_BATCH_ROWS):
        arrays = {field.name: batch.column(field.name) for field in own}
        for number, field in enumerate(answers):
            arrays[field.name] = Array(struct_field(batch.column(ANSWERS), number))
        yield RecordBatch.from_arrays([arrays[field.name] for field in fields], schema=columns)
