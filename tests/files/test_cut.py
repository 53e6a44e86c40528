"""Incomplete uploads: the connection breaks, or the server is killed."""

import socket
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from factories.files import FIELDS, PDF, png
from fixtures.server_process import Server, eventually

MIB = 1 << 20
RESET = b"\1\0\0\0\0\0\0\0"  # struct linger: close immediately, with RST.


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    server = Server(tmp_path)
    await server.start()
    yield server
    server.close()


async def _form(server: Server) -> dict[str, Any]:
    async with server.client(**{"x-api-key": server.demo()["apiKey"]}) as api:
        response = await api.post("/api/v1.0/forms", json={"name": "Visit", "fields": FIELDS, "publish": True})
    assert response.status_code == 201, response.text
    form: dict[str, Any] = response.json()
    return form


def _kept(server: Server) -> list[Path]:
    return [path for path in (server.data / "files").rglob("*") if path.is_file()]


async def _send(server: Server, form: dict[str, Any], field: str, content: bytes, type_: str) -> int:
    """Upload a file completely and return the status of the response."""
    async with server.client(**{"content-type": type_}) as anybody:
        return (await anybody.post(f"{form['fillPath']}/files?field={field}", content=content)).status_code


def _begin(server: Server, form: dict[str, Any], size: int) -> ssl.SSLSocket:
    """Start an upload of `size` bytes and return its connection."""
    plain = socket.create_connection(("localhost", server.port), timeout=30)
    connection = server.trust().wrap_socket(plain, server_hostname="localhost")
    head = (
        f"POST {form['fillPath']}/files?field=papers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/pdf\r\n"
    )
    connection.sendall(f"{head}Content-Length: {size}\r\n\r\n".encode())
    return connection


def _arriving(server: Server) -> int:
    """Return how many unnamed files the server has open, which contain uploads in progress."""
    found = 0
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            target = str(link.readlink())
        except OSError:
            continue
        found += target.startswith(str(server.data / "files")) and target.endswith("(deleted)")
    return found


async def _has_arriving(server: Server, count: int) -> None:
    async def look() -> bool:
        return _arriving(server) == count

    await eventually(look)


@pytest.mark.parametrize("manner", ["closed", "reset"])
async def test_nothing_of_a_broken_upload_is_stored(server: Server, manner: str) -> None:
    form = await _form(server)
    connection = _begin(server, form, 20 * MIB)
    connection.sendall(PDF.ljust(8 * MIB))
    await _has_arriving(server, 1)
    if manner == "reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    connection.close()
    await _has_arriving(server, 0)
    assert _kept(server) == []
    assert await _send(server, form, "photos", png(), "image/png") == 201
    assert len(_kept(server)) == 1


async def test_nothing_of_an_upload_to_a_killed_server_is_stored(server: Server) -> None:
    form = await _form(server)
    with _begin(server, form, 20 * MIB) as connection:
        connection.sendall(PDF.ljust(8 * MIB))
        await _has_arriving(server, 1)
        server.kill()
    assert _kept(server) == []
    await server.start()
    whole = PDF.ljust(20 * MIB)
    assert await _send(server, form, "papers", whole, "application/pdf") == 201
    (path,) = _kept(server)
    assert path.read_bytes() == whole


@pytest.mark.slow
@pytest.mark.parametrize("size", [100 * MIB + 1, 150 * MIB])
async def test_a_client_that_sends_too_much_gets_the_error(server: Server, size: int) -> None:
    form = await _form(server)
    with _begin(server, form, size) as connection:
        connection.sendall(PDF.ljust(size))
        answer = connection.recv(65536).decode()
    assert answer.startswith("HTTP/1.1 413")
    assert "file.too_large" in answer
    assert _kept(server) == []
