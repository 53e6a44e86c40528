"""The local proxy with the SSRF guard, as an HTTP client and as `obstore` use it."""

import asyncio
import io
from collections.abc import AsyncIterator, Sequence
from contextlib import nullcontext
from ipaddress import ip_network

import httpx
import pytest
from obstore.exceptions import BaseError

from formwright.core.blobs import BlobStoreUnavailable, ReceivedBlob
from formwright.core.net import guarded_proxy
from formwright.core.net.guarded_proxy import GuardedProxy, open_guarded_proxy
from formwright.core.net.http_client import UNREACHABLE
from formwright.core.net.ssrf_guard import AddressPolicy
from formwright.core.object_stores import BucketAccess, BucketUnavailable, open_bucket

LOOPBACK = AddressPolicy([ip_network("127.0.0.1/32")])
RESPONSE = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"


class Upstream:
    """A server that records the head of each request."""

    def __init__(self) -> None:
        self.heads: list[str] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(RESPONSE)
        await writer.drain()
        writer.close()


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    upstream = Upstream()
    server = await asyncio.start_server(upstream.serve, "127.0.0.1", 0)
    upstream.port = server.sockets[0].getsockname()[1]
    yield upstream
    server.close()


async def _get(proxy: GuardedProxy, url: str, proxy_url: str = "") -> int:
    async with httpx.AsyncClient(proxy=proxy_url or proxy.url) as client:
        return (await client.get(url)).status_code


async def test_requests_go_to_allowed_addresses_without_the_password(upstream: Upstream) -> None:
    async with open_guarded_proxy(LOOPBACK) as proxy:
        assert await _get(proxy, f"http://127.0.0.1:{upstream.port}/path") == 403
    [head] = upstream.heads
    assert "proxy" not in head.lower()


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "0.0.0.0"])
async def test_names_with_forbidden_addresses_are_not_connected_to(
    upstream: Upstream, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    class Resolver:
        async def __call__(self, host: str) -> Sequence[str]:
            return ["93.184.216.34", address]

        def close(self) -> None: ...

    monkeypatch.setattr(guarded_proxy, "SystemResolver", Resolver)
    async with open_guarded_proxy(AddressPolicy([ip_network("192.168.0.0/16")])) as proxy:
        for scheme in ("http", "https"):
            with pytest.raises(httpx.ProxyError) if scheme == "https" else nullcontext():
                assert await _get(proxy, f"{scheme}://name.example:{upstream.port}/") == 502
            assert proxy.failure == UNREACHABLE
    assert upstream.heads == []


async def test_the_password_is_required(upstream: Upstream) -> None:
    async with open_guarded_proxy(LOOPBACK) as proxy:
        port = proxy.url.rpartition(":")[2]
        assert await _get(proxy, f"http://127.0.0.1:{upstream.port}/", f"http://127.0.0.1:{port}") == 502
        assert await _get(proxy, f"http://127.0.0.1:{upstream.port}/", f"http://formwright:x@127.0.0.1:{port}") == 502
    assert upstream.heads == []


async def test_nothing_of_the_operator_is_sent_to_the_bucket_of_a_customer(
    upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "operator")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "operator-secret")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "operator-token")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "https://operator.example")
    access = BucketAccess(f"http://127.0.0.1:{upstream.port}", "eu-central-1", "bucket", "AKIA", "secret")
    async with open_guarded_proxy(LOOPBACK) as proxy:
        store = open_bucket(access, proxy.url, retries=0)
        with pytest.raises(BlobStoreUnavailable) as failed:
            await store.put("a", ReceivedBlob(io.BytesIO(b"x")))
        await store.close()
        monkeypatch.setenv("AWS_SSE_CUSTOMER_KEY_BASE64", "operator-key")
        with pytest.raises(BucketUnavailable):
            open_bucket(access, proxy.url, retries=0)
    assert isinstance(failed.value.__cause__, BaseError)
    [head] = upstream.heads
    assert "Credential=AKIA/" in head
    assert "operator" not in head
