"""Serves an operation: reads what was sent, calls the verb, answers."""

import re
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, BinaryIO, cast

import msgspec
from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.response import Response

from formwright.api import limits
from formwright.api.binary import Download, TableUpload, is_file, media_type_of
from formwright.api.call import Call, authenticate, check_accept
from formwright.api.conditional import PreconditionFailed, etag, fits
from formwright.api.errors import BodyTooLarge, MediaTypeUnsupported, problem
from formwright.api.idempotency import Answered, Repeatable, fingerprint
from formwright.api.operation import PARAMETER, Operation
from formwright.core.access.actor import Actor
from formwright.core.kernel.errors import DomainError
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Writing
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.keys.model import KeyReadOnly, KeyUnknown, Reply
from formwright.house import House
from formwright.reading import NoQuery, read_body, read_query

ID = re.compile(r"[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}")
MAX_BODY = 10 * 1024 * 1024
MAX_TABLE = 256 * 1024 * 1024
_encoder = msgspec.json.Encoder()


@dataclass(slots=True)
class _Told:
    """What an operation answers, as bytes."""

    status: int
    content: bytes = b""
    media_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def response(self) -> Response[bytes]:
        return Response(self.content, media_type=self.media_type, status_code=self.status, headers=self.headers)


class _Tried(Exception):
    """A dry run came to its end: nothing of it is kept."""

    def __init__(self, told: _Told) -> None:
        super().__init__()
        self.told = told


def route(operation: Operation) -> HTTPRouteHandler:
    """The route that serves an operation."""
    path = PARAMETER.sub(r"{\1:str}", operation.path)

    async def handler(request: Request[Any, Any, Any]) -> Response[bytes]:
        try:
            answer = (await _serve(operation, request.app.state.house, request)).response()
        except DomainError as error:
            answer = problem(error, request.scope["state"]["request_id"])
        if allowance := request.scope["state"].get("allowance"):
            answer.headers.update(limits.fields(allowance))
        return answer

    # The status here is only the framework's default: each answer names its own. So with the bound of a body: a table
    # is counted while it comes in.
    bound: Any = {"request_max_body_size": None} if operation.table else {}
    route_of = HTTPRouteHandler(path, http_method=operation.method, name=operation.name, status_code=200, **bound)
    return route_of(handler)


async def _serve(operation: Operation, house: House, request: Request[Any, Any, Any]) -> _Told:
    async with house.db.reading() as tx:
        actor = await _known(house, request, tx)
        counted = limits.count(house, request, actor)
        if counted and operation.reads_one:
            # On PostgreSQL, to take a connection once more would cost more than the query itself.
            return await _read(operation, Call(house, request, actor, tx))
    if not counted:
        await limits.draw(house, request, actor)
    call = Call(house, request, actor)
    return await (_read(operation, call) if operation.method == "GET" else _write(operation, call))


async def _known(house: House, request: Request[Any, Any, Any], tx: Reading) -> Actor:
    try:
        return await authenticate(house, request, tx)
    except KeyUnknown:
        limits.guessed(house)
        raise


async def _read(operation: Operation, call: Call) -> _Told:
    given, _ = _given(operation, call)
    told = _told(operation, call, await operation.verb(call, **given))
    if not operation.has_etag:
        return told
    told.headers["etag"] = etag(told.content)
    if fits(call.request.headers.get("if-none-match", ""), told.headers["etag"], weakly=True):
        return _Told(304, headers=told.headers)
    return told


async def _write(operation: Operation, call: Call) -> _Told:
    given, dry = _given(operation, call)
    async with AsyncExitStack() as open_files:
        body = ""
        if operation.body is not None:
            given["body"], body = await _body(operation, call, open_files)
        once = None if dry else _repeatable(operation, call, body)
        try:
            with once.alone() if once else _nothing():
                if once:
                    async with call.reading() as tx:
                        await once.look(tx)
                return await _change(operation, call, given, once, dry=dry)
        except _Tried as tried:
            return tried.told
        except Answered as answered:
            return _again(answered.reply)


@contextmanager
def _nothing() -> Iterator[None]:
    yield


async def _change(
    operation: Operation, call: Call, given: dict[str, Any], once: Repeatable | None, *, dry: bool
) -> _Told:
    async def first(tx: Writing) -> None:
        if once:
            await once.begin(tx)
        await _check_unchanged(operation, call, tx)

    async with call.begin(first) as commit:
        told = _told(operation, call, await operation.verb(call, **given))
        if operation.has_etag and operation.getter and commit.tx:
            told.headers["etag"] = await _etag_now(operation.getter, call, commit.tx)
        if dry and not operation.dry_runs:
            raise _Tried(told)
        if once and commit.tx:
            await once.keep(commit.tx, told.status, told.headers.get("location", ""), told.content)
    if once and commit.tx is None:
        # It committed by itself, and can be done again without harm should this process end right here.
        async with call.house.db.writing() as tx:
            await once.keep(tx, told.status, told.headers.get("location", ""), told.content)
    return told


async def _check_unchanged(operation: Operation, call: Call, tx: Writing) -> None:
    """`PreconditionFailed` where the resource is not as If-Match says; from here on nobody else changes it."""
    wanted = call.request.headers.get("if-match")
    if wanted is None or operation.getter is None:
        return
    await order.hold(tx, call.actor.customer_id)
    if not fits(wanted, await _etag_now(operation.getter, call, tx)):
        raise PreconditionFailed()


async def _etag_now(getter: Operation, call: Call, tx: Reading) -> str:
    """Of the resource as its address would answer it: a change's own answer may name members in another order."""
    ids = _ids(getter, call.request, call.actor.customer_id)
    return etag(_encoder.encode(await getter.verb(call.within(tx), **ids)))


def _repeatable(operation: Operation, call: Call, body: str) -> Repeatable | None:
    key = call.request.headers.get("idempotency-key")
    if key is None or operation.method != "POST":
        return None
    query, media_type = call.request.scope["query_string"], call.request.headers.get("content-type", "")
    return Repeatable(call, key, fingerprint(query, media_type, body))


def _given(operation: Operation, call: Call) -> tuple[dict[str, Any], bool]:
    """What the verb is handed of path and query, and whether nothing is to be changed."""
    request = call.request
    check_accept(request, operation.media_type)
    given = _ids(operation, request, call.actor.customer_id)
    if operation.permission not in call.actor.permissions:
        raise KeyReadOnly()
    if not operation.takes_query and not request.scope["query_string"]:
        return given, False
    if operation.query is None:
        read_query(request.query_params.multi_items(), NoQuery)
        return given, False
    query = read_query(request.query_params.multi_items(), operation.query)
    if operation.takes_query:
        given["query"] = query
    return given, getattr(query, "dry_run", False)


def _told(operation: Operation, call: Call, answer: Any) -> _Told:
    if isinstance(answer, Download):
        return _Told(operation.status, answer.content, answer.media_type, answer.headers)
    if answer is None:
        return _Told(operation.status)
    told = _Told(operation.status, _encoder.encode(answer), "application/json")
    if operation.location and not isinstance(answer, list):
        named = {**call.request.path_params, "customerId": call.actor.customer_id, "id": answer.id}
        told.headers["location"] = call.url("/api/v1.0" + operation.location.format_map(named))
    return told


def _again(reply: Reply) -> _Told:
    """What the first request with this Idempotency-Key was told."""
    headers = {"idempotent-replayed": "true"} | ({"location": reply.location} if reply.location else {})
    content = reply.content.encode()
    return _Told(reply.status, content, "application/json" if content else "", headers)


def _ids(operation: Operation, request: Request[Any, Any, Any], customer_id: str) -> dict[str, Any]:
    """The ids of the path by the verb's names. What cannot be an id becomes one that names nothing."""
    ids = dict(request.path_params)
    if ids.pop("customerId", customer_id) != customer_id:
        raise CustomerNotFound()
    return {snake(name): text if ID.fullmatch(text) else "" for name, text in ids.items()}


def snake(name: str) -> str:
    """`submissionId` as `submission_id`."""
    return re.sub(r"([A-Z])", lambda letter: "_" + letter[1].lower(), name)


async def _body(operation: Operation, call: Call, open_files: AsyncExitStack) -> tuple[Any, str]:
    """The body, and the SHA-256 of its bytes."""
    request, shape = call.request, operation.body
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    tables = TableUpload.media_types if operation.table else {}
    wanted = [media_type_of(shape), *tables]
    if media_type not in wanted or request.headers.get("content-encoding", "identity") != "identity":
        kinds = " or ".join(wanted)
        raise MediaTypeUnsupported(f"Send the body as {kinds}, named so in Content-Type, without Content-Encoding.")
    if media_type in tables:
        arrived = await open_files.enter_async_context(call.house.files.receive(request.stream(), MAX_TABLE))
        return TableUpload(cast(BinaryIO, arrived.file), tables[media_type]), arrived.hash
    content = await (_bounded(request) if operation.table else request.body())
    return shape(content) if is_file(shape) else read_body(content, shape), sha256(content).hexdigest()


async def _bounded(request: Request[Any, Any, Any]) -> bytes:
    """The body, where the framework does not bound it."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MAX_BODY:
            raise BodyTooLarge()
    return bytes(content)
