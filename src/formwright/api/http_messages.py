"""Requests of the API, whose parts are parsed when they are first used, and results that are already encoded."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl

from formwright.api.deprecations import Announcement
from formwright.asgi.request_errors import BadRequest
from formwright.asgi.types import Receive
from formwright.asgi.validation import MAX_BODY, BodyTooLarge
from formwright.domain.api_keys.rate_limits import RateLimitStatus

T = TypeVar("T")


class ApiRequest:
    """A request. `path_params` are set after routing."""

    def __init__(self, scope: Any, receive: Receive) -> None:
        self.scope = scope
        self.path = _plain(scope["path"])
        self.path_params: Mapping[str, str] = {}
        self.method: str = scope["method"]
        # By lower-case name. The first value of a repeated header counts.
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
        self.allowance: RateLimitStatus | None = None
        self.deprecated: Announcement | None = None
        self._receive = receive
        self._body: bytes | None = None

    @cached_property
    def query(self) -> list[tuple[str, str]]:
        """The query parameters in order. Invalid UTF-8 is replaced by U+FFFD."""
        raw: bytes = self.scope["query_string"]
        return parse_qsl(raw.decode("latin-1"), keep_blank_values=True, errors="replace")

    @property
    def request_id(self) -> str:
        """The id of the request, which identifies its entry in the log."""
        return str(self.scope["state"]["request_id"])

    @property
    def content_length(self) -> int:
        """The length in the Content-Length header. Bodies that are too large are rejected without reading them."""
        length = self.headers.get("content-length", "")
        # Twenty digits exceed every limit, and `int` raises an error for more than 4,300.
        return int(length[:20]) if length.isascii() and length.isdigit() else 0

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives."""
        more = True
        while more:
            part, more = await self._part()
            if part:
                yield part

    async def body(self) -> bytes:
        """Return the whole body. Raises `BodyTooLarge`, immediately if Content-Length is too large.

        It is kept, because a request is served again if its API key turns out to have been changed.
        """
        if self._body is None:
            self._body = await self._read_body()
        return self._body

    async def _read_body(self) -> bytes:
        if self.content_length > MAX_BODY:
            raise BodyTooLarge()
        part, more = await self._part()
        # Most bodies arrive in one part, which does not have to be copied.
        content = bytearray(part) if more else part
        while more and len(content) <= MAX_BODY:
            part, more = await self._part()
            content += part
        if len(content) > MAX_BODY:
            raise BodyTooLarge()
        return bytes(content)

    async def _part(self) -> tuple[bytes, bool]:
        """Return the next part of the body, and whether more follow."""
        event: Any = await self._receive()
        if event["type"] == "http.disconnect":
            raise BadRequest()
        return event.get("body", b""), event.get("more_body", False)


def _plain(path: str) -> str:
    """Return the path without a trailing slash and with single slashes."""
    return "/" + "/".join(filter(None, path.split("/"))) if path.endswith("/") or "//" in path else path


@dataclass(slots=True)
class PreencodedJson(Generic[T]):
    """A response of shape `T`, already encoded as JSON. `id` is that of the resource, if it is a single one.

    `next` is the URL of the next page, which is sent in a `Link` header too (RFC 8288).
    """

    content: bytes
    id: str = ""
    next: str | None = None
