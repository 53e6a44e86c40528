"""Allowed hosts: links contain no others, and requests without a host or with several are rejected."""

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from fixtures.app_contexts import settings_for
from fixtures.fill_pages import PlainServer
from fixtures.server_process import Server

from formwright import migrations
from formwright.app import create_app
from formwright.asgi.middleware import RequestMiddleware
from formwright.core.auth.allowed_hosts import AllowedHosts
from formwright.settings import Settings, SettingsError


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    server = PlainServer(tmp_path_factory.mktemp("hosts"), INSECURE_HTTP="1", ALLOWED_HOSTS=".forms.example")
    await server.start()
    yield server
    server.close()


async def status_of(server: Server, *lines: str, path: str = "/sign-in", version: str = "1.1") -> int:
    """Return the status of a request with only these header lines."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    sent = [f"GET {path} HTTP/{version}", *lines, "Connection: close", "", ""]
    writer.write("\r\n".join(sent).encode("latin-1"))
    answer = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    return int(answer.split(b" ", 2)[1])


async def test_only_allowed_hosts_are_accepted(server: Server) -> None:
    name = socket.gethostname()
    for host in ("localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8443", name, f"{name}.local", "a.forms.example."):
        assert await status_of(server, f"Host: {host}") == 200, host
    for host in (
        "evil.example",
        "localhost.evil.example",
        "203.0.113.7",
        "0.0.0.0",
        "[2001:db8::1]",
        "evilforms.example",
    ):
        for path in ("/sign-in", "/api/v1.0/openapi.json", "/fill/x"):
            assert await status_of(server, f"Host: {host}", path=path) == 421, host
        assert await status_of(server, f"Host: {host}", path="/health/ready") == 200


async def test_a_request_must_have_exactly_one_host(server: Server) -> None:
    for lines in ([], ["Host:"], ["Host: localhost", "Host: localhost"], ["Host: a b"], ["Host: a/b"], ["Host: u@a"]):
        for path in ("/sign-in", "/api/v1.0/openapi.json", "/health/live"):
            assert await status_of(server, *lines, path=path) == 400, lines
    # HTTP/1.0 has no Host header.
    assert await status_of(server, version="1.0") == 200


async def test_http_2_uses_host_or_else_authority(server: Server) -> None:
    """The server uses `host`, which links would contain, or else `:authority`."""
    ok, misdirected = b"\x88", b"\x48\x82\x68\x41"  # 200 and 421, encoded as in RFC 7541.
    for hosts, status in (
        (("localhost", None), ok),
        (("localhost", "localhost"), ok),
        (("localhost", "evil.example"), misdirected),
        (("evil.example", "localhost"), ok),
        (("evil.example", None), misdirected),
    ):
        assert (await _http_2(server, *hosts)).startswith(status), hosts


async def _http_2(server: Server, authority: str, host: str | None) -> bytes:
    """Return the header block (RFC 7541) of the response to an HTTP/2 GET request."""
    fields = [(":method", "GET"), (":scheme", "http"), (":path", "/sign-in"), (":authority", authority)]
    fields += [("host", host)] if host else []
    block = b"".join(b"\0" + b"".join(bytes([len(one)]) + one.encode() for one in field) for field in fields)
    head = len(block).to_bytes(3, "big") + b"\1\5" + (1).to_bytes(4, "big")
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0" + head + block)
    try:
        while True:
            frame = await asyncio.wait_for(reader.readexactly(9), 30)
            content = await reader.readexactly(int.from_bytes(frame[:3], "big"))
            if frame[3] == 1:
                return content
    finally:
        writer.close()


@pytest.fixture
def behind_proxy(tmp_path: Path) -> Settings:
    return replace(settings_for(tmp_path), trusted_proxies=(ip_network("127.0.0.1/32"),))


async def test_forwarded_hosts_follow_the_same_rules(behind_proxy: Settings) -> None:
    await migrations.upgrade(behind_proxy)
    entrance: RequestMiddleware = create_app(behind_proxy)
    transport = httpx.ASGITransport(entrance)
    async with entrance.app.lifespan(), httpx.AsyncClient(transport=transport, base_url="https://10.0.0.7") as http:
        for host, status in (("forms.test", 200), ("evil.example", 421), ("a b", 400)):
            forwarded = {"x-forwarded-host": host, "x-forwarded-proto": "https"}
            response = await http.get("/api/v1.0/openapi.json", headers=forwarded)
            assert response.status_code == status
        problem = await http.get("/api/v1.0/customers", headers={"x-forwarded-host": "evil.example"})
        assert (problem.json()["code"], "FORMWRIGHT_ALLOWED_HOSTS" in problem.json()["detail"]) == (
            "host.unknown",
            True,
        )
        page = await http.get("/sign-in", headers={"x-forwarded-host": "evil.example"})
        assert "FORMWRIGHT_ALLOWED_HOSTS" in page.text
        assert page.headers["content-security-policy"]


def test_the_public_url_and_configured_hosts_are_allowed() -> None:
    hosts = AllowedHosts((), "https://forms.example.org:8443/x", "box.lan")
    assert [hosts.allows(one) for one in ("forms.example.org", "box.lan:1", "example.org")] == [True, True, False]
    assert AllowedHosts(("*",)).allows("any.example")
    with pytest.raises(SettingsError, match="ALLOWED_HOSTS"):
        Settings.from_environment({"FORMWRIGHT_ALLOWED_HOSTS": "https://forms.example.org"})
