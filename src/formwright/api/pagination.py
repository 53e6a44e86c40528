"""Pages of lists: `items`, and the URL of the next page in `next`."""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from formwright.api.http_messages import PreencodedJson
from formwright.asgi.validation import QueryInvalid
from formwright.core.errors import ValidationFault
from formwright.core.pagination import DEFAULT_LIMIT, MAX_LIMIT, Page, Position, RenderedPage, Window

T = TypeVar("T")
R = TypeVar("R")

Limit = Annotated[int, Meta(ge=1, le=MAX_LIMIT, description="The maximum number of items per page.")]
Cursor = Annotated[
    str,
    Meta(
        max_length=2000,
        description="The position of the page, from `next` of the previous page. Only valid for the same list.",
    ),
]

_KEY = "\x1f"
"""The separator of an id and a key, which neither of them contains."""
# Eighteen digits always fit into a BIGINT of the database.
_POSITION = re.compile(r"([0-9a-f]{12})\.(-?[0-9]{1,18})\.([^\x1f\n]{0,200})(?:\x1f([^\x1f\n]{1,1300}))?")
# These change what a page contains but not what comes after it, so clients may change them between pages.
_NOT_PART_OF_THE_LIST = ("limit", "cursor", "after", "count", "fields", "expand")
_ONLY_FIRST_PAGE = ("cursor", "after", "count")


class List(msgspec.Struct, Generic[T]):
    """A page of a list."""

    items: Annotated[list[T], Meta(description="The items of this page.")]
    next_cursor: Annotated[
        str | None,
        Meta(description="The `cursor` of the next page, for programs that build its URL; null on the last page."),
    ] = msgspec.field(name="nextCursor")
    next: Annotated[str | None, Meta(description="The absolute URL of the next page; null on the last page.")]


class PageQuery(msgspec.Struct, rename="camel", kw_only=True):
    """The query parameters of every list."""

    limit: Limit = DEFAULT_LIMIT
    cursor: Cursor | None = None

    def window(self) -> Window:
        """Return the requested part of the list. Raises `QueryInvalid` for a cursor that did not come from `next`."""
        return requested_window(self.limit, self.cursor)


def requested_window(limit: int, cursor: str | None) -> Window:
    """Return the part of a list that a query requests. Raises `QueryInvalid` for an invalid cursor."""
    return Window(limit, decode_cursor(cursor) if cursor is not None else None)


def decode_cursor(cursor: str) -> Position:
    """Return the position in the list that a cursor encodes. Raises `QueryInvalid`."""
    return _decode(cursor)[1]


def check_cursor(cursor: str, of_list: str) -> None:
    """Raise `QueryInvalid` unless the cursor came from `next` of the list with this fingerprint (see `list_of`)."""
    if _decode(cursor)[0] != of_list:
        detail = "This cursor belongs to another list, other filters or another order. Follow `next` unchanged."
        raise QueryInvalid([ValidationFault("?cursor", "cursor.other_list", detail)])


def _decode(cursor: str) -> tuple[str, Position]:
    try:
        text = base64.urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, ValueError):
        text = ""
    match = _POSITION.fullmatch(text)
    position = Position(int(match[2]), match[3], match[4] or "") if match else None
    # The decoder skips characters that are not base64, so only accept the exact encoding.
    if match is None or position is None or "\0" in position.id or encode_cursor(position, match[1]) != cursor:
        raise QueryInvalid([ValidationFault("?cursor", "cursor.invalid", "This cursor did not come from `next`.")])
    return match[1], position


def encode_cursor(position: Position, of_list: str) -> str:
    """Return an opaque, URL-safe cursor for a position in a list."""
    key = _KEY + position.key if position.key else ""
    text = f"{of_list}.{position.number}.{position.id}{key}"
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def list_of(customer_id: str, path: str, query: Iterable[tuple[str, str]]) -> str:
    """Return a fingerprint of a list, 12 characters: its account, path, filters and order."""
    members = sorted((name, value) for name, value in query if name not in _NOT_PART_OF_THE_LIST)
    # Six bytes are enough, because this only finds mistakes: access is checked for each page, whatever its cursor.
    return hashlib.blake2b(repr((customer_id, path, members)).encode(), digest_size=6).hexdigest()


def listing(
    page: Page[R], shape: Callable[[R], T], address: str, query: list[tuple[str, str]], of_list: str
) -> List[T]:
    """Return a page of a list. `shape` converts a record; `next` repeats the filters of this request."""
    items = [shape(item) for item in page.items]
    return List(items, next_cursor(page.next, of_list), next_url(page.next, address, query, of_list))


def ready_listing(
    page: RenderedPage, members: Mapping[str, object], address: str, query: list[tuple[str, str]], of_list: str
) -> PreencodedJson[Any]:
    """Return a page of items that are already JSON, with additional properties."""
    url = next_url(page.next, address, query, of_list)
    rest = msgspec.json.encode({"nextCursor": next_cursor(page.next, of_list), "next": url, **members})
    return PreencodedJson(b'{"items":[%b],%b' % (page.items, rest[1:]), next=url)


def next_cursor(after: Position | None, of_list: str) -> str | None:
    """Return the cursor of the page after this position; None after the last page."""
    return None if after is None else encode_cursor(after, of_list)


def next_url(after: Position | None, address: str, query: list[tuple[str, str]], of_list: str) -> str | None:
    """Return the URL of the page after this position, with the filters of this request; None after the last page."""
    if after is None:
        return None
    filters = [(name, value) for name, value in query if name not in _ONLY_FIRST_PAGE]
    return f"{address}?{urlencode([*filters, ('cursor', encode_cursor(after, of_list))])}"
