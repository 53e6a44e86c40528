"""The load generator: clients that each wait for a response, check it, and send the next request.

It runs in a process of its own, and uses plain sockets and epoll, so that it is never the bottleneck.
"""

import re
import select
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Ask:
    """A request as it is sent, and the right response: the status, and the body or a part of it."""

    request: bytes
    status: int
    body: bytes
    whole: bool = True

    def fits(self, head: bytes, body: bytes) -> bool:
        """Return whether this is the right response."""
        right = body == self.body if self.whole else self.body in body
        return right and head.startswith(b"HTTP/1.1 %d" % self.status)


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of a run."""

    answers: int
    wrong: int
    seconds: float


def get(host: str, path: str, key: str = "") -> bytes:
    """Return a GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\nX-Api-Key: {key}\r\n\r\n".encode()


def post(host: str, path: str, body: bytes, key: str = "") -> bytes:
    """Return a POST request."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nX-Api-Key: {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def drive(port: int, asks: Sequence[Ask], clients: int, seconds: float) -> Tally:
    """Let `clients` repeat `asks` for this many seconds, each on its connection; wait for the last responses."""
    poll, next_ask = select.epoll(), cycle(asks)
    crowd = [_Client(port, next_ask) for _ in range(clients)]
    by_number = {client.socket.fileno(): client for client in crowd}
    for number in by_number:
        poll.register(number, select.EPOLLIN)
    start = time.perf_counter()
    end = start + seconds
    for client in crowd:
        client.ask()
    waiting = len(crowd)
    while waiting:
        for number, _ in poll.poll(10):
            client = by_number[number]
            if client.read():
                if time.perf_counter() < end:
                    client.ask()
                else:
                    waiting -= 1
    taken = time.perf_counter() - start
    poll.close()
    for client in crowd:
        client.socket.close()
    return Tally(sum(c.answers for c in crowd), sum(c.wrong for c in crowd), taken)


class _Client:
    """One connection, and the response it is reading."""

    def __init__(self, port: int, asks: "cycle[Ask]") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answers = self.wrong = 0
        self._asks, self._got = asks, b""

    def ask(self) -> None:
        self._got, self._ask = b"", next(self._asks)
        self.socket.sendall(self._ask.request)

    def read(self) -> bool:
        """Read available bytes; return True when the response is complete."""
        part = self.socket.recv(_CHUNK)
        if not part:
            raise ConnectionError("the server closed the connection")
        self._got += part
        head, ended, body = self._got.partition(b"\r\n\r\n")
        length = _LENGTH.search(head) if ended else None
        if length is None or len(body) < int(length[1]):
            return False
        self.answers += 1
        self.wrong += not self._ask.fits(head, body)
        return True
