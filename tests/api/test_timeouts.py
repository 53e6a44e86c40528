"""Limits on the duration of requests, and on the duration, depth and size of their bodies."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from actors import Account, Stage
from factories.sample_account import World, example, path
from fixtures.one_database import ONE_DATABASE
from litestar import Litestar, Request, get, post
from litestar.response import Stream

from formwright.api.binary_bodies import is_file, media_type_of
from formwright.api.errors import problem
from formwright.api.operations import Operation
from formwright.api.v1_0.operations import OPERATIONS
from formwright.asgi.timeouts import RequestTimedOut, disable_timeout, timeout_middleware
from formwright.asgi.validation import MAX_DEPTH, JsonMalformed, check_json
from formwright.core.db.interface import ReadTransaction
from formwright.web.http import to_page_response

LONG = 1 << 40
DEEP = pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 900, 100_000])


@get("/never")
async def never() -> str:
    await asyncio.Event().wait()
    return ""


@get("/import")
async def long_import() -> str:
    disable_timeout()
    await asyncio.sleep(1.3)
    return "done"


@get("/stream")
async def stream() -> Stream:
    async def parts() -> AsyncIterator[bytes]:
        for _ in range(4):
            await asyncio.sleep(0.35)
            yield b"part "

    return Stream(parts())


@post("/body", status_code=200)
async def body(request: Request[Any, Any, Any]) -> str:
    return str(len(await request.body()))


def impatient(first_s: float = 0.2) -> httpx.AsyncClient:
    """An application with a timeout of one second."""

    def answer(request: Request[Any, Any, Any], error: Exception) -> Any:
        return to_page_response(problem(error, "req_test"))

    routes = [never, long_import, stream, body]
    app = Litestar(
        routes, middleware=[timeout_middleware(1, first_s)], exception_handlers={Exception: answer}, openapi_config=None
    )
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://forms.test")


async def test_slow_requests_time_out_except_those_without_limit() -> None:
    async with impatient() as http:
        late, imported, streamed = await asyncio.gather(*map(http.get, ("/never", "/import", "/stream")))
        assert (late.status_code, late.json()["code"], late.headers["retry-after"]) == (503, "request.timeout", "1")
        assert (imported.text, streamed.text) == ("done", "part " * 4)


async def _body(pieces: int, wait_s: float) -> AsyncIterator[bytes]:
    for _ in range(pieces):
        yield b"x" * 1024
        await asyncio.sleep(wait_s)


async def test_a_slow_body_times_out_and_a_steady_one_does_not() -> None:
    async with impatient() as http:
        slow = await http.post("/body", content=_body(2, 30))
        assert (slow.status_code, slow.json()["code"]) == (408, "body.too_slow")
    async with impatient(first_s=20) as http:
        # Takes longer than the timeout in total, but waiting for the body does not count.
        assert (await http.post("/body", content=_body(4, 0.35))).text == "4096"


async def test_a_timeout_rolls_back(account: Account) -> None:
    db, name = account.ctx.db, "SELECT name FROM customers WHERE customer_id = $1"

    async def app(*_: Any) -> None:
        async with db.writing() as tx:
            await tx.execute("UPDATE customers SET name = 'Late' WHERE customer_id = $1", account.id)
            await asyncio.Event().wait()

    with pytest.raises(RequestTimedOut):
        await timeout_middleware(0.2)(app)({"type": "http"}, None, None)
    async with db.reading() as tx:
        assert await _name(tx, name, account.id) == account.customer.name


async def _name(tx: ReadTransaction, sql: str, *args: object) -> str:
    row = await tx.fetch_one(sql, *args)
    assert row
    return str(row[0])


async def test_a_long_statement_is_cancelled_and_its_connection_reused(stage: Stage) -> None:
    endless = (
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        " WHERE i < /*postgres $1::bigint*//*sqlite $1 */"
    )

    async def app(*_: Any) -> None:
        async with stage.ctx.db.reading(long=True) as tx:
            await tx.fetch(endless, LONG)

    async with asyncio.timeout(30):
        with pytest.raises(RequestTimedOut):
            await timeout_middleware(0.2)(app)({"type": "http"}, None, None)
        async with stage.ctx.db.reading(long=True) as tx:
            assert await tx.fetch_one("SELECT 1")


@ONE_DATABASE
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)
async def test_a_body_with_a_too_large_content_length_is_not_read(standing: World, operation: Operation) -> None:
    account = standing.account
    headers = _headers(account.key, operation, standing)
    # Operations without a body run, so they must not change what other tests use.
    query = urlencode([("dryRun", "true"), *example(operation).query(standing)])
    status, code = await _announce(account.stage, operation.method, path(operation, standing.ids), headers, query)
    if operation.body:
        assert (status, code) in ((413, "body.too_large"), (413, "file.too_large")), operation.name
    else:
        assert status < 500


def _headers(key: str, operation: Operation, here: World) -> list[tuple[bytes, bytes]]:
    media_type = "text/csv"
    if operation.body is None or is_file(operation.body) or example(operation).body:
        media_type = media_type_of(operation.body)
    return [(b"x-api-key", key.encode()), (b"content-type", media_type.encode())]


async def _announce(
    stage: Stage, method: str, address: str, headers: list[tuple[bytes, bytes]], query: str = ""
) -> tuple[int, str]:
    """Return the response to a request that announces a terabyte. Reading its body fails the test."""
    said: list[Any] = []

    async def receive() -> Any:
        raise AssertionError("the body was read")

    async def send(message: Any) -> None:
        said.append(message)

    length = [(b"host", b"forms.test"), (b"content-length", b"%d" % LONG)]
    scope = {"type": "http", "http_version": "1.1", "method": method, "path": address, "raw_path": address.encode()}
    scope |= {"query_string": query.encode(), "headers": [*headers, *length]}
    scope |= {"scheme": "https", "client": ("127.0.0.1", 1), "server": ("forms.test", 443), "root_path": ""}
    await stage.entrance(scope, receive, send)
    text = b"".join(message.get("body", b"") for message in said)
    return said[0]["status"], json.loads(text).get("code", "") if text.startswith(b"{") else ""


async def test_no_page_reads_a_large_body_of_an_anonymous_request(stage: Stage) -> None:
    pages = {
        (method, route.path_format)
        for route in stage.entrance.app.routes
        for method in route.methods - {"GET", "OPTIONS"}
        if not route.path.startswith("/api/")
    }
    assert len(pages) > 40
    for method, pattern in sorted(pages):
        address = "".join("x" if "{" in part else part for part in pattern.replace("/", " / ").split(" "))
        status, _ = await _announce(stage, method, address, [(b"content-type", b"application/x-www-form-urlencoded")])
        assert status in (204, 303, 400, 401, 403, 404, 413, 422), f"{method} {pattern}: {status}"


@DEEP
async def test_deep_nesting_is_rejected_with_a_clear_message(standing: World, depth: int) -> None:
    raw = b'{"data":' * depth + b"1" + b"}" * depth
    address = f"/api/v1.0/customers/{standing.account.id}/forms/{standing.ids['formId']}/submissions"
    response = await standing.account.api.post(address, content=raw, headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["code"]) == (400, "json.malformed")
    assert f"At most {MAX_DEPTH} levels" in response.json()["detail"]


def test_brackets_inside_strings_do_not_count_as_nesting() -> None:
    check_json(b'{"a":' * MAX_DEPTH + b"1" + b"}" * MAX_DEPTH)
    check_json(json.dumps([{"a": '[{"\\' * 60, "\\": "{" * 200}] * 5).encode())
    check_json(b"[" + b'{"a":[1]},' * 5000 + b"1]")
    with pytest.raises(JsonMalformed):
        check_json(b"[" * 60 + b'{"a":[' * 21)
