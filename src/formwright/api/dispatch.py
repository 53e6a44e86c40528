"""Serves an operation: reads what was sent, calls the verb, answers."""

import re
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import cache
from hashlib import sha256
from typing import Any, BinaryIO, cast

import msgspec

from formwright.api import rate_limits
from formwright.api.binary_bodies import Download, TableUpload, is_file, media_types_of
from formwright.api.context import RequestContext, authenticate, check_accept, remember
from formwright.api.errors import MediaTypeUnsupported
from formwright.api.etags import PreconditionFailed, etag, fits, named
from formwright.api.idempotency import Answered, Repeatable, fingerprint
from formwright.api.operations import Operation
from formwright.api.pagination import PageQuery, check_cursor, list_of
from formwright.api.request import Request
from formwright.api.response import ApiResponse, PreencodedJson
from formwright.asgi.json_limits import MAX_VALUES
from formwright.asgi.timeouts import disable_timeout
from formwright.asgi.validation import EmptyQuery, read_body, read_query
from formwright.context import AppContext
from formwright.core.blobs import ContentTooLarge
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.offload import SMALL_BYTES, offload
from formwright.domain.api_keys.authentication import AuthenticatedTransaction
from formwright.domain.api_keys.models import KeyReadOnly, KeyUnknown, StoredResponse
from formwright.domain.customers.service import CustomerNotFound

ID = re.compile(r"[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}")
MAX_TABLE = 256 * 1024 * 1024
MAX_TABLE_VALUES = 1_000_000
"""How many values a body with rows may hold. Its rows are decoded one after another, not at once."""
_encoder = msgspec.json.Encoder()


class _DryRunRollback(Exception):
    """A dry run came to its end: nothing of it is kept."""

    def __init__(self, told: ApiResponse) -> None:
        super().__init__()
        self.told = told


async def serve(operation: Operation, ctx: AppContext, request: Request) -> ApiResponse:
    """The answer of an operation; a `DomainError` where it refuses."""
    try:
        if operation.together and (known := remember(ctx, request)) and rate_limits.count(ctx, request, known.actor):
            return await _write_together(operation, RequestContext(ctx, request, known.actor), known)
        async with ctx.db.reading() as tx:
            checked = await authenticate(ctx, request, tx)
            counted = rate_limits.count(ctx, request, checked.actor)
            if counted and operation.reads_one:
                return await _read_one(operation, RequestContext(ctx, request, checked.actor, checked), checked)
            await checked.verify()
    except KeyUnknown:
        rate_limits.guessed(ctx)
        raise
    if not counted:
        await rate_limits.draw(ctx, request, checked.actor)
    call = RequestContext(ctx, request, checked.actor)
    return await (_read(operation, call) if operation.method == "GET" else _write(operation, call))


async def _read_one(operation: Operation, call: RequestContext, checked: AuthenticatedTransaction) -> ApiResponse:
    """In the transaction of the key: on PostgreSQL, to ask once more would cost more than the query itself."""
    try:
        return await _read(operation, call)
    finally:
        # Whatever came of it, also a refusal, is for the holder of a good key alone.
        await checked.verify()


async def _read(operation: Operation, call: RequestContext) -> ApiResponse:
    given, _ = _given(operation, call)
    answer = await operation.verb(call, **given)
    told = _told(operation, call, answer)
    if not operation.has_etag:
        return told
    told.headers["etag"] = _etag(answer, told.content)
    if known := named(call.request.headers.get("if-none-match", ""), told.headers["etag"], weakly=True):
        return ApiResponse(304, headers=told.headers | {"etag": known})
    return told


async def _write_together(operation: Operation, call: RequestContext, checked: AuthenticatedTransaction) -> ApiResponse:
    """The key is made sure of in the transaction of the change: those that share one with this key ask once."""
    try:
        return await _write(operation, call, checked)
    finally:
        # Whatever came of it, also a refusal, is for the holder of a good key alone.
        if not checked.verified:
            async with call.ctx.db.reading() as tx:
                await checked.verify(tx)


async def _write(
    operation: Operation, call: RequestContext, checked: AuthenticatedTransaction | None = None
) -> ApiResponse:
    given, dry = _given(operation, call)
    async with AsyncExitStack() as open_files:
        body = ""
        if operation.body is not None:
            given["body"], body = await _body(operation, call, open_files)
        repeatable = _repeatable(operation, call, body)
        once = None if dry else repeatable
        try:
            with once.alone() if once else _nothing():
                if once:
                    async with call.reading() as tx:
                        await once.look(tx)
                return await _change(operation, call, given, once, checked, dry=dry)
        except _DryRunRollback as tried:
            return tried.told
        except Answered as answered:
            return _again(answered.reply)
        finally:
            call.end()


@contextmanager
def _nothing() -> Iterator[None]:
    yield


async def _change(
    operation: Operation,
    call: RequestContext,
    given: dict[str, Any],
    once: Repeatable | None,
    checked: AuthenticatedTransaction | None,
    *,
    dry: bool,
) -> ApiResponse:
    async def first(tx: WriteTransaction) -> None:
        if checked:
            await checked.verify(tx)
        if once:
            await once.begin(tx)
        await _check_unchanged(operation, call, tx)

    async with call.begin(first, [checked.statement] if checked else ()) as commit:
        told = _told(operation, call, await operation.verb(call, **given))
        if operation.has_etag and operation.getter and commit.tx:
            told.headers["etag"] = await _etag_now(operation.getter, call, commit.tx)
        if dry and not operation.dry_runs:
            raise _DryRunRollback(told)
        if once and commit.tx:
            await once.keep(commit.tx, told.status, told.headers.get("location", ""), told.content)
    if once and commit.tx is None:
        # It committed by itself, and can be done again without harm should this process end right here.
        async with call.ctx.db.writing() as tx:
            await once.keep(tx, told.status, told.headers.get("location", ""), told.content)
    return told


async def _check_unchanged(operation: Operation, call: RequestContext, tx: WriteTransaction) -> None:
    """`PreconditionFailed` where the resource is not as If-Match says; from here on nobody else changes it."""
    wanted = call.request.headers.get("if-match")
    if wanted is None or operation.getter is None:
        return
    await account_lock.hold(tx, call.actor.customer_id)
    if not fits(wanted, await _etag_now(operation.getter, call, tx)):
        raise PreconditionFailed()


async def _etag_now(getter: Operation, call: RequestContext, tx: ReadTransaction) -> str:
    """Of the resource as its address would answer it: a change's own answer may name members in another order."""
    ids = _ids(getter, call.request, call.actor.customer_id)
    answer = await getter.verb(call.within(tx), **ids)
    return _etag(answer, _content(answer))


def _etag(answer: Any, content: bytes) -> str:
    drifting: tuple[str, ...] = getattr(answer, "drifting", ())
    steady = _encoder.encode(msgspec.structs.replace(answer, **dict.fromkeys(drifting))) if drifting else None
    return etag(content, steady)


def _repeatable(operation: Operation, call: RequestContext, body: str) -> Repeatable | None:
    key = call.request.headers.get("idempotency-key")
    if key is None or operation.method != "POST":
        return None
    query, media_type = call.request.scope["query_string"], call.request.headers.get("content-type", "")
    return Repeatable(call, key, fingerprint(query, media_type, body))


def _given(operation: Operation, call: RequestContext) -> tuple[dict[str, Any], bool]:
    """What the verb is handed of path and query, and whether nothing is to be changed."""
    request = call.request
    check_accept(request, operation.media_type)
    given = _ids(operation, request, call.actor.customer_id)
    if operation.permission not in call.actor.permissions:
        raise KeyReadOnly()
    if not operation.takes_query and not request.scope["query_string"]:
        return given, False
    if operation.query is None:
        read_query(request.query, EmptyQuery)
        return given, False
    query = read_query(request.query, operation.query)
    if isinstance(query, PageQuery) and query.cursor is not None:
        check_cursor(query.cursor, list_of(call.actor.customer_id, request.path, request.query))
    if operation.takes_query:
        given["query"] = query
    return given, getattr(query, "dry_run", False)


def _told(operation: Operation, call: RequestContext, answer: Any) -> ApiResponse:
    if isinstance(answer, Download):
        return ApiResponse(operation.status, answer.content, answer.media_type, answer.headers)
    if answer is None:
        return ApiResponse(operation.status)
    told = ApiResponse(operation.status, _content(answer), "application/json")
    if operation.location and not isinstance(answer, list):
        named = {**call.request.path_params, "customerId": call.actor.customer_id, "id": answer.id}
        told.headers["location"] = call.url("/api/v1.0" + operation.location.format_map(named))
    return told


def _content(answer: Any) -> bytes:
    return answer.content if isinstance(answer, PreencodedJson) else _encoder.encode(answer)


def _again(reply: StoredResponse) -> ApiResponse:
    """What the first request with this Idempotency-Key was told."""
    headers = {"idempotent-replayed": "true"} | ({"location": reply.location} if reply.location else {})
    content = reply.content.encode()
    return ApiResponse(reply.status, content, "application/json" if content else "", headers)


def _ids(operation: Operation, request: Request, customer_id: str) -> dict[str, Any]:
    """The ids of the path by the verb's names. What cannot be an id becomes one that names nothing."""
    ids = dict(request.path_params)
    if ids.pop("customerId", customer_id) != customer_id:
        raise CustomerNotFound()
    return {snake(name): text if ID.fullmatch(text) else "" for name, text in ids.items()}


@cache
def snake(name: str) -> str:
    """`submissionId` as `submission_id`."""
    return re.sub(r"([A-Z])", lambda letter: "_" + letter[1].lower(), name)


async def _body(operation: Operation, call: RequestContext, open_files: AsyncExitStack) -> tuple[Any, str]:
    """The body, and the SHA-256 of its bytes."""
    request, shape = call.request, operation.body
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    tables = TableUpload.media_types if operation.table else {}
    wanted = [*media_types_of(shape), *tables]
    if media_type not in wanted or request.headers.get("content-encoding", "identity") != "identity":
        kinds = " or ".join(wanted)
        raise MediaTypeUnsupported(f"Send the body as {kinds}, named so in Content-Type, without Content-Encoding.")
    if media_type in tables:
        if request.announced > MAX_TABLE:
            raise ContentTooLarge(f"A file may have at most {MAX_TABLE // 2**20} MiB.")
        disable_timeout()
        arrived = await open_files.enter_async_context(call.ctx.files.receive(request.stream(), MAX_TABLE))
        told = request.headers.get("content-type", "")
        return TableUpload(cast(BinaryIO, arrived.file), tables[media_type], told), arrived.hash
    if operation.table:
        disable_timeout()
    content = await request.body()
    if len(content) <= SMALL_BYTES:
        return _decode(operation, content)
    return await offload(_decode, operation, content)


def _decode(operation: Operation, content: bytes) -> tuple[Any, str]:
    shape = operation.body
    most = MAX_TABLE_VALUES if operation.table else MAX_VALUES
    return shape(content) if is_file(shape) else read_body(content, shape, most), sha256(content).hexdigest()
