"""A request as pages read it: whatever was typed, no text in it holds a NUL, which no database takes."""

from typing import Any

from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.enums import RequestEncodingType
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import Scope

from formwright.asgi.json_limits import BodyTooLarge

MAX_FORM = 1024 * 1024
"""Bytes of a form without files. The largest of ours names the addresses of a thousand people."""
MAX_FORM_FIELDS = 5000


class PageRequest(Request[Any, Any, Any]):
    """A request whose form has no NUL in its texts; files stay as they are."""

    async def form(self) -> FormMultiDict:
        if self.content_type[0] == RequestEncodingType.URL_ENCODED:
            raw = await self.body()
            if len(raw) > MAX_FORM or raw.count(b"&") >= MAX_FORM_FIELDS:
                raise RequestEntityTooLarge
        sent = await super().form()
        return FormMultiDict([(_remove_nul(name), _remove_nul(value)) for name, value in sent.multi_items()])


async def read_body(request: Request[Any, Any, Any], max_bytes: int) -> bytes:
    """The whole body; `BodyTooLarge` as soon as it is clear that it has more than `most` bytes."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and len(length) < 19 and int(length) > max_bytes:
        raise BodyTooLarge()
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > max_bytes:
            raise BodyTooLarge()
    return bytes(content)


def _remove_nul(value: Any) -> Any:
    return value.replace("\0", "") if isinstance(value, str) else value


def remove_nul_from_scope(scope: Scope) -> None:
    """Take it out of the query too; in a path it becomes a letter that no id has: nothing is there."""
    scope["path"] = scope["path"].replace("\0", "\ufffd")
    query = scope["query_string"]
    while b"%00" in query:
        # Again, as what was around one may be one then.
        query = query.replace(b"%00", b"")
    scope["query_string"] = query
