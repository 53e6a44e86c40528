"""Requests behind the SSRF guard, to real servers by name and by literal address, and TLS."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence

import aiohttp
import pytest
from fixtures.certificates import Certificates, made_in
from fixtures.http_sinks import OK, Receiver, a_client, answers, fails, resolves
from fixtures.proxy import Proxy
from structlog.testing import capture_logs

from formwright.core.net.guarded_resolver import AddressForbidden, GuardedResolver, SystemResolver
from formwright.core.net.http_client import NO_TUNNEL, UNREACHABLE, Bounds, FetchFailed, HttpClient
from formwright.core.net.ssrf_guard import AddressPolicy


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    async with a_client() as http_client:
        yield http_client


async def test_a_literal_address_is_rejected_before_connecting() -> None:
    async with Receiver(answers(OK)) as it, a_client(AddressPolicy()) as client:
        for host in ("127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]"):
            assert (await fails(client, f"https://{host}:{it.port}/")).kind == "forbidden"
        assert (await fails(client, it.url)).kind == "forbidden"
    assert it.connections == 0


async def test_sockets_are_guarded_because_literal_addresses_are_not_resolved() -> None:
    asked: list[str] = []

    async def lookup(host: str) -> Sequence[str]:
        asked.append(host)
        return ["8.8.8.8"]

    gate = GuardedResolver(AddressPolicy(), lookup, plain=False)
    connector = aiohttp.TCPConnector(resolver=gate, socket_factory=gate.open_socket, use_dns_cache=False)
    async with Receiver(answers(OK)) as it, aiohttp.ClientSession(connector=connector) as session:
        with pytest.raises(aiohttp.ClientConnectorError) as refusal:
            await session.post(it.url, data=b"{}")
    assert isinstance(refusal.value.os_error, AddressForbidden)
    assert (asked, it.connections) == ([], 0)


async def test_a_name_with_a_single_forbidden_address_is_rejected() -> None:
    async with Receiver(answers(OK)) as it:
        for mixed in (["127.0.0.1", "10.0.0.1"], ["10.0.0.1", "127.0.0.1"], ["127.0.0.1", "fd00::1"]):
            async with a_client(lookup=resolves(mixed)) as client:
                failure = await fails(client, f"http://receiver.example:{it.port}/")
                assert (failure.kind, failure.detail) == ("dns", UNREACHABLE)
    assert it.connections == 0


async def test_a_name_is_checked_again_at_every_attempt() -> None:
    close = answers(OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n"))
    turning = resolves(["127.0.0.1"], ["169.254.169.254"], ["127.0.0.1"])
    async with Receiver(close) as it, a_client(lookup=turning) as client:
        url = f"http://receiver.example:{it.port}/"
        assert (await client.post(url, headers={}, body=b"{}")).status == 200
        assert (await fails(client, url)).kind == "dns"
        assert (await client.post(url, headers={}, body=b"{}")).status == 200
    assert it.connections == 2
    assert f"\r\nhost: receiver.example:{it.port}\r\n" in it.heads[0]


async def test_plain_http_requires_an_address_that_the_operator_allows() -> None:
    async with a_client(lookup=resolves(["127.0.0.1", "8.8.8.8"])) as client:
        failure = await fails(client, "http://receiver.example/")
    assert (failure.kind, failure.detail) == ("dns", UNREACHABLE)


@pytest.mark.parametrize("proxied", [False, True])
async def test_an_internal_name_is_indistinguishable_from_a_missing_one(proxied: bool) -> None:
    """Only the operator's log distinguishes them. The outcome, message and duration do not."""

    async def lookup(host: str) -> Sequence[str]:
        await asyncio.sleep({"missing.example": 0.05}.get(host, 0))
        if host == "missing.example":
            raise OSError(-2, "Name or service not known")
        return {"internal.example": ["10.0.0.1"], "metadata.example": ["169.254.169.254"], "127.0.0.1": [host]}.get(
            host, []
        )

    hosts = ["missing.example", "empty.example", "internal.example", "metadata.example"]
    bounds = Bounds()
    async with Proxy(refusal=502) as proxy:
        with capture_logs() as entries:
            async with a_client(AddressPolicy(), lookup, proxy=proxy.url if proxied else "") as client:
                posts = [await fails(client, f"https://{host}/hook?key=secret") for host in hosts]
                for host in hosts:
                    with pytest.raises(FetchFailed) as refusal:
                        async with client.get(f"https://{host}/", headers={}, bounds=bounds):
                            pass
                    assert str(refusal.value) == f"{posts[0].kind}: {posts[0].detail}"
    expected = ("connect", NO_TUNNEL, 0) if proxied else ("dns", UNREACHABLE, 0)
    assert {(one.kind, one.detail, one.duration_ms) for one in posts} == {expected}
    assert [entry["host"] for entry in entries] == hosts * 2
    assert [entry["reason"] for entry in entries][2:4] == [
        f"the address of the host is forbidden: {why}" for why in ("private", "cloud metadata")
    ]
    assert "secret" not in str(entries)


async def test_the_connect_timeout_applies_to_a_hanging_name_server() -> None:
    async def lookup(_: str) -> Sequence[str]:
        await asyncio.sleep(30)
        return []

    async with a_client(lookup=lookup) as client:
        failure = await fails(client, "https://slow.example/", connect_s=0.2)
    assert (failure.kind, failure.detail) == ("timeout", "no connection within 0.2 s")


async def test_names_are_resolved_by_the_system(client: HttpClient) -> None:
    async with Receiver(answers(OK)) as it:
        assert (await client.post(f"http://localhost:{it.port}/", headers={}, body=b"{}")).status == 200


async def test_a_hanging_lookup_does_not_delay_others() -> None:
    release, asked = threading.Event(), []

    def ask(host: str) -> list[str]:
        asked.append(host)
        if host == "hanging.example":
            release.wait(60)
        return ["127.0.0.1"]

    names = SystemResolver(ask)
    waiting = [asyncio.create_task(names("hanging.example")) for _ in range(200)]
    await asyncio.sleep(0)
    try:
        assert await asyncio.wait_for(names("fine.example"), 30) == ["127.0.0.1"]
        waiting[0].cancel()
        release.set()
        assert await asyncio.gather(*waiting[1:]) == [["127.0.0.1"]] * 199
    finally:
        release.set()
        names.close()
    assert sorted(asked) == ["fine.example", "hanging.example"]
    assert waiting[0].cancelled()


# --- TLS ---


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return made_in(tmp_path_factory.mktemp("tls"))


async def test_tls_to_a_name_and_to_an_address(certificates: Certificates) -> None:
    names = resolves(["127.0.0.1"])
    served = Receiver(answers(OK), certificates.server)
    async with served as it, a_client(lookup=names, trust=certificates.trusting) as client:
        for host in ("receiver.example", "127.0.0.1"):
            assert (await client.post(f"https://{host}:{it.port}/", headers={}, body=b"{}")).status == 200


async def test_certificates_for_other_names_or_of_unknown_issuers_are_rejected(certificates: Certificates) -> None:
    names = resolves(["127.0.0.1"])
    async with Receiver(answers(OK), certificates.server) as it:
        async with a_client(lookup=names, trust=certificates.trusting) as client:
            failure = await fails(client, f"https://other.example:{it.port}/")
            assert failure.kind == "tls"
            assert "other.example" in failure.detail
        async with a_client(lookup=names) as client:
            failure = await fails(client, f"https://receiver.example:{it.port}/")
            assert (failure.kind, failure.detail) == ("tls", "certificate: self-signed certificate")
    assert it.heads == []


async def test_https_to_a_server_without_tls_is_reported(client: HttpClient) -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    failure = await fails(client, f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    server.close()
    assert failure.kind == "tls"


async def test_the_connect_timeout_applies_to_a_hanging_handshake(client: HttpClient) -> None:
    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(mute, "127.0.0.1", 0)
    failure = await fails(client, f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/", connect_s=0.2)
    server.close()
    assert failure.kind == "timeout"
