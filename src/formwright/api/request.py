"""A request of the API as it came: its parts are read when they are asked for, and only then."""

from collections.abc import AsyncIterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

from litestar.types import Receive

from formwright.api.deprecations import Announcement
from formwright.api.errors import BadRequest
from formwright.asgi.validation import MAX_BODY, BodyTooLarge
from formwright.domain.api_keys.rate_limits import RateLimitStatus


class Request:
    """One request. `path_params`, once it is known what it is for: the words of its path by their names there."""

    def __init__(self, scope: Any, receive: Receive) -> None:
        self.scope = scope
        self.path = _plain(scope["path"])
        self.path_params: Mapping[str, str] = {}
        self.method: str = scope["method"]
        # By name in lower case. Of a repeated header, the first value counts.
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
        self.allowance: RateLimitStatus | None = None
        self.deprecated: Announcement | None = None
        self._receive = receive

    @cached_property
    def query(self) -> list[tuple[str, str]]:
        """The members of the query in their order; what is no UTF-8 is shown by the sign for that."""
        raw: bytes = self.scope["query_string"]
        return parse_qsl(raw.decode("latin-1"), keep_blank_values=True, errors="replace")

    @property
    def announced(self) -> int:
        """How long the body is said to be: what is too long by its own account is not even read."""
        length = self.headers.get("content-length", "")
        return int(length[:20]) if length.isascii() and length.isdigit() else 0

    async def stream(self) -> AsyncIterator[bytes]:
        """The body as it comes in."""
        more = True
        while more:
            part, more = await self._part()
            if part:
                yield part

    async def body(self) -> bytes:
        """The whole body; `BodyTooLarge` at once where it says so itself, else when it is."""
        if self.announced > MAX_BODY:
            raise BodyTooLarge()
        part, more = await self._part()
        content = bytearray(part) if more else part
        while more and len(content) <= MAX_BODY:
            part, more = await self._part()
            content += part
        if len(content) > MAX_BODY:
            raise BodyTooLarge()
        return bytes(content)

    async def _part(self) -> tuple[bytes, bool]:
        """The next part of the body, and whether more of it comes."""
        event: Any = await self._receive()
        if event["type"] == "http.disconnect":
            raise BadRequest()
        return event.get("body", b""), event.get("more_body", False)


def _plain(path: str) -> str:
    """Without a slash at the end, and with one between two words."""
    return "/" + "/".join(filter(None, path.split("/"))) if path.endswith("/") or "//" in path else path
