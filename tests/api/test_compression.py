"""Compressed responses: content negotiation, ETags and streams."""

import gzip
import tracemalloc
from typing import Any

import httpx
import pytest
import zstandard
from actors import Account
from factories.forms import form
from factories.requests import PREFIX

from formwright.asgi.compression import choose_encoding, compression_middleware
from formwright.asgi.interfaces import Interface

COMPRESSED = Interface("/docs", compress=True)
OPEN = {"gzip": gzip.decompress, "zstd": lambda raw: zstandard.ZstdDecompressor().decompressobj().decompress(raw)}


async def raw(account: Account, path: str, **headers: str) -> tuple[httpx.Response, bytes]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        account.stage.client(**{"x-api-key": account.key}) as api,
        api.stream("GET", path, headers=named) as answer,
    ):
        return answer, b"".join([part async for part in answer.aiter_raw()])


@pytest.mark.parametrize("encoding", OPEN)
async def test_every_encoding_represents_the_same_state(account: Account, encoding: str) -> None:
    new_form = await form(account, description="Pier " * 400)
    address = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
    plain, whole = await raw(account, address, accept_encoding="identity")
    response, sent = await raw(account, address, accept_encoding=encoding)
    assert (response.headers["content-encoding"], OPEN[encoding](sent)) == (encoding, whole)
    assert int(response.headers["content-length"]) == len(sent) < len(whole)
    assert "accept-encoding" in plain.headers["vary"].lower()
    assert "accept-encoding" in response.headers["vary"].lower()
    tag = response.headers["etag"]
    assert tag == plain.headers["etag"][:-1] + f'-{encoding}"'
    head = await account.api.head(address, headers={"accept-encoding": encoding})
    assert (head.headers["etag"], head.headers["content-length"]) == (tag, response.headers["content-length"])
    for header in (tag, f'"other", {plain.headers["etag"]}'):
        known = await account.api.get(address, headers={"if-none-match": header, "accept-encoding": encoding})
        assert (known.status_code, known.content) == (304, b"")
        assert known.headers["etag"] in header
        assert "accept-encoding" in known.headers["vary"].lower()
    late = await account.api.put(address, json={"name": "Late"}, headers={"if-match": f'"other-{encoding}"'})
    assert late.status_code == 412
    done = await account.api.put(address, json={"name": "Mine"}, headers={"if-match": tag})
    assert done.status_code == 200, done.text
    assert (await account.api.put(address, json={"name": "X"}, headers={"if-match": tag})).status_code == 412


async def test_small_responses_and_files_are_not_compressed(account: Account) -> None:
    response, _ = await raw(account, f"{PREFIX}/customers/{account.id}", accept_encoding="gzip, zstd")
    assert "content-encoding" not in response.headers
    response, _ = await raw(account, "/sign-in", accept_encoding="gzip, zstd")
    assert "content-encoding" not in response.headers, "pages hold secrets"


@pytest.mark.parametrize(
    ("accept", "encoding"),
    [
        ("", ""),
        ("identity", ""),
        ("gzip", "gzip"),
        ("GZIP", "gzip"),
        ("gzip, deflate, br", "gzip"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("zstd;q=0.5, gzip", "gzip"),
        ("gzip;q=0, zstd;q=0", ""),
        ("*", "zstd"),
        ("*;q=0.1, gzip;q=0.9", "gzip"),
        ("zstd;q=0, *", "gzip"),
        ("identity;q=1, gzip;q=0.5", ""),
        ("gzip;q=nonsense", ""),
        (";;,,=", ""),
    ],
)
def test_the_client_chooses_the_encoding(accept: str, encoding: str) -> None:
    assert choose_encoding(accept) == encoding


async def _stream(scope: Any, receive: Any, send: Any) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"1"), (b"etag", b'W/"a"')]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for number in range(400):
        piece = b"%d " % number * 20_000
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"end", "more_body": False})


@pytest.mark.parametrize("encoding", OPEN)
async def test_streams_are_compressed_in_constant_memory(encoding: str) -> None:
    head: dict[bytes, bytes] = {}
    parts: list[bytes] = []

    async def say(message: Any) -> None:
        if message["type"] == "http.response.start":
            head.update(message["headers"])
        else:
            parts.append(message["body"])

    scope: Any = {"headers": [(b"accept-encoding", encoding.encode())], "state": {"interface": COMPRESSED}}
    tracemalloc.start()
    await compression_middleware(_stream)(scope, _nothing, say)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    whole = OPEN[encoding](b"".join(parts))
    assert whole == b"".join(b"%d " % number * 20_000 for number in range(400)) + b"end"
    assert len(parts) > 1
    assert peak < 4 * 2**20 < len(whole) / 4, "it was not held as a whole"
    assert (head.get(b"content-length"), head[b"etag"]) == (None, b'W/"a"')


async def _nothing() -> Any:
    raise AssertionError


async def test_compressed_content_is_not_compressed_again() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"text/plain"), (b"content-encoding", b"br"), (b"etag", b'"a"')]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x" * 5000})

    async def app_with_state(scope: Any, receive: Any, send: Any) -> None:
        await compression_middleware(app)({**scope, "state": {"interface": COMPRESSED}}, receive, send)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app_with_state), base_url="https://f.test") as http:
        request = http.build_request("GET", "/docs/x", headers={"accept-encoding": "gzip, zstd"})
        response = await http.send(request, stream=True)
        sent = b"".join([part async for part in response.aiter_raw()])
    assert (sent, response.headers["etag"], response.headers["content-encoding"]) == (b"x" * 5000, '"a"', "br")
