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
class ExpectedResponse:
    """A request and its expected response: the status, and the exact body or a part of it."""

    request: bytes
    status: int
    body: bytes
    exact: bool = True

    def matches(self, head: bytes, body: bytes) -> bool:
        """Whether this is the expected response."""
        same_body = body == self.body if self.exact else self.body in body
        return same_body and head.startswith(b"HTTP/1.1 %d" % self.status)


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The number of responses, how many of them were wrong, and the duration of a run."""

    responses: int
    wrong: int
    seconds: float


def build_get(host: str, path: str, key: str = "") -> bytes:
    """Return a GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\nX-Api-Key: {key}\r\n\r\n".encode()


def build_post(host: str, path: str, body: bytes, key: str = "") -> bytes:
    """Return a POST request."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nX-Api-Key: {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def run_load(port: int, requests: Sequence[ExpectedResponse], clients: int, seconds: float) -> LoadResult:
    """Let each client repeat `requests` on a connection of its own for this many seconds; wait for all responses."""
    poll, endless_requests = select.epoll(), cycle(requests)
    connections = [_Client(port, endless_requests) for _ in range(clients)]
    by_descriptor = {client.socket.fileno(): client for client in connections}
    for descriptor in by_descriptor:
        poll.register(descriptor, select.EPOLLIN)
    start = time.perf_counter()
    end = start + seconds
    for client in connections:
        client.send_next()
    waiting = len(connections)
    while waiting:
        for descriptor, _ in poll.poll(10):
            client = by_descriptor[descriptor]
            if client.read():
                if time.perf_counter() < end:
                    client.send_next()
                else:
                    waiting -= 1
    duration = time.perf_counter() - start
    poll.close()
    for client in connections:
        client.socket.close()
    return LoadResult(sum(c.responses for c in connections), sum(c.wrong for c in connections), duration)


class _Client:
    """One connection, and the response it is reading."""

    def __init__(self, port: int, expected: "cycle[ExpectedResponse]") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.responses = self.wrong = 0
        self._expected, self._received = expected, b""

    def send_next(self) -> None:
        self._received, self._current = b"", next(self._expected)
        self.socket.sendall(self._current.request)

    def read(self) -> bool:
        """Read available bytes; return True when the response is complete."""
        part = self.socket.recv(_CHUNK)
        if not part:
            raise ConnectionError("the server closed the connection")
        self._received += part
        head, ended, body = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head) if ended else None
        if length is None or len(body) < int(length[1]):
            return False
        self.responses += 1
        self.wrong += not self._current.matches(head, body)
        return True
