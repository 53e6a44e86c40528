"""The HTTP client with real servers on loopback: correct, broken and malicious ones."""

import asyncio
import gzip
import time
from collections.abc import AsyncIterator

import pytest
from fixtures.http_sinks import OK, Receiver, a_client, answers, fails, resolves

from formwright import __version__
from formwright.core.net.http_client import HttpClient, PostFailed


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    async with a_client() as http_client:
        yield http_client


# --- requests and responses ---


async def test_a_post_arrives_and_its_response_is_returned(client: HttpClient) -> None:
    raw = b"HTTP/1.1 503 Busy\r\nRETRY-AFTER: 7\r\nContent-Type: text/plain\r\nX-A: x\r\nContent-Length: 4\r\n\r\nlate"
    async with Receiver(answers(raw)) as it:
        response = await client.post(it.url, headers={"Webhook-Id": "evt_1"}, body=b'{"a": 1}')
    assert (response.status, response.body, response.truncated) == (503, b"late", False)
    assert response.headers == {"retry-after": "7", "content-type": "text/plain"}
    assert 0 <= response.duration_ms < 5000
    assert it.bodies == [b'{"a": 1}']
    assert it.heads[0].startswith("post /hook http/1.1\r\n")
    assert "\r\nwebhook-id: evt_1\r\n" in it.heads[0]


async def test_the_client_identifies_itself_and_requests_no_compression(client: HttpClient) -> None:
    async with Receiver(answers(OK)) as it:
        await client.post(it.url, headers={}, body=b"{}")
    assert f"\r\nuser-agent: formwright/{__version__}\r\n" in it.heads[0]
    assert "\r\naccept-encoding: identity\r\n" in it.heads[0]


async def test_a_large_body_is_sent(client: HttpClient) -> None:
    body = b"x" * 3_000_000
    async with Receiver(answers(OK)) as it:
        await client.post(it.url, headers={}, body=body)
    assert it.bodies == [body]


async def test_a_response_without_a_body(client: HttpClient) -> None:
    async with Receiver(answers(b"HTTP/1.1 204 No Content\r\n\r\n")) as it:
        response = await client.post(it.url, headers={}, body=b"{}")
    assert (response.status, response.body, response.truncated) == (204, b"", False)


async def test_a_redirect_is_returned_and_not_followed(client: HttpClient) -> None:
    async with Receiver(answers(OK)) as target:
        raw = f"HTTP/1.1 307 Away\r\nLocation: {target.url}\r\nContent-Length: 0\r\n\r\n".encode()
        async with Receiver(answers(raw)) as it:
            response = await client.post(it.url, headers={}, body=b"{}")
    assert response.status == 307
    assert target.connections == 0


async def test_cookies_are_ignored() -> None:
    raw = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"
    async with Receiver(answers(raw)) as it, a_client(lookup=resolves(["127.0.0.1"])) as client:
        for _ in range(2):
            await client.post(f"http://receiver.example:{it.port}/", headers={}, body=b"{}")
    assert len(it.heads) == 2
    assert "cookie" not in it.heads[1]


async def test_a_proxy_in_the_environment_is_ignored(client: HttpClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Receiver(answers(OK)) as proxy, Receiver(answers(OK)) as it:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        await client.post(it.url, headers={}, body=b"{}")
    assert (it.connections, proxy.connections) == (1, 0)


# --- hostile answers ---


async def test_an_endless_response_is_cut_off(client: HttpClient) -> None:
    sent = 0

    async def flood(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()
            sent += 65536

    async with Receiver(flood) as it:
        response = await client.post(it.url, headers={}, body=b"{}")
        await asyncio.sleep(0.2)
        after = sent
        await asyncio.sleep(0.1)
    assert (response.status, response.body, response.truncated) == (200, b"x" * 2048, True)
    assert sent == after < 50_000_000


async def test_a_long_response_is_truncated_to_2_kib_and_marked(client: HttpClient) -> None:
    async with Receiver(answers(b"HTTP/1.1 200 OK\r\nContent-Length: 2049\r\n\r\n" + b"y" * 2049)) as it:
        response = await client.post(it.url, headers={}, body=b"{}")
    assert (response.body, response.truncated) == (b"y" * 2048, True)


async def test_a_compressed_response_is_not_decompressed(client: HttpClient) -> None:
    bomb = gzip.compress(bytes(10_000_000))
    raw = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    async with Receiver(answers(raw + bomb)) as it:
        response = await client.post(it.url, headers={}, body=b"{}")
    assert (response.body, response.truncated) == (bomb[:2048], True)


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"])
async def test_the_deadline_applies_to_a_slow_response(client: HttpClient, head: bytes) -> None:
    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(b"d")
            await writer.drain()
            await asyncio.sleep(0.02)

    async with Receiver(drip) as it:
        start = time.perf_counter()
        failure = await fails(client, it.url, deadline_s=0.3)
        took = time.perf_counter() - start
    assert failure.kind == "timeout"
    assert took >= 0.3


async def test_the_deadline_applies_to_a_silent_server(client: HttpClient) -> None:
    async def hang(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
        await asyncio.sleep(30)

    async with Receiver(hang) as it:
        failure = await fails(client, it.url, deadline_s=0.2)
    assert (failure.kind, failure.detail) == ("timeout", "no complete response within 0.2 s")
    assert failure.duration_ms >= 200


async def test_the_deadline_applies_to_a_server_that_does_not_read(client: HttpClient) -> None:
    stop = asyncio.Event()

    async def deaf(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await stop.wait()
        writer.close()

    server = await asyncio.start_server(deaf, "127.0.0.1", 0, limit=1)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(PostFailed) as failure:
        await client.post(f"http://127.0.0.1:{port}/", headers={}, body=bytes(30_000_000), deadline_s=0.3)
    stop.set()
    server.close()
    assert failure.value.kind == "timeout"


async def test_a_reset_is_reported(client: HttpClient) -> None:
    async def reset(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    async with Receiver(reset) as it:
        assert (await fails(client, it.url)).kind == "reset"


async def test_a_refused_connection_is_reported(client: HttpClient) -> None:
    async with Receiver(answers(OK)) as it:
        pass
    failure = await fails(client, it.url)
    assert (failure.kind, failure.detail) == ("connect", "Connection refused")


@pytest.mark.parametrize(
    "raw",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"\x00\x00\x12\x04\xff\xfe\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"h" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 10_000 + b"\r\n",
    ],
)
async def test_a_response_that_is_not_http_is_reported(client: HttpClient, raw: bytes) -> None:
    async with Receiver(answers(raw)) as it:
        failure = await fails(client, it.url, deadline_s=2)
    assert failure.kind == "protocol"
    assert 0 < len(failure.detail) <= 200
    assert failure.detail.isascii()
    assert failure.detail.isprintable()


@pytest.mark.parametrize("head", [b"HTTP/1.1 204 No Content", b"HTTP/1.0 204 No Content"])
async def test_data_after_the_end_of_a_response_is_reported(client: HttpClient, head: bytes) -> None:
    async with Receiver(answers(head + b"\r\n\r\nok")) as it:
        failure = await fails(client, it.url)
    assert failure.kind == "protocol"
    assert "a 204 response with a body" in failure.detail


async def test_a_header_that_is_not_ascii_is_left_out(client: HttpClient) -> None:
    raw = b"HTTP/1.1 429 \xff\r\nRetry-After: \xff\xfe\r\nContent-Length: 0\r\n\r\n"
    async with Receiver(answers(raw)) as it:
        response = await client.post(it.url, headers={}, body=b"{}")
    assert (response.status, response.headers) == (429, {})


async def test_an_incomplete_response_is_an_error(client: HttpClient) -> None:
    async def break_off(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf")
        await writer.drain()
        writer.close()

    async with Receiver(break_off) as it:
        assert (await fails(client, it.url)).kind == "protocol"


async def test_a_header_cannot_inject_another(client: HttpClient) -> None:
    async with Receiver(answers(OK)) as it:
        with pytest.raises(PostFailed) as failure:
            await client.post(it.url, headers={"X-Own": "a\r\nWebhook-Id: forged"}, body=b"{}")
    assert failure.value.kind == "protocol"
    assert "forged" not in str(failure.value)
    assert it.heads == []


# --- connections ---


async def test_connections_are_reused_unless_closed(client: HttpClient) -> None:
    async with Receiver(answers(OK)) as it:
        for _ in range(5):
            await client.post(it.url, headers={}, body=b"{}")
        assert it.connections == 1
    async with Receiver(answers(OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n"))) as it:
        for _ in range(2):
            await client.post(it.url, headers={}, body=b"{}")
        assert it.connections == 2


async def test_a_connection_closed_without_notice_does_not_fail_the_post(client: HttpClient) -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OK)
        writer.close()

    async with Receiver(hang_up) as it:
        for _ in range(20):
            assert (await client.post(it.url, headers={}, body=b"{}")).status == 200


async def test_a_reset_kept_alive_connection_is_retried_once_on_a_new_one(client: HttpClient) -> None:
    async def only_first(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OK) if len(it.heads) == 1 else writer.transport.abort()

    async with Receiver(only_first) as it:
        await client.post(it.url, headers={}, body=b"{}")
        assert (await fails(client, it.url)).kind == "reset"
        assert (it.connections, len(it.heads)) == (2, 3)
        assert (await fails(client, it.url)).kind == "reset"
        assert (it.connections, len(it.heads)) == (3, 4)


async def test_a_post_arrives_when_all_kept_alive_connections_are_dead(client: HttpClient) -> None:
    talked: set[asyncio.StreamWriter] = set()

    async def once(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.05)
        writer.transport.abort() if writer in talked else writer.write(OK)
        talked.add(writer)

    async with Receiver(once) as it:
        await asyncio.gather(*(client.post(it.url, headers={}, body=b"{}") for _ in range(3)))
        assert it.connections == 3
        assert (await client.post(it.url, headers={}, body=b"{}")).status == 200
        assert it.connections == 4


async def test_a_host_gets_ten_connections_at_most(client: HttpClient) -> None:
    now, most = 0, 0

    async def slow(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal now, most
        now, most = now + 1, max(most, now + 1)
        await asyncio.sleep(0.05)
        now -= 1
        writer.write(OK)

    async with Receiver(slow) as it:
        posts = [client.post(it.url, headers={}, body=b"{}") for _ in range(40)]
        statuses = [answer.status for answer in await asyncio.gather(*posts)]
    assert statuses == [200] * 40
    assert most == 10


async def test_a_cancelled_post_is_cancelled(client: HttpClient) -> None:
    async def hang(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
        await asyncio.sleep(30)

    async with Receiver(hang) as it:
        post = asyncio.create_task(client.post(it.url, headers={}, body=b"{}"))
        await asyncio.sleep(0.1)
        post.cancel()
        with pytest.raises(asyncio.CancelledError):
            await post
