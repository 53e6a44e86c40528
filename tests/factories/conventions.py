"""The conventions of operations: which operation each applies to, and a call that shows that it is followed.

PYTHONPATH=src:tests python -m factories.conventions > docs/contract/conventions.md
"""

import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx

from factories.pagination import items_of
from factories.sample_account import World, call, example, path, state
from formwright.api.binary_bodies import FileUpload, TableUpload, is_file
from formwright.api.operations import Operation
from formwright.api.pagination import PageQuery
from formwright.api.v1_0.operations import OPERATIONS
from formwright.core.auth.permissions import READ_PERMISSIONS


@dataclass(frozen=True, slots=True)
class Scene:
    """An account with one of everything, another account, and callers with a read-only key or none."""

    here: World
    there: World
    reader: httpx.AsyncClient
    nobody: httpx.AsyncClient


Show = Callable[[Operation, Scene], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Convention:
    """A column of the table."""

    name: str
    words: str
    applies: Callable[[Operation], bool]
    show: Show


def _is(response: httpx.Response, status: int, code: str) -> None:
    """Assert that it is a problem with this code, or with a validation error of this code."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    problem = response.json()
    assert response.status_code == problem["status"] == status, response.text
    assert problem["requestId"] == response.headers["x-request-id"]
    assert code in {problem["code"], *(fault["code"] for fault in problem.get("errors", []))}, response.text


async def _key(one: Operation, scene: Scene) -> None:
    _is(await call(one, scene.here, client=scene.nobody), 401, "key.missing")


async def _foreign(one: Operation, scene: Scene) -> None:
    for name in one.parameters:
        response = await call(one, scene.here, **{name: scene.there.ids[name]})
        assert response.status_code == 404, response.text
        _is(response, 404, response.json()["code"])


async def _read_only(one: Operation, scene: Scene) -> None:
    _is(await call(one, scene.here, client=scene.reader), 403, "key.read_only")


async def _request_id(one: Operation, scene: Scene) -> None:
    response = await call(one, scene.here, query=[("nobody", "1")], headers={"x-request-id": "crm-4711"})
    assert response.headers["x-request-id"] == response.json()["requestId"] == "crm-4711"


async def _query(one: Operation, scene: Scene) -> None:
    _is(await call(one, scene.here, query=[("nobody", "1")]), 400, "query.unknown")


async def _accept(one: Operation, scene: Scene) -> None:
    _is(await call(one, scene.here, headers={"accept": "image/png"}), 406, "accept.not_acceptable")


async def _methods(one: Operation, scene: Scene) -> None:
    address = path(one, scene.here.ids)
    refused, asked = [await scene.here.account.api.request(method, address) for method in ("PATCH", "OPTIONS")]
    _is(refused, 405, "method.not_allowed")
    assert asked.status_code == 204
    assert one.method in refused.headers["allow"].split(", ") == asked.headers["allow"].split(", ")


async def _head(one: Operation, scene: Scene) -> None:
    address = path(one, scene.here.ids)
    whole, head = [await scene.here.account.api.request(method, address) for method in ("GET", "HEAD")]
    assert (head.status_code, head.content) == (whole.status_code, b"")


async def _media_type(one: Operation, scene: Scene) -> None:
    _is(await call(one, scene.here, headers={"content-type": "text/plain"}), 415, "body.media_type")


async def _size(one: Operation, scene: Scene) -> None:
    response = await call(one, scene.here, raw=b" " * (10 * 1024 * 1024 + 1))
    _is(response, 413, "body.too_large")


async def _json(one: Operation, scene: Scene) -> None:
    _is(await call(one, scene.here, raw=b'{"name": '), 400, "json.malformed")


async def _unknown(one: Operation, scene: Scene) -> None:
    _is(await call(one, scene.here, body={"nobody": 1}), 422, "value.unknown")


async def _again(one: Operation, scene: Scene) -> None:
    _is(await call(one, scene.here, headers={"idempotency-key": "a b"}), 400, "idempotency.key")
    sample, header = example(one), {"idempotency-key": f"table-{one.name}"}
    same = {"body": sample.body(scene.here)} if sample.body else {"raw": sample.file(scene.here)} if sample.file else {}
    first, second = [await call(one, scene.here, headers=header, **same) for _ in range(2)]
    assert (first.status_code, "idempotent-replayed" in first.headers) == (one.status, False), first.text
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert second.headers["idempotent-replayed"] == "true"
    if sample.body:
        other = await call(one, scene.here, headers=header, raw=json.dumps(same["body"]).encode() + b" ")
        _is(other, 409, "idempotency.reused")


async def _rate(one: Operation, scene: Scene) -> None:
    rates, query = scene.here.account.ctx.rates, [("nobody", "1")]
    rates.limit = 60_000
    try:
        response = await call(one, scene.here, query=query)
    finally:
        rates.limit = 0
    assert response.headers["ratelimit-policy"] == '"key";q=60000;w=60'
    assert response.headers["ratelimit"].startswith('"key";r=')


async def _dry(one: Operation, scene: Scene) -> None:
    before = await state(scene.here.account)
    query = [*example(one).query(scene.here), ("dryRun", "true")]
    response = await call(one, scene.here, query=query)
    assert response.status_code == one.status, response.text
    assert await state(scene.here.account) == before


async def _known(one: Operation, scene: Scene) -> None:
    first = await call(one, scene.here)
    again = await call(one, scene.here, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def _match(one: Operation, scene: Scene) -> None:
    _is(await call(one, scene.here, headers={"if-match": '"other"'}), 412, "precondition.failed")


async def _pages(one: Operation, scene: Scene) -> None:
    response = await call(one, scene.here, query=[("limit", "1")])
    whole, linked = response.json(), response.links.get("next", {}).get("url")
    assert len(items_of(whole)) <= 1
    assert whole["next"] == linked
    assert (whole["nextCursor"] is None) == (linked is None)
    if whole["next"]:
        behind = items_of((await scene.here.account.api.get(whole["next"])).json())
        query = [("limit", "1"), ("cursor", whole["nextCursor"])]
        assert items_of((await call(one, scene.here, query=query)).json()) == behind
        assert behind
        assert behind != items_of(whole)
    _is(await call(one, scene.here, query=[("limit", "0")]), 400, "query.value")
    _is(await call(one, scene.here, query=[("cursor", "x")]), 400, "cursor.invalid")


def _every(one: Operation) -> bool:
    return bool(one.name)


def _writes(one: Operation) -> bool:
    return one.method != "GET"


def _takes_json(one: Operation) -> bool:
    return one.body is not None and not is_file(one.body)


def _limits_type(one: Operation) -> bool:
    return one.body is not None and one.body is not FileUpload


def _limits_size(one: Operation) -> bool:
    return one.body not in (None, TableUpload) and not one.upload


def _changes_one(one: Operation) -> bool:
    return one.method in ("PUT", "DELETE") and one.getter is not None


def _is_list(one: Operation) -> bool:
    return bool(one.query) and issubclass(one.query, PageQuery)


CONVENTIONS = [
    Convention("key", "401 without a key, as a problem with a code", _every, _key),
    Convention("account", "404 for ids of another account, as for unknown ids", lambda o: bool(o.parameters), _foreign),
    Convention(
        "read-only",
        "403 for a read-only key",
        lambda o: o.permission not in READ_PERMISSIONS,
        _read_only,
    ),
    Convention("request id", "`X-Request-Id` is accepted, returned, and part of the problem", _every, _request_id),
    Convention("rate", "`RateLimit` and `RateLimit-Policy` on all responses, including errors", _every, _rate),
    Convention("query", "unknown query parameters are rejected", _every, _query),
    Convention("Accept", "406 if the Accept header excludes the media type of the response", _every, _accept),
    Convention("methods", "`Allow` lists the supported methods in 405 and OPTIONS responses", _every, _methods),
    Convention("HEAD", "like GET, without the body", lambda o: o.method == "GET", _head),
    Convention("media type", "415 for a body of another type", _limits_type, _media_type),
    Convention("size", "413 above 10 MiB", _limits_size, _size),
    Convention("JSON", "400 for malformed JSON", _takes_json, _json),
    Convention("properties", "unknown properties of the body are rejected", _takes_json, _unknown),
    Convention("dryRun", "the usual response, without changing anything", _writes, _dry),
    Convention("Idempotency-Key", "a repeated request is performed once", lambda o: o.method == "POST", _again),
    Convention("If-None-Match", "304 if nothing has changed", lambda o: o.method == "GET" and o.has_etag, _known),
    Convention("If-Match", "412 if the resource has changed", _changes_one, _match),
    Convention("pages", "`limit`, `cursor`, `next`", _is_list, _pages),
]


def table() -> str:
    """Return the documentation page."""
    head = [
        "# Conventions by operation",
        "",
        "The tests generate this table from the routes and verify each ● with a real call, on both databases.",
        "A – means that the convention does not apply, like HEAD to a POST operation. The conventions are described in",
        "[Conventions](../reference/conventions.md).",
        "",
        *(f"- **{one.name}**: {one.words}" for one in CONVENTIONS),
        "",
        f"| operation | {' | '.join(one.name for one in CONVENTIONS)} |",
        f"|---|{'---|' * len(CONVENTIONS)}",
    ]
    return "\n".join([*head, *(_row(operation) for operation in OPERATIONS)]) + "\n"


def _row(operation: Operation) -> str:
    marks = ("●" if one.applies(operation) else "–" for one in CONVENTIONS)
    return f"| `{operation.name}` | {' | '.join(marks)} |"


if __name__ == "__main__":
    sys.stdout.write(table())
