"""Lists: `items`, and `next` as an absolute address that anyone can follow."""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from formwright.api.response import PreencodedJson
from formwright.asgi.validation import QueryInvalid
from formwright.core.errors import ValidationFault
from formwright.core.pagination import DEFAULT_LIMIT, MAX_LIMIT, Page, Place, RenderedPage, Window

T = TypeVar("T")
R = TypeVar("R")

Limit = Annotated[int, Meta(ge=1, le=MAX_LIMIT, description="How many items a page has at most.")]
Cursor = Annotated[str, Meta(max_length=500, description="Where to go on; from `next` of the page before.")]

_PLACE = re.compile(r"([0-9a-f]{12})\.(-?[0-9]{1,18})\.(.{0,200})")
_NOT_OF_THE_LIST = ("limit", "cursor", "after")


class List(msgspec.Struct, Generic[T]):
    """A page of a list."""

    items: list[T]
    next: Annotated[str | None, Meta(description="The address of the next page; null on the last.")]


class PageQuery(msgspec.Struct, rename="camel", kw_only=True):
    """What every list takes."""

    limit: Limit = DEFAULT_LIMIT
    cursor: Cursor | None = None

    def window(self) -> Window:
        """The part of the list that is asked for; `QueryInvalid` for a cursor that is none of ours."""
        return Window(self.limit, decode_cursor(self.cursor) if self.cursor is not None else None)


def decode_cursor(given: str) -> Place:
    """The place that a cursor stands for."""
    return _read(given)[1]


def check_cursor(given: str, of_list: str) -> None:
    """`QueryInvalid` for a cursor that is none of ours, or that another list gave."""
    if _read(given)[0] != of_list:
        words = "This cursor was given for another list, other filters or another order. Follow `next` as it is."
        raise QueryInvalid([ValidationFault("?cursor", "cursor.other_list", words)])


def _read(given: str) -> tuple[str, Place]:
    try:
        text = base64.urlsafe_b64decode(given.encode() + b"=" * (-len(given) % 4)).decode()
    except (binascii.Error, ValueError):
        text = ""
    found = _PLACE.fullmatch(text)
    place = Place(int(found[2]), found[3]) if found else None
    # The decoder skips what is not base 64; a cursor of ours has nothing to skip.
    if found is None or place is None or "\0" in place.id or encode_cursor(place, found[1]) != given:
        raise QueryInvalid([ValidationFault("?cursor", "cursor.invalid", "This cursor is not one that `next` gave.")])
    return found[1], place


def encode_cursor(place: Place, of_list: str) -> str:
    """An opaque word for a place in a list."""
    return base64.urlsafe_b64encode(f"{of_list}.{place.number}.{place.id}".encode()).rstrip(b"=").decode()


def list_of(customer_id: str, path: str, query: Iterable[tuple[str, str]]) -> str:
    """Which list is meant, in 12 characters: whose, at which address, by which filters and in which order."""
    members = sorted((name, value) for name, value in query if name not in _NOT_OF_THE_LIST)
    return hashlib.blake2b(repr((customer_id, path, members)).encode(), digest_size=6).hexdigest()


def listing(
    page: Page[R], shape: Callable[[R], T], address: str, query: list[tuple[str, str]], of_list: str
) -> List[T]:
    """The page as the API shows it; `next` repeats the filters of this request."""
    return List([shape(item) for item in page.items], _following(page.next, address, query, of_list))


def ready_listing(
    page: RenderedPage, members: Mapping[str, object], address: str, query: list[tuple[str, str]], of_list: str
) -> PreencodedJson[Any]:
    """The same of rows that are JSON already, with further members."""
    rest = msgspec.json.encode({"next": _following(page.next, address, query, of_list), **members})
    return PreencodedJson(b'{"items":[%b],%b' % (page.items, rest[1:]))


def _following(after: Place | None, address: str, query: list[tuple[str, str]], of_list: str) -> str | None:
    if after is None:
        return None
    kept = [(name, value) for name, value in query if name not in ("cursor", "after")]
    return f"{address}?{urlencode([*kept, ('cursor', encode_cursor(after, of_list))])}"
