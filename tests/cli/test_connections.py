"""Idle browsers and browsers that have disappeared do not block others."""

import asyncio
import os
import resource
import signal
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from fixtures.server_process import Server, _stay, environment, run_aside

from formwright.cli import serve

IDLE = 1100
_BEGIN = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
"""The start of an HTTP/2 connection (RFC 9113, 3.4), with empty settings."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def many_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * IDLE, before[1]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@asynccontextmanager
async def browser(server: Server) -> AsyncIterator[asyncio.StreamReader]:
    """A client that has connected, and reads without responding."""
    trust = ssl.create_default_context(cafile=server.data / "tls" / "ca.pem")
    trust.set_alpn_protocols(["h2"])
    reader, writer = await asyncio.open_connection("localhost", server.port, ssl=trust)
    writer.write(_BEGIN)
    yield reader
    writer.transport.abort()


@pytest.mark.slow
async def test_a_large_http2_request_gets_the_reason_for_its_rejection(server: Server, tmp_path: Path) -> None:
    await server.start()
    large = tmp_path / "large"
    large.write_bytes(b"x" * 11 * 2**20)
    key = server.demo()["apiKey"]
    for path, sent, code in (
        ("forms", key, "body.too_large"),
        ("forms", "none", "key.unknown"),
        ("x", key, "route.no"),
    ):
        for _ in range(4):
            words = ["curl", "--http2", "--cacert", server.data / "tls" / "ca.pem", "--data-binary", f"@{large}", "-sS"]
            headers = ["-H", f"X-Api-Key: {sent}", "-H", "Content-Type: application/json"]
            asked = [*words, *headers, f"{server.base_url}/api/v1.0/{path}"]
            done = await asyncio.to_thread(subprocess.run, asked, capture_output=True, text=True, check=False)
            assert code in done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("many_files")
async def test_a_thousand_idle_connections_block_nobody(server: Server) -> None:
    await server.start()
    open_ones = [browser(server) for _ in range(IDLE)]
    for begin in range(0, IDLE, 50):
        await asyncio.gather(*(one.__aenter__() for one in open_ones[begin : begin + 50]))
    async with server.client() as http:
        assert (await http.get("/health/live", timeout=10)).status_code == 200
    for one in open_ones:
        await one.__aexit__(None, None, None)


async def test_sigusr1_does_not_stop_the_server(server: Server) -> None:
    await server.start()
    assert server._process
    assert server._process.pid
    os.kill(server._process.pid, signal.SIGUSR1)
    await asyncio.sleep(0.5)
    assert server.running
    assert (await server.stop())[0] == 0


class ShortKeepAliveServer(Server):
    """A server that sends a keep-alive ping after half a second without traffic."""

    def spawn(self, *arguments: str) -> None:
        where = environment(**self._variables)
        self._process = run_aside(_serve_with_short_keep_alive, arguments, where, self._words, self._log)


def _serve_with_short_keep_alive(arguments: tuple[str, ...], variables: dict[str, str], out: Path, err: Path) -> None:
    serve._KEEP_ALIVE_INTERVAL_MS, serve._KEEP_ALIVE_TIMEOUT_S = 500, 1
    _stay(arguments, variables, out, err)


async def test_an_unresponsive_connection_is_closed(tmp_path: Path) -> None:
    server = ShortKeepAliveServer(tmp_path)
    try:
        await server.start()
        async with browser(server) as reader:
            await reader.read()
    finally:
        server.kill()
