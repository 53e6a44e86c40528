"""Serves an operation: the steps from an API request to its response, in order."""

import re
from contextlib import AsyncExitStack
from functools import cache, partial
from hashlib import sha256
from typing import Any

import msgspec

from formwright.api.binary_bodies import Download, FileUpload, StreamedDownload, TableUpload
from formwright.api.context import Check, ReadContext, RequestContext
from formwright.api.errors import MediaTypeUnsupported, NotAcceptable, problem
from formwright.api.etags import PreconditionFailed, etag, find_match, matches
from formwright.api.http_messages import ApiRequest, PreencodedJson
from formwright.api.idempotency import IdempotentRequest, ReplyFound, fingerprint
from formwright.api.operations import Operation
from formwright.api.pagination import List, check_cursor, list_of
from formwright.asgi.http_response import HttpResponse
from formwright.asgi.request_errors import TooManyRequests, count_unknown_key
from formwright.asgi.timeouts import disable_timeout
from formwright.asgi.validation import MAX_VALUES, EmptyQuery, read_body, read_query
from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.auth.actor import allow
from formwright.core.blobs import ContentTooLarge, ReceivedBlob
from formwright.core.db import account_lock
from formwright.core.db.interface import CommitOutcomeUnknown, DatabaseBusy, ReadTransaction, WriteTransaction
from formwright.core.errors import Conflict
from formwright.core.offload import SMALL_BYTES, offload
from formwright.domain.api_keys import authentication
from formwright.domain.api_keys.authentication import KeyChanged
from formwright.domain.api_keys.models import KeyMissing, KeyReadOnly, KeyUnknown, StoredResponse
from formwright.domain.customers.service import CustomerNotFound

ID = re.compile(r"[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}")
MAX_TABLE = 256 * 1024 * 1024
MAX_TABLE_VALUES = 1_000_000
"""Maximum number of values in a body with rows or items. They are decoded one after another, not at once."""
_encoder = msgspec.json.Encoder()


async def serve(operation: Operation, ctx: AppContext, request: ApiRequest) -> HttpResponse:
    """Run an operation and return its response; raises a `DomainError` if the request is rejected.

    Nothing is returned before the API key is verified, not even an error.
    """
    while True:
        try:
            return await _serve_verified(operation, ctx, request)
        except KeyChanged:
            # What was known about the key is forgotten now.
            continue
        except KeyUnknown:
            count_unknown_key(ctx)
            raise


async def _serve_verified(operation: Operation, ctx: AppContext, request: ApiRequest) -> HttpResponse:
    call = await _authenticate(operation, ctx, request)
    try:
        return await _respond(operation, call)
    except Conflict as error:
        if error.existing_id is None:
            raise
        return _refer_to_existing(operation, call, error, error.existing_id)
    finally:
        # An operation may have failed before its first statement, which verifies the key. The error raised here
        # replaces that of the operation.
        await _verify_key(call)


async def _authenticate(operation: Operation, ctx: AppContext, request: ApiRequest) -> RequestContext:
    """Recognise the API key, and count the request against its rate limit.

    The key is verified too, unless the operation's own transaction does that. Drawing from the rate limit in the
    database always requires a verified key.
    """
    text, now = request.headers.get("x-api-key"), ctx.clock.now()
    if not text:
        raise KeyMissing()
    credential = authentication.recognise(text, now)
    if credential is None:
        async with ctx.db.reading() as tx:
            credential = await authentication.look_up(tx, text, now)
    call = RequestContext(ctx, request, credential)
    ctx.usage.record(call.actor, now)
    request_context.set_actor(call.actor)
    limit = ctx.rates.limit_of(credential.identity.rate_limit)
    request.allowance = ctx.rates.consume(call.actor, limit) if limit else None
    must_draw = limit > 0 and request.allowance is None
    if must_draw or not operation.verifies_key:
        await _verify_key(call)
    if must_draw:
        request.allowance = await ctx.rates.refill(ctx.db, call.actor, limit)
        if request.allowance.wait_s:
            raise TooManyRequests(request.allowance)
    return call


async def _verify_key(call: RequestContext) -> None:
    """Verify the key in a transaction of its own, unless that is done, as `Credential.verify` does."""
    if not call.credential.verified:
        async with call.ctx.db.reading() as tx:
            await call.credential.verify(tx)


async def _respond(operation: Operation, call: RequestContext) -> HttpResponse:
    """Check the request, run the operation, and return its response.

    A request with several errors is rejected by the first of these steps that finds one.
    """
    _check_accept(call.request, operation.media_type)
    arguments = _parse_ids(operation, call)
    _check_permission(operation, call)
    dry_run = _parse_query(operation, call, arguments)
    if operation.method == "GET":
        result = await operation.handler(call, **arguments)
        return _add_etag(operation, call, result, _render(operation, call, result))
    async with AsyncExitStack() as open_files:
        body_hash = await _read_body(operation, call, arguments, open_files)
        idempotent = _parse_idempotency_key(operation, call, body_hash)
        # A dry run stores no response: the real request may follow with the same key.
        if idempotent is None or dry_run:
            return await _change(operation, call, arguments, dry_run=dry_run)
        try:
            with idempotent.exclusive(call):
                # Before the operation, which may store files or commit before the transaction in which `claim` looks
                # again.
                await idempotent.look_up_reply(call)
                return await _change(operation, call, arguments, idempotent)
        except ReplyFound as found:
            # `claim` raises it inside the transaction, which is rolled back by that.
            return _replay(found.reply)


async def _change(
    operation: Operation,
    call: RequestContext,
    arguments: dict[str, Any],
    idempotent: IdempotentRequest | None = None,
    *,
    dry_run: bool = False,
) -> HttpResponse:
    """Run an operation that writes. Raises `CommitOutcomeUnknown` if the database fails after a part was committed."""
    caller = request_context.current_caller.get()
    commits_before = caller.commits if caller else 0
    try:
        return await _change_and_commit(operation, call, arguments, idempotent, dry_run=dry_run)
    except DatabaseBusy as error:
        # Some operations commit more than once, and this error says that nothing was changed.
        if caller and caller.commits > commits_before and not dry_run:
            raise CommitOutcomeUnknown() from error
        raise


async def _change_and_commit(
    operation: Operation,
    call: RequestContext,
    arguments: dict[str, Any],
    idempotent: IdempotentRequest | None,
    *,
    dry_run: bool,
) -> HttpResponse:
    """Run an operation that writes, and commit its transaction together with what belongs to the response."""
    checks: list[Check] = []
    if idempotent:
        checks.append(idempotent.claim)
    if operation.getter and "if-match" in call.request.headers:
        checks.append(partial(_check_unchanged, operation.getter))
    async with call.begin(checks) as unit:
        response = _render(operation, call, await operation.handler(call, **arguments))
        if operation.has_etag and operation.getter and unit.tx:
            response.headers["etag"] = await _read_etag(operation.getter, call, unit.tx)
        # Handlers that commit more than once implement dry runs themselves, because one rollback would not undo them.
        if dry_run and not operation.dry_runs:
            unit.roll_back()
        if idempotent:
            await idempotent.store_reply(call, unit.tx, response)
    return response


async def _check_unchanged(getter: Operation, call: RequestContext, tx: WriteTransaction) -> None:
    """Raise `PreconditionFailed` unless the resource has an ETag of If-Match, and lock it against other changes."""
    await account_lock.hold(tx, call.actor.customer_id)
    if not matches(call.request.headers["if-match"], await _read_etag(getter, call, tx)):
        raise PreconditionFailed()


async def _read_etag(getter: Operation, call: RequestContext, tx: ReadTransaction) -> str:
    """Return the ETag of the resource as a GET returns it: other responses may order properties differently."""
    result = await getter.handler(ReadContext(call, tx), **_parse_ids(getter, call))
    return _etag(result, _encode(result))


def _add_etag(operation: Operation, call: RequestContext, result: Any, response: HttpResponse) -> HttpResponse:
    """Add the ETag if the response has one; return 304 if the caller knows this state of the resource."""
    if not operation.has_etag:
        return response
    tag = response.headers["etag"] = result.etag if isinstance(result, Download) else _etag(result, response.content)
    if known := find_match(call.request.headers.get("if-none-match", ""), tag, weakly=True):
        return HttpResponse(304, headers=response.headers | {"etag": known})
    return response


def _etag(result: Any, content: bytes) -> str:
    drifting: tuple[str, ...] = getattr(result, "drifting", ())
    stable_content = _encoder.encode(msgspec.structs.replace(result, **dict.fromkeys(drifting))) if drifting else None
    return etag(content, stable_content)


def _check_accept(request: ApiRequest, media_type: str) -> None:
    """Raise `NotAcceptable` if the Accept header excludes the media type of the response."""
    if not _is_accepted(request.headers.get("accept", "*/*"), media_type):
        raise NotAcceptable(f"The response is {media_type}. Allow that in the Accept header, or omit the header.")


def _is_accepted(accept: str, media_type: str) -> bool:
    accepted = ("*/*", "application/*", media_type, "+json" if media_type.endswith("json") else media_type)
    return any(kind in accept.lower() for kind in accepted)


def _check_permission(operation: Operation, call: RequestContext) -> None:
    """Raise `KeyReadOnly` or, for a limited key, `Denied` if the key lacks the operation's permission."""
    if operation.permission not in call.actor.permissions and call.credential.identity.read_only:
        raise KeyReadOnly()
    allow(call.actor, operation.permission)


def _parse_ids(operation: Operation, call: RequestContext) -> dict[str, Any]:
    """Return the ids in the path by the names of the operation's parameters.

    A text that cannot be an id becomes "", which no resource has. Raises `CustomerNotFound` for another account.
    """
    ids = dict(call.request.path_params)
    customer_id = call.actor.customer_id
    if ids.pop("customerId", customer_id) != customer_id:
        raise CustomerNotFound()
    return {snake(name): text if ID.fullmatch(text) else "" for name, text in ids.items()}


@cache
def snake(name: str) -> str:
    """Return `submissionId` as `submission_id`."""
    return re.sub(r"([A-Z])", lambda letter: "_" + letter[1].lower(), name)


def _parse_query(operation: Operation, call: RequestContext, arguments: dict[str, Any]) -> bool:
    """Add the query to the arguments if the operation takes one, and return whether this is a dry run."""
    request = call.request
    if not operation.takes_query and not request.scope["query_string"]:
        return False
    if operation.query is None:
        read_query(request.query, EmptyQuery)
        return False
    query = read_query(request.query, operation.query)
    if (cursor := getattr(query, "cursor", None)) is not None:
        check_cursor(cursor, list_of(call.actor.customer_id, request.path, request.query))
    if operation.takes_query:
        arguments["query"] = query
    return getattr(query, "dry_run", False)


_FORM_TYPES = frozenset({"multipart/form-data", "application/x-www-form-urlencoded"})


async def _read_body(
    operation: Operation, call: RequestContext, arguments: dict[str, Any], open_files: AsyncExitStack
) -> str:
    """Add the body to the arguments, and return the SHA-256 of its bytes; "" if the operation takes no body."""
    if operation.body is None:
        return ""
    request = call.request
    content_type = request.headers.get("content-type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    accepted = operation.body_media_types
    if operation.upload and media_type in _FORM_TYPES:
        # Otherwise the whole form would be taken for a file, whose content does not match.
        raise MediaTypeUnsupported(
            f"Send the bytes of the file itself as the body, not a form ({media_type}), with the media type of the file"
            " as the Content-Type: curl --data-binary @photo.jpg -H 'Content-Type: image/jpeg'. If you do not know the"
            f" type, send {accepted[0]}."
        )
    is_accepted = operation.body is FileUpload or media_type in accepted
    if not is_accepted or request.headers.get("content-encoding", "identity") != "identity":
        kinds = " or ".join(accepted)
        raise MediaTypeUnsupported(f"Send the body as {kinds}, with that Content-Type and without Content-Encoding.")
    if operation.streams_body:
        # Importing many rows, or storing a large file in a remote bucket, takes time.
        disable_timeout()
        kind = TableUpload.media_types.get(media_type)
        if operation.upload or kind:
            received = await _receive_file(operation, call, open_files)
            table = TableUpload(received, kind, content_type) if kind else None
            arguments["body"] = operation.upload(received, content_type) if operation.upload else table
            return received.hash
    content = await request.body()
    # Decoding a large body in the event loop would delay all other requests.
    small = len(content) <= SMALL_BYTES
    body = _decode(operation, content) if small else await offload(_decode, operation, content)
    arguments["body"], body_hash = body
    return body_hash


async def _receive_file(operation: Operation, call: RequestContext, open_files: AsyncExitStack) -> ReceivedBlob:
    max_size = operation.upload.max_size if operation.upload else MAX_TABLE
    if call.request.content_length > max_size:
        raise ContentTooLarge(f"A file may have at most {max_size // 2**20} MiB.")
    return await open_files.enter_async_context(call.ctx.files.receive(call.request.stream(), max_size))


def _decode(operation: Operation, content: bytes) -> tuple[Any, str]:
    """Return the body and its SHA-256."""
    if operation.takes_file:
        return operation.body(content), sha256(content).hexdigest()
    max_values = MAX_TABLE_VALUES if operation.takes_items else MAX_VALUES
    return read_body(content, operation.body, max_values), sha256(content).hexdigest()


def _parse_idempotency_key(operation: Operation, call: RequestContext, body_hash: str) -> IdempotentRequest | None:
    key = call.request.headers.get("idempotency-key")
    if key is None or operation.method != "POST":
        return None
    query, media_type = call.request.scope["query_string"], call.request.headers.get("content-type", "")
    return IdempotentRequest(call, key, fingerprint(query, media_type, body_hash))


def _render(operation: Operation, call: RequestContext, result: Any) -> HttpResponse:
    """Return the response with the result of an operation."""
    if isinstance(result, Download):
        return HttpResponse(operation.status, result.content, result.media_type, result.headers)
    if isinstance(result, StreamedDownload):
        return HttpResponse(operation.status, b"", result.media_type, result.headers, result.chunks)
    if result is None:
        return HttpResponse(operation.status)
    response = HttpResponse(operation.status, _encode(result), operation.media_type)
    if isinstance(result, PreencodedJson | List) and result.next:
        response.headers["link"] = f'<{result.next}>; rel="next"'
    if operation.location and not isinstance(result, list):
        response.headers["location"] = _locate(call, operation.location, result.id)
    return response


def _locate(call: RequestContext, template: str, resource_id: str) -> str:
    ids = {**call.request.path_params, "customerId": call.actor.customer_id, "id": resource_id}
    return call.url("/api/v1.0" + template.format_map(ids))


def _refer_to_existing(operation: Operation, call: RequestContext, error: Conflict, existing_id: str) -> HttpResponse:
    """Return the problem with the URL of the resource that already exists."""
    response = problem(error, call.request.request_id)
    # The path of an update ends with the id of its own resource.
    template = operation.location or operation.path.rpartition("/")[0] + "/{id}"
    response.headers["location"] = _locate(call, template, existing_id)
    return response


def _encode(result: Any) -> bytes:
    return result.content if isinstance(result, PreencodedJson) else _encoder.encode(result)


def _replay(reply: StoredResponse) -> HttpResponse:
    """Return the response that was stored for the first request with this Idempotency-Key."""
    # Only `Location` depends on the result of a POST: ETags are for GET and PUT, and rate limits for each request.
    headers = {"idempotent-replayed": "true"} | ({"location": reply.location} if reply.location else {})
    content = reply.content.encode()
    return HttpResponse(reply.status, content, "application/json" if content else "", headers)
