"""Operations of the API. Each is declared once; routing and documentation use that declaration."""

import inspect
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from formwright.api.binary_bodies import FileUpload, TableUpload, bodies, is_file, media_type_of, media_types_of
from formwright.api.context import ReadContext, RequestContext
from formwright.api.deprecations import Announcement
from formwright.api.http_messages import PreencodedJson
from formwright.core.auth.permissions import Permission
from formwright.core.errors import DomainError
from formwright.domain.customers.service import CustomerNotFound

PARAMETER = re.compile(r"\{(\w+)\}")

Method = Literal["GET", "POST", "PUT", "DELETE"]
Handler = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class Operation:
    """A method and path of the API. `raises` are the errors in addition to those that every operation can return."""

    method: Method
    path: str
    name: str
    tag: str
    permission: Permission
    status: int
    location: str
    raises: Sequence[type[DomainError]]
    handler: Handler
    query: Any
    body: Any
    table: bool
    response: Any
    takes_query: bool = False
    """Whether the handler receives the query."""
    getter: "Operation | None" = None
    """The operation that reads the same resource. Its response is the basis of the ETag."""
    deprecated: Announcement | None = None
    """The announcement of the operation's deprecation."""
    grouped: bool = False
    """Whether it writes in a transaction whose commit is shared with other requests."""

    @cached_property
    def media_type(self) -> str:
        """The media type of the response."""
        return media_type_of(self.response)

    @cached_property
    def parameters(self) -> list[str]:
        """The names of the path parameters, in order."""
        return PARAMETER.findall(self.path)

    @cached_property
    def reads_one(self) -> bool:
        """Whether it reads a single resource and therefore takes little time."""
        return self.method == "GET" and self.query is None

    @cached_property
    def verifies_key(self) -> bool:
        """Whether the operation's own transaction verifies the API key, instead of another one before it."""
        return self.reads_one or self.grouped

    @cached_property
    def body_media_types(self) -> tuple[str, ...]:
        """The media types that the body may have."""
        return (*media_types_of(self.body), *(TableUpload.media_types if self.table else ()))

    @cached_property
    def streams_body(self) -> bool:
        """Whether the body may be a file that is received into a temporary file."""
        return self.table or self.body is TableUpload or self.upload is not None

    @cached_property
    def upload(self) -> type[FileUpload] | None:
        """The type of the body if it is a file that is not a table."""
        return self.body if isinstance(self.body, type) and issubclass(self.body, FileUpload) else None

    @cached_property
    def takes_items(self) -> bool:
        """Whether the body has rows or items that are decoded one after another, and so may have many values."""
        return self.table or self.documented_body is not self.body

    @cached_property
    def documented_body(self) -> Any:
        """The type that describes the body to clients, which may be more specific than the one that is decoded."""
        return getattr(self.body, "documented_as", self.body)

    @cached_property
    def takes_file(self) -> bool:
        """Whether the body is a file instead of JSON."""
        return is_file(self.body)

    @cached_property
    def dry_runs(self) -> bool:
        """Whether the handler itself supports dry runs."""
        # Not `self.query`, to which `declare` adds this parameter for every operation that writes.
        return "dry_run" in getattr(get_type_hints(self.handler).get("query"), "__struct_fields__", ())

    @cached_property
    def has_etag(self) -> bool:
        """Whether it returns the representation of its URL, and therefore an ETag."""
        if getattr(self.response, "has_etag", False):
            return True
        return self.method in ("GET", "PUT") and self.getter is not None and self.getter.response is self.response

    @cached_property
    def summary(self) -> str:
        """The first line of the handler's docstring."""
        return (inspect.getdoc(self.handler) or "").partition("\n")[0]

    @cached_property
    def description(self) -> str:
        """The rest of the handler's docstring."""
        return (inspect.getdoc(self.handler) or "").partition("\n")[2].strip()


class OperationGroup(list[Operation]):
    """The operations of a module with the same tag, in the order in which they are declared.

    `reads` is the permission that those with GET require, and `writes` that of the others.
    """

    def __init__(self, tag: str, *, reads: Permission | None = None, writes: Permission | None = None) -> None:
        super().__init__()
        self._tag, self._reads, self._writes = tag, reads, writes

    def declare(
        self,
        method: Method,
        *paths: tuple[str, str],
        permission: Permission | None = None,
        status: int | None = None,
        location: str = "",
        raises: Sequence[type[DomainError]] = (),
        deprecated: Announcement | None = None,
        grouped: bool = False,
    ) -> Callable[[Handler], Handler]:
        """Declare the operations that a function handles, as pairs of a name and a path.

        If one of the paths contains `customerId`, they also raise `CustomerNotFound`. Without a status, it is 201 with
        the `location` of what was created, 204 without content, and otherwise 200.
        The handler takes `call`, the path parameters by name, and `query` and `body` as their annotations say. If the
        type of `call` is `ReadContext` or `WriteContext`, it has a transaction; a `RequestContext` opens its own.
        """
        required = permission or (self._reads if method == "GET" else self._writes)
        if required is None:
            raise TypeError(f"{method} {paths} needs a permission.")
        of_account = (CustomerNotFound,) if any("{customerId}" in path for _, path in paths) else ()

        def add(handler: Handler) -> Handler:
            hints = get_type_hints(handler, include_extras=True)
            query = hints.get("query") if method == "GET" else _with_dry_run(hints.get("query"))
            success = status or (201 if location else 204 if hints["return"] is type(None) else 200)
            shapes = (
                _in_transaction(handler, hints["call"]),
                query,
                *bodies(hints.get("body")),
                _response_type(hints["return"]),
            )
            parts = (self._tag, required, success, location, (*of_account, *raises), *shapes, "query" in hints)
            self.extend(
                Operation(method, path, name, *parts, deprecated=deprecated, grouped=grouped) for name, path in paths
            )
            return handler

        return add


def _in_transaction(handler: Handler, context: Any) -> Handler:
    """Return the handler, called in the transaction that its context has."""
    if context is RequestContext:
        return handler

    @wraps(handler)
    async def call_handler(call: RequestContext, **arguments: Any) -> Any:
        async with call.reading() if context is ReadContext else call.writing() as tx:
            return await handler(context(call, tx), **arguments)

    return call_handler


def _response_type(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is PreencodedJson else hint


class DryRun(msgspec.Struct, rename="camel"):
    """The query parameters of every writing operation."""

    dry_run: Annotated[
        bool, Meta(description="Validate the request and return the usual response, without changing anything.")
    ] = False


def _with_dry_run(query: Any) -> Any:
    if query is None:
        return DryRun
    if "dry_run" in query.__struct_fields__:
        return query
    hint = get_type_hints(DryRun, include_extras=True)["dry_run"]
    return msgspec.defstruct(query.__name__, [("dry_run", hint, False)], bases=(query,), rename="camel")


def link_getters(operations: Sequence[Operation]) -> list[Operation]:
    """Return the operations, each with the one that reads the same resource."""
    getters = {_path_shape(one.path): one for one in operations if one.reads_one and not is_file(one.response)}
    return [
        replace(one, getter=getters.get(_path_shape(one.path)) or _parent_getter(one, getters)) for one in operations
    ]


def _parent_getter(one: Operation, getters: dict[str, Operation]) -> Operation | None:
    """Return the operation that reads the resource of which a PUT replaces a part, like the rows of a data source."""
    return getters.get(_path_shape(one.path).rpartition("/")[0]) if one.method == "PUT" else None


def _path_shape(path: str) -> str:
    return PARAMETER.sub("{}", path)
