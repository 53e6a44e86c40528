"""Limits of URLs and headers: the same for every interface, method and protocol version."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from actors import Stage
from fixtures.fill_pages import PlainServer
from fixtures.http2_client import Http2Client
from fixtures.one_database import ONE_DATABASE
from fixtures.server_process import Server

PATHS = (
    "/api/v1.0/submissions",
    "/api/v1.0/none",
    "/odata/v4/",
    "/scim/v2/Users",
    "/files/none",
    "/fill/none",
    "/sign-in",
    "/submissions",
    "/docs",
    "/static/none.js",
    "/health/live",
    "/",
    "/none",
)
ORDINARY = 20
"""At most how many headers the client and the server add."""


def _headers(count: int) -> list[tuple[str, str]]:
    return [(f"x-{number}", "a") for number in range(count)]


WITHIN = {
    "headers": ("", _headers(100 - ORDINARY)),
    "a large header": ("", [("x-large", "a" * 60_000)]),
    "cookies": ("", [("cookie", "; ".join(f"c{number}=1" for number in range(50)))]),
    "a large cookie": ("", [("cookie", "c=" + "\\" * 8000)]),
    "a long query": ("limit=1&b=" + "a" * 16_000, []),
    "parameters": ("&".join(f"a{number}=1" for number in range(200)), []),
}
BEYOND = {
    "headers": ("", _headers(101), 431),
    "a large header": ("", [("x-large", "a" * 65_536)], 431),
    "cookies": ("", [("cookie", "; ".join(f"c{number}=1" for number in range(51)))], 431),
    "a large cookie": ("", [("cookie", "c=" + "a" * 8191)], 431),
    "cookies in several headers": ("", [("cookie", f"c{number}=" + "a" * 4000) for number in range(3)], 431),
    "a long query": ("b=" + "a" * 16_384, [], 414),
    "parameters": ("&".join(f"a{number}=1" for number in range(201)), [], 414),
}


@ONE_DATABASE
@pytest.mark.parametrize("path", PATHS)
async def test_requests_within_the_limits_are_served(stage: Stage, path: str) -> None:
    async with stage.client() as http:
        for what, (query, headers) in WITHIN.items():
            response = await http.get(f"{path}?{query}", headers=headers)
            assert response.status_code not in (414, 431, 500), what


@ONE_DATABASE
@pytest.mark.parametrize("path", PATHS)
async def test_requests_beyond_the_limits_are_rejected(stage: Stage, path: str) -> None:
    async with stage.client() as http:
        methods = itertools.cycle(("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "ANY"))
        # One more method than there are cases, so each path gets every method and every case twice.
        for what, (query, headers, status) in [*BEYOND.items(), *BEYOND.items()]:
            method = next(methods)
            response = await http.request(method, f"{path}?{query}", headers=headers)
            assert response.status_code == status, (method, what, response.text)
            assert response.headers["x-request-id"]
        long = await http.get(path.rstrip("/") + "/" + "a" * 2048)
        assert long.status_code == 414


@ONE_DATABASE
async def test_rejections_have_the_form_of_their_interface(stage: Stage) -> None:
    async with stage.client() as http:
        for query, headers, status, code in (
            ("a=" + "b" * 16_384, {}, 414, "url.too_long"),
            ("", {"cookie": "c=" + "a" * 8191}, 431, "headers.too_large"),
        ):
            for path in ("/api/v1.0/submissions", "/fill/none", "/files/none"):
                problem = await http.get(f"{path}?{query}", headers=headers)
                assert (problem.headers["content-type"], problem.json()["code"]) == ("application/problem+json", code)
            feed = await http.get(f"/odata/v4/?{query}", headers=headers)
            assert feed.json()["error"]["code"] == code
            directory = await http.get(f"/scim/v2/Users?{query}", headers=headers)
            assert directory.json()["status"] == str(status)
            page = await http.get(f"/sign-in?{query}", headers=headers)
            assert page.headers["content-security-policy"]
            assert ("Address too long" if status == 414 else "Delete the cookies of this site") in page.text


@ONE_DATABASE
async def test_a_long_address_is_not_part_of_the_redirect_to_sign_in(stage: Stage) -> None:
    """Encoded as `next`, it could be longer than a URL may be, and the person could not sign in."""
    async with stage.client() as http:
        response = await http.get("/submissions?q=" + "%22" * 5000)
        assert response.headers["location"] == "/sign-in"
        short = await http.get("/submissions?q=a")
        assert short.headers["location"] == "/sign-in?next=%2Fsubmissions%3Fq%3Da"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    server = PlainServer(tmp_path_factory.mktemp("limits"), INSECURE_HTTP="1", WORKERS="1", NO_WORKER="1")
    await server.start()
    yield server
    server.close()


@pytest.mark.parametrize("path", ["/api/v1.0/submissions", "/sign-in", "/health/live"])
async def test_http_2_has_the_same_limits(server: Server, path: str) -> None:
    for what, (query, headers) in WITHIN.items():
        async with Http2Client(server.port) as http:
            status, _ = await http.get(f"{path}?{query}", headers)
            assert status in (200, 400, 401), what
    for what, (query, headers, expected) in BEYOND.items():
        async with Http2Client(server.port) as http:
            status, content = await http.get(f"{path}?{query}", headers)
            assert status == expected, what
            if path.startswith("/api/"):
                assert json.loads(content)["status"] == expected


async def test_the_server_itself_limits_what_http_2_decompresses(server: Server) -> None:
    """A few kilobytes can contain thousands of references to a header that was sent once."""
    async with Http2Client(server.port) as http:
        status, _ = await http.get("/sign-in", [("x-indexed", "a" * 3900)] * 4000)
        assert status in (0, 431)
        assert http.sent < 20_000


async def test_http_1_has_the_same_limits(server: Server) -> None:
    for what, (query, headers, expected) in BEYOND.items():
        assert await _status_of(server, f"/sign-in?{query}", headers) == expected, what
    async with httpx.AsyncClient(base_url=server.base_url) as http:
        assert (await http.get("/sign-in", headers=WITHIN["a large header"][1])).status_code == 200


async def _status_of(server: Server, path: str, headers: list[tuple[str, str]]) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    lines = [f"GET {path} HTTP/1.1", "host: localhost", "connection: close", *(f"{n}: {v}" for n, v in headers)]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    answer = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    return int(answer.split(b" ", 2)[1])
