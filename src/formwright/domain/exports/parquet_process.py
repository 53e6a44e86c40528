"""The process that writes a Parquet file: reads rows as JSON lines from standard input, writes to standard output.

The library holds the interpreter lock while it works. In the server's own process, nothing else could run.
"""

import os
import sys

from arro3.io import read_ipc_stream, read_json, write_parquet

_ROW_GROUP = 10_000
"""Rows per row group, which is kept in memory until it is written."""
_BATCH_ROWS = 1_000


def main() -> None:
    """Write the file. The first argument is the length of the schema in bytes, which precedes the rows."""
    length, schema = int(sys.argv[1]), b""
    while len(schema) < length:
        schema += os.read(0, length - len(schema))
    rows = read_json("/dev/stdin", read_ipc_stream(schema).schema, batch_size=_BATCH_ROWS)
    write_parquet(rows, sys.stdout.buffer, compression="zstd(3)", max_row_group_size=_ROW_GROUP)
    sys.stdout.buffer.flush()
