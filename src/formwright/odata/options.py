"""The system query options of a request (OData 4.0, URL Conventions, section 5.1)."""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote

import msgspec

from formwright.asgi.request_errors import RequestError
from formwright.asgi.validation import QueryInvalid
from formwright.core.errors import ValidationFault
from formwright.core.pagination import Position

DEFAULT_PAGE, MAX_PAGE = 1000, 5000
_SUPPORTED = frozenset(
    ("$select", "$filter", "$orderby", "$top", "$skip", "$count", "$expand", "$skiptoken", "$deltatoken", "$format")
)
_PAGE_SIZE = re.compile(r"(?:odata\.)?maxpagesize\s*=\s*(\d{1,6})", re.IGNORECASE)
_TRACK_CHANGES = re.compile(r"(?:odata\.)?track-changes", re.IGNORECASE)


class NotSupported(RequestError):
    """A part of OData that the feed doesn't have."""

    status = 501
    code = "odata.not_supported"
    detail = "The feed doesn't support this part of OData."


class PageToken(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the next page begins, and what remains of `$skip` and `$top` there.

    `after` is the position of the last record, or None with `$orderby`, where `skip` counts all rows before the page.
    `sequence` is the number of the newest event when the first page was read, if the client tracks changes.
    """

    after: tuple[int, str] | None = None
    skip: int = 0
    top: int | None = None
    sequence: int | None = None

    @property
    def position(self) -> Position | None:
        """The position after which the page begins."""
        return Position(*self.after) if self.after else None


@dataclass(frozen=True, slots=True)
class QueryOptions:
    """The options of a request. `parameters` are all of them as received, for links to further pages."""

    parameters: Mapping[str, str]
    select: Sequence[str] | None
    filter: str | None
    order: Sequence[tuple[str, bool]]
    """The names of the columns to sort by, each with True for descending."""
    expand: Sequence[str]
    count: bool
    start: PageToken
    page_size: int
    is_first_page: bool
    delta_after: int | None
    """The number of the event after which changes are wanted; None if all rows are."""
    tracks_changes: bool

    def link(self, url: str, **changed: str | None) -> str:
        """Return the URL of the same query with some options replaced; None removes one. `_` stands for `$`."""
        options = {name.replace("_", "$", 1): value for name, value in changed.items()}
        merged = {**self.parameters, **options}
        query = "&".join(f"{quote(name, safe='$')}={quote(text)}" for name, text in merged.items() if text is not None)
        return f"{url}?{query}" if query else url


def parse_options(query: bytes, prefer: str) -> QueryOptions:
    """Return the options; raises `QueryInvalid` or `NotSupported`. Options without `$` are ignored, as OData has it."""
    parameters: dict[str, str] = {}
    for name, text in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name in parameters:
            raise option_error(name, "This option may be given only once.")
        parameters[name] = text
    for name in parameters:
        if name.startswith("$") and name not in _SUPPORTED:
            raise NotSupported(f"The feed doesn't support {name[:50]}.")
    token = _decode_token(parameters["$skiptoken"]) if "$skiptoken" in parameters else None
    top = _number(parameters, "$top")
    size = _PAGE_SIZE.search(prefer)
    return QueryOptions(
        parameters,
        _names(parameters, "$select"),
        parameters.get("$filter"),
        [_parse_order(part) for part in _split(parameters.get("$orderby", ""))],
        _names(parameters, "$expand") or (),
        _flag(parameters, "$count"),
        token or PageToken(skip=_number(parameters, "$skip") or 0, top=top),
        min(MAX_PAGE, max(1, int(size[1]))) if size else DEFAULT_PAGE,
        token is None,
        _parse_delta(parameters["$deltatoken"]) if "$deltatoken" in parameters else None,
        _TRACK_CHANGES.search(prefer) is not None,
    )


def option_error(name: str, detail: str) -> QueryInvalid:
    """Return the error for an invalid option."""
    return QueryInvalid([ValidationFault(f"?{name[:50]}", "odata.option", detail)])


def encode_token(token: PageToken) -> str:
    """Return the text of `$skiptoken`."""
    return base64.urlsafe_b64encode(msgspec.json.encode(token)).rstrip(b"=").decode()


def _decode_token(text: str) -> PageToken:
    try:
        return msgspec.json.decode(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), type=PageToken)
    except (ValueError, msgspec.DecodeError):
        raise option_error("$skiptoken", "Use the link to the next page as it is.") from None


def _parse_delta(text: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text, re.ASCII):
        raise option_error("$deltatoken", "Use the delta link as it is.")
    return int(text)


def _number(parameters: Mapping[str, str], name: str) -> int | None:
    text = parameters.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
        raise option_error(name, "Enter a number of rows, such as 100.")
    return int(text)


def _flag(parameters: Mapping[str, str], name: str) -> bool:
    text = parameters.get(name, "false").lower()
    if text not in ("true", "false"):
        raise option_error(name, "Enter true or false.")
    return text == "true"


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _names(parameters: Mapping[str, str], name: str) -> list[str] | None:
    if name not in parameters:
        return None
    names = list(dict.fromkeys(_split(parameters[name])))
    if any("(" in one or "/" in one for one in names):
        raise NotSupported(f"{name} takes names only, without options or paths.")
    return None if "*" in names and name == "$select" else names


def _parse_order(part: str) -> tuple[str, bool]:
    name, *direction = part.split()
    if direction not in ([], ["asc"], ["desc"]):
        raise option_error("$orderby", "Enter names of columns, each with `asc` or `desc`, such as `_updated desc`.")
    return name, direction == ["desc"]


def check_names(names: Sequence[str], known: Mapping[str, Any], option: str) -> None:
    """Raise `QueryInvalid` for the first name that is unknown."""
    for name in names:
        if name not in known:
            raise option_error(option, f"This table has no {name[:100]!r}.")
