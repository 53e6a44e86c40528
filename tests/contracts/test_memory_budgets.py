"""No stranger can fill the memory of a server, or stop it, with headers, cookies, queries or unfinished requests."""

import asyncio
import itertools
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median

import httpx
import pytest
import pytest_asyncio
from fixtures.fill_pages import PlainServer
from fixtures.health_watch import family, slowness, watch
from fixtures.http2_client import Headers, Http2Client
from fixtures.server_process import Server, run_aside

from formwright.asgi.request_limits import (
    MAX_COOKIE_BYTES,
    MAX_COOKIES,
    MAX_HEADER_BYTES,
    MAX_PATH_CHARS,
    MAX_QUERY_BYTES,
    MAX_QUERY_PARAMETERS,
)

pytestmark = pytest.mark.slow

REQUESTS = 2000 if os.environ.get("ALL_ATTACKS") else 300
"""Requests to each kind of route. 300 for each fill a cache of a thousand entries three times."""
MIB = 1024 * 1024
GROWTH = 32 * MIB
"""How much more memory all those requests may leave behind. Before there were limits, 80 requests left 470 MiB."""
MOST_S = 0.1
KINDS = {
    "API": "/api/v1.0/submissions",
    "API without an operation": "/api/v1.0/none",
    "OData": "/odata/v4/",
    "SCIM": "/scim/v2/Users",
    "files": "/files/none",
    "fill": "/fill/none",
    "public page": "/sign-in",
    "page": "/submissions",
    "reference": "/docs",
    "static file": "/static/none.js",
    "health": "/health/live",
    "no page": "/none",
}


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    server = PlainServer(
        tmp_path, INSECURE_HTTP="1", WORKERS="1", NO_WORKER="1", LOG_LEVEL="error", FILL_RATE_LIMIT="0"
    )
    await server.start()
    yield server
    server.close()


_numbers = itertools.count()


def _resident(server: Server) -> int:
    """Return the resident memory of all processes of the server, in bytes."""
    assert server._process is not None
    pids = family(server._process.pid or 0)
    sizes = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids]
    return sum(sizes) * 4096


def _different(size: int) -> str:
    """Return a text of this length that no other request has."""
    return f"{next(_numbers):08}".ljust(size, "a")[:size]


def _largest_query() -> str:
    each = MAX_QUERY_BYTES // MAX_QUERY_PARAMETERS - 5
    return "&".join(f"{n:03}={_different(each)}" for n in range(MAX_QUERY_PARAMETERS))


def _largest_headers() -> Headers:
    """Return headers close to the limits: cookies of each kind, and the headers that something parses."""
    each = MAX_COOKIE_BYTES // MAX_COOKIES - 6
    cookies = "; ".join(f"{n:02}={_different(each)}" for n in range(MAX_COOKIES))
    parsed = ("accept", "accept-encoding", "accept-language", "if-none-match", "x-forwarded-for", "referer", "origin")
    size = (MAX_HEADER_BYTES - MAX_COOKIE_BYTES - 2048) // (len(parsed) + 1)
    return [
        ("cookie", cookies),
        ("x-api-key", _different(size)),
        *((name, _different(32) + "," * (size - 32)) for name in parsed),
    ]


async def _send(http: httpx.AsyncClient, path: str, count: int) -> None:
    for number in range(count):
        query = _largest_query() if number % 2 else ""
        room = MAX_PATH_CHARS - len(path) - 1
        longer = f"{path.rstrip('/')}/{_different(room)}" if number % 4 > 1 else path
        response = await http.get(f"{longer}?{query}", headers=_largest_headers())
        assert response.status_code not in (414, 431), response.text
        assert response.status_code < 500, response.text


async def _send_over_http_2(port: int, path: str, count: int) -> None:
    for _ in range(count // 50):
        async with Http2Client(port) as http:
            streams = [await http.open_stream(f"{path}?{_largest_query()}", _largest_headers()) for _ in range(50)]
            answers = await http.responses(streams)
            assert all(0 < status < 500 for status, _ in answers.values()), set(answers.values())


@pytest.mark.timeout(1200)
async def test_largest_requests_leave_nothing_behind(server: Server) -> None:
    """Thousands of different requests of the largest allowed size, to each kind of route, over HTTP/1.1 and HTTP/2."""
    http = server.client()
    async with http:
        for path in KINDS.values():
            await _send(http, path, 60)
            await _send_over_http_2(server.port, path, 50)
        before = _resident(server)
        for kind, path in KINDS.items():
            await _send(http, path, REQUESTS)
            await _send_over_http_2(server.port, path, 200)
            assert _resident(server) - before < GROWTH, kind


@pytest.mark.timeout(600)
async def test_no_cookie_header_or_query_stalls_the_server(server: Server, tmp_path: Path) -> None:
    """`/health/live` answers within 100 ms of processor time while the costliest requests arrive."""
    size = MAX_COOKIE_BYTES - 8
    cookies = {
        "backslashes": 'a="' + "\\" * (size - 8) + '"',
        "escapes": 'a="' + "\\101" * (size // 4 - 8) + '"',
        "percent": "a=" + "%41" * (size // 3 - 8),
        "pairs": "a=1;" * (MAX_COOKIES - 1) + "a=1",
        "semicolons": ";" * (MAX_COOKIES - 1),
    }
    # What no limit allows is rejected before anything parses it.
    cookies |= {
        f"{len(text)} backslashes": text for text in ('a="' + "\\" * 60_000 + '"', 'a="' + "\\" * 120_000 + '"')
    }
    queries = ["", "a&" * (MAX_QUERY_PARAMETERS - 1), "q=" + "%00" * (MAX_QUERY_BYTES // 3 - 2), "a&" * 20_000]
    pids = family(server._process.pid or 0) if server._process else []
    out = tmp_path / "watch"
    out.touch()
    watcher = run_aside(watch, server.port, "", pids, str(out))
    before = slowness()
    try:
        async with server.client() as http:
            for path, (what, cookie), query in itertools.product(KINDS.values(), cookies.items(), queries):
                try:
                    response = await http.get(f"{path}?{query}", headers={"cookie": cookie})
                except httpx.TransportError:
                    continue  # The server closes the connection when the headers are larger than its buffer.
                assert response.status_code < 500, (path, what)
    finally:
        watcher.kill()
        watcher.join()
    costs = [float(line.split()[1]) for line in out.read_text().splitlines()]
    assert len(costs) > 20, "the server was not watched"
    # The largest of several hundred includes what the machine did besides.
    worst = sorted(costs)[-3]
    assert worst < MOST_S * max(before, slowness()), (worst, median(costs))


@pytest.mark.timeout(600)
async def test_compressed_headers_cost_the_server_nothing(server: Server) -> None:
    """Each of 30 connections references a header 4,000 times, which HPACK packs into 7 KB."""
    for _ in range(3):
        await _bomb(server, 3)
    before = _resident(server)
    for _ in range(30):
        await _bomb(server, 1)
    assert _resident(server) - before < GROWTH
    async with server.client() as http:
        assert (await http.get("/health/live")).status_code == 200


async def _bomb(server: Server, count: int) -> None:
    headers = [("x-indexed", "a" * 3900)] * 4000
    async with Http2Client(server.port) as http:
        streams = [await http.open_stream("/sign-in", headers) for _ in range(count)]
        answers = await http.responses(streams)
        assert {status for status, _ in answers.values()} <= {0, 431}
        assert http.sent < 30_000 * count


@pytest.mark.timeout(600)
async def test_bodies_that_do_not_end_hold_little_memory_and_not_for_long(server: Server) -> None:
    """Streams with the largest headers and no end: at most what their headers contain, until the deadline."""
    before = _resident(server)
    form = [("content-type", "application/x-www-form-urlencoded"), ("content-length", "16000")]
    # The server answers most of them at once, without reading a body, and waits for that of a small form.
    paths = ("/fill/none/decline", "/api/v1.0/forms", "/scim/v2/Users", "/none", "/odata/v4/$batch", "/sign-in")
    async with Http2Client(server.port) as http:
        streams = [
            await http.open_stream(path, [("x-large", _different(60_000)), *form], "POST", end=False)
            for path in paths
            for _ in range(15)
        ]
        started_at = time.monotonic()
        await asyncio.sleep(1)
        assert _resident(server) - before < GROWTH
        answers = await http.responses(streams, 90)
        assert {status for status, _ in answers.values()} <= {303, 400, 401, 404, 405}
        assert [status for status, _ in answers.values()].count(400) == 15
        assert time.monotonic() - started_at < 60
    assert _resident(server) - before < GROWTH
