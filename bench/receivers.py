"""Webhook receivers in a process of their own: they respond immediately, never, or refuse 30 % at random."""

import asyncio
import multiprocessing
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from multiprocessing.connection import Connection
from typing import Any

FLAKY_SHARE = 0.3
_refusals = random.Random(30)
_spawned = multiprocessing.get_context("spawn")


class _Sink(asyncio.Protocol):
    """Responds immediately, never, or sometimes with 503; records when each event happened and first arrived."""

    def __init__(self, came: dict[bytes, tuple[float, bytes]]) -> None:
        self._came, self._got = came, b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, ended, body = self._got.partition(b"\r\n\r\n")
        if not ended or len(body) < int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]):
            return
        self._got = b""
        if head.startswith(b"POST /hang"):
            return
        event = head.partition(b"webhook-id:")[2].split(b"\r\n")[0].strip()
        self._came.setdefault(event, (time.time(), body.partition(b'"timestamp":"')[2][:24]))
        refused = head.startswith(b"POST /flaky") and _refusals.random() < FLAKY_SHARE
        status = b"503 Busy" if refused else b"200 OK"
        self._transport.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")


def _receive(pipe: Connection) -> None:
    async def run() -> None:
        came: dict[bytes, tuple[float, bytes]] = {}
        server = await asyncio.get_running_loop().create_server(lambda: _Sink(came), "127.0.0.1", 0, backlog=1000)
        pipe.send(server.sockets[0].getsockname()[1])
        while await asyncio.to_thread(pipe.recv):
            pipe.send([(at - datetime.fromisoformat(when.decode()).timestamp()) * 1000 for at, when in came.values()])
            came.clear()

    asyncio.run(run())


@contextmanager
def run_receivers() -> Iterator[tuple[int, Connection]]:
    """Yield the port, and a pipe: for True, it returns the latencies of new arrivals in ms, from event to arrival."""
    here, there = multiprocessing.Pipe()
    process = _spawned.Process(target=_receive, args=(there,), daemon=True)
    process.start()
    try:
        yield here.recv(), here
    finally:
        process.kill()
        process.join()
