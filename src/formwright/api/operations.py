"""An operation of the API: declared once, served and documented from that declaration."""

import inspect
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from formwright.api.binary_bodies import TableUpload, bodies, is_file, media_type_of, media_types_of
from formwright.api.deprecations import Announcement
from formwright.api.response import PreencodedJson
from formwright.core.auth.permissions import Permission
from formwright.core.errors import DomainError

PARAMETER = re.compile(r"\{(\w+)\}")

Method = Literal["GET", "POST", "PUT", "DELETE"]
Verb = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
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
    takes_query: bool = False
    """Whether the verb is handed the query."""
    getter: "Operation | None" = None
    """What reads the single resource that this answers or changes: its answer is what an ETag is made of."""
    deprecated: Announcement | None = None
    """What says that it will go."""
    grouped: bool = False
    """Whether it writes in one transaction that shares its commit with other requests."""

    @cached_property
    def media_type(self) -> str:
        """In which media type it answers."""
        return media_type_of(self.answer)

    @cached_property
    def parameters(self) -> list[str]:
        """The names in braces of the path, in order."""
        return PARAMETER.findall(self.path)

    @cached_property
    def reads_one(self) -> bool:
        """Whether it reads a single thing, and so for a short time only."""
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
    def takes_file(self) -> bool:
        """Whether the body is a file instead of JSON."""
        return is_file(self.body)

    @cached_property
    def dry_runs(self) -> bool:
        """Whether the verb itself knows how to change nothing."""
        return "dry_run" in getattr(get_type_hints(self.verb).get("query"), "__struct_fields__", ())

    @cached_property
    def has_etag(self) -> bool:
        """Whether it answers what stands at its address, and so says which state of it that is."""
        return self.method in ("GET", "PUT") and self.getter is not None and self.getter.answer is self.answer

    @cached_property
    def summary(self) -> str:
        """The first line of what the verb says of itself."""
        return (inspect.getdoc(self.verb) or "").partition("\n")[0]

    @cached_property
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
    deprecated: Announcement | None = None,
    grouped: bool = False,
) -> Callable[[Verb], list[Operation]]:
    """Declare what a verb answers to: pairs of an operation's name and its path.

    The verb takes a `Call`, the path's ids by name, and a `query` and a `body` of the shapes that its annotations name.
    """

    def declare(verb: Verb) -> list[Operation]:
        hints = get_type_hints(verb, include_extras=True)
        query = hints.get("query") if method == "GET" else _with_dry_run(hints.get("query"))
        shapes = (verb, query, *bodies(hints.get("body")), _response_type(hints["return"]))
        parts = (tag, permission, status, location, raises, *shapes, "query" in hints)
        return [Operation(method, path, name, *parts, deprecated=deprecated, grouped=grouped) for name, path in paths]

    return declare


def _response_type(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is PreencodedJson else hint


class DryRun(msgspec.Struct, rename="camel"):
    """What every writing operation takes in its query."""

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


def linked(operations: Sequence[Operation]) -> list[Operation]:
    """The operations, each with what reads the single resource that it answers or changes."""
    getters = {_shape(one.path): one for one in operations if one.reads_one and not is_file(one.answer)}
    return [replace(one, getter=getters.get(_shape(one.path)) or _owner(one, getters)) for one in operations]


def _owner(one: Operation, getters: dict[str, Operation]) -> Operation | None:
    """What reads the resource of which a PUT replaces a part without an ETag of its own: a datasource, of its rows."""
    return getters.get(_shape(one.path).rpartition("/")[0]) if one.method == "PUT" else None


def _shape(path: str) -> str:
    return PARAMETER.sub("{}", path)
