"""Durable records: each line is on the disk before its writer continues."""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Notes:
    """A file of JSON lines. Concurrent writers share an fsync."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._waiting: list[tuple[bytes, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def write(self, note: dict[str, Any]) -> None:
        """Write a record and return once it is durable."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((json.dumps(note).encode() + b"\n", done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await asyncio.to_thread(self._put, b"".join(line for line, _ in batch))
            for _, done in batch:
                if not done.done():
                    done.set_result(None)

    def _put(self, lines: bytes) -> None:
        os.write(self._file, lines)
        os.fsync(self._file)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield every complete line; the last one may still be incomplete."""
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield json.loads(line)
