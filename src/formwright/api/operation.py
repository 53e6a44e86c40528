"""An operation of the API: declared once, served and documented from that declaration."""

import inspect
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal, cast, get_type_hints

import msgspec
from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.response import Response

from formwright.api.binary import Download, TableUpload, bodies, is_file, media_type_of
from formwright.api.call import Call, authenticate, check_accept
from formwright.api.errors import BodyTooLarge, MediaTypeUnsupported, problem
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import DomainError
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.keys.model import KeyReadOnly
from formwright.house import House
from formwright.reading import NoQuery, read_body, read_query

ID = re.compile(r"[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}")
_PARAMETER = re.compile(r"\{(\w+)\}")
MAX_BODY = 10 * 1024 * 1024
MAX_TABLE = 256 * 1024 * 1024
_encoder = msgspec.json.Encoder()

Method = Literal["GET", "POST", "PUT", "DELETE"]
Verb = Callable[..., Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path. `raises` are the errors that a caller can meet beyond those of every operation."""

    method: Method
    path: str
    name: str
    tag: str
    permission: Permission
    status: int
    location: str
    raises: Sequence[type[DomainError]]
    verb: Verb
    query: Any
    body: Any
    table: bool
    answer: Any

    @property
    def media_type(self) -> str:
        """In which media type it answers."""
        return media_type_of(self.answer)

    @property
    def parameters(self) -> list[str]:
        """The names in braces of the path, in order."""
        return _PARAMETER.findall(self.path)

    @property
    def reads_one(self) -> bool:
        """Whether it reads a single thing, and so for a short time only."""
        return self.method == "GET" and self.query is None

    @property
    def summary(self) -> str:
        """The first line of what the verb says of itself."""
        return (inspect.getdoc(self.verb) or "").partition("\n")[0]

    @property
    def description(self) -> str:
        """The rest of it."""
        return (inspect.getdoc(self.verb) or "").partition("\n")[2].strip()


def operation(
    method: Method,
    *paths: tuple[str, str],
    tag: str,
    permission: Permission,
    status: int = 200,
    location: str = "",
    raises: Sequence[type[DomainError]] = (),
) -> Callable[[Verb], list[Operation]]:
    """Declare what a verb answers to: pairs of an operation's name and its path.

    The verb takes a `Call`, the path's ids by name, and a `query` and a `body` of the shapes that its annotations name.
    """

    def declare(verb: Verb) -> list[Operation]:
        hints = get_type_hints(verb, include_extras=True)
        shapes = (verb, hints.get("query"), *bodies(hints.get("body")), hints["return"])
        return [
            Operation(method, path, name, tag, permission, status, location, raises, *shapes) for name, path in paths
        ]

    return declare


def route(operation: Operation) -> HTTPRouteHandler:
    """The route that serves an operation."""
    path = _PARAMETER.sub(r"{\1:str}", operation.path)

    async def handler(request: Request[Any, Any, Any]) -> Response[bytes]:
        try:
            return await _serve(operation, request.app.state.house, request)
        except DomainError as error:
            return problem(error, request.scope["state"]["request_id"])

    # The status here is only the framework's default: each answer names its own. So with the bound of a body: a table
    # is counted while it comes in.
    bound: Any = {"request_max_body_size": None} if operation.table else {}
    route_of = HTTPRouteHandler(path, http_method=operation.method, name=operation.name, status_code=200, **bound)
    return route_of(handler)


async def _serve(operation: Operation, house: House, request: Request[Any, Any, Any]) -> Response[bytes]:
    async with house.db.reading() as tx:
        actor = await authenticate(house, request, tx)
        if operation.reads_one:
            # On PostgreSQL, to take a connection once more would cost more than the query itself.
            return await _answer(operation, Call(house, request, actor, tx))
    return await _answer(operation, Call(house, request, actor))


async def _answer(operation: Operation, call: Call) -> Response[bytes]:
    request, actor = call.request, call.actor
    check_accept(request, operation.media_type)
    given = _ids(operation, request, actor.customer_id)
    if operation.permission not in actor.permissions:
        raise KeyReadOnly()
    if operation.query is not None:
        given["query"] = read_query(request.query_params.multi_items(), operation.query)
    elif request.scope["query_string"]:
        read_query(request.query_params.multi_items(), NoQuery)
    async with AsyncExitStack() as open_files:
        if operation.body is not None:
            given["body"] = await _body(operation, call, open_files)
        answer = await operation.verb(call, **given)
    headers = {}
    if operation.location:
        named = {**request.path_params, "customerId": actor.customer_id, "id": answer.id}
        headers["location"] = call.url("/api/v1.0" + operation.location.format_map(named))
    if isinstance(answer, Download):
        return Response(answer.content, media_type=answer.media_type, headers=answer.headers)
    content = b"" if answer is None else _encoder.encode(answer)
    media_type = "" if answer is None else "application/json"
    return Response(content, status_code=operation.status, media_type=media_type, headers=headers)


def _ids(operation: Operation, request: Request[Any, Any, Any], customer_id: str) -> dict[str, Any]:
    """The ids of the path by the verb's names. What cannot be an id becomes one that names nothing."""
    ids = dict(request.path_params)
    if ids.pop("customerId", customer_id) != customer_id:
        raise CustomerNotFound()
    return {snake(name): text if ID.fullmatch(text) else "" for name, text in ids.items()}


def snake(name: str) -> str:
    """`submissionId` as `submission_id`."""
    return re.sub(r"([A-Z])", lambda letter: "_" + letter[1].lower(), name)


async def _body(operation: Operation, call: Call, open_files: AsyncExitStack) -> Any:
    request, shape = call.request, operation.body
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    tables = TableUpload.media_types if operation.table else {}
    wanted = [media_type_of(shape), *tables]
    if media_type not in wanted or request.headers.get("content-encoding", "identity") != "identity":
        kinds = " or ".join(wanted)
        raise MediaTypeUnsupported(f"Send the body as {kinds}, named so in Content-Type, without Content-Encoding.")
    if media_type in tables:
        arrived = await open_files.enter_async_context(call.house.files.receive(request.stream(), MAX_TABLE))
        return TableUpload(cast(BinaryIO, arrived.file), tables[media_type])
    content = await (_bounded(request) if operation.table else request.body())
    return shape(content) if is_file(shape) else read_body(content, shape)


async def _bounded(request: Request[Any, Any, Any]) -> bytes:
    """The body, where the framework does not bound it."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MAX_BODY:
            raise BodyTooLarge()
    return bytes(content)
