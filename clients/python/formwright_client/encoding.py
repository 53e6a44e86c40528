"""How values are written into requests: paths, queries and bodies."""

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Literal, Self, TypeAlias
from urllib.parse import quote

Timestamp: TypeAlias = datetime | str
"""A `datetime` with a time zone, or a string in RFC 3339 format such as `2026-03-29T14:30:00+02:00`."""

ACCOUNT = "{customerId}"
"""Stands for the account's id in a path until the id is known."""


class Unset(enum.Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final[Literal[Unset.UNSET]] = Unset.UNSET
"""The default of optional properties: the request does not contain the property. `None` is sent as null instead."""


@dataclass(frozen=True)
class Upload:
    """A file to send: rows as CSV or a workbook, an XLSForm, or a file that answers a field.

    Attributes:
        content: The bytes of the file.
        media_type: Its media type, such as `text/csv; charset=windows-1252` or `image/jpeg`. Default: the server
            detects it.
    """

    content: bytes
    media_type: str = "application/octet-stream"

    @classmethod
    def csv(cls, content: bytes) -> Self:
        """Return a CSV file whose encoding the server detects."""
        return cls(content, "text/csv")

    @classmethod
    def xlsx(cls, content: bytes) -> Self:
        """Return an .xlsx workbook."""
        return cls(content, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")

    @classmethod
    def xls(cls, content: bytes) -> Self:
        """Return an .xls workbook."""
        return cls(content, "application/vnd.ms-excel")


Body: TypeAlias = Mapping[str, Any] | Sequence[Any] | Upload | None
QueryPairs: TypeAlias = Sequence[tuple[str, str]]


def encode_segment(id_: str) -> str:
    """Return an id as one segment of a path.

    Raises:
        ValueError: The id would address another resource: it is empty, `.` or `..`.
    """
    if id_ in ("", ".", ".."):
        raise ValueError(f"{id_!r} is not an id.")
    return quote(id_, safe="")


def encode_query(query: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the parameters as pairs. Lists are repeated, None is omitted, and each condition becomes a parameter."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if isinstance(value, Mapping):
            pairs += [(f"{name}.{field}", _encode_condition(operand)) for field, operand in value.items()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            pairs += [(name, _encode_value(item)) for item in value]
        elif value is not None:
            pairs.append((name, _encode_value(value)))
    return pairs


def encode_body(body: Body) -> tuple[bytes | None, str]:
    """Return the body and its media type. Properties that are `UNSET` are omitted."""
    if body is None:
        return None, ""
    if isinstance(body, Upload):
        return body.content, body.media_type
    if isinstance(body, Mapping):
        body = {name: value for name, value in body.items() if value is not UNSET}
    return json.dumps(body, default=_encode_object).encode(), "application/json"


def _encode_condition(operand: object) -> str:
    """Return what answers are compared with. A comma separates several values, and is escaped within one."""
    if isinstance(operand, (list, tuple)):
        return ",".join(_encode_value(value).replace(",", "\\,") for value in operand)
    return _encode_value(operand)


def _encode_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, date) else str(value)


def _encode_object(value: object) -> object:
    """Return what JSON has no notation for: times and dates as strings, and any sequence or mapping as its like."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON.")
