"""What the shapes of all resources are made of."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, ClassVar, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.core.kernel.clock import EARLIEST, LATEST, milliseconds, rfc3339
from formwright.core.kernel.errors import Fault, Invalid

T = TypeVar("T")
Made = TypeVar("Made", covariant=True)

Timestamp = Annotated[
    str,
    Meta(
        description="RFC 3339, UTC, milliseconds.",
        examples=["2026-03-29T12:30:00.000Z"],
        extra_json_schema={"format": "date-time"},
    ),
]
Moment = Annotated[datetime, Meta(tz=True, description="RFC 3339 with an offset or `Z`.")]
ExternalId = Annotated[str, Meta(min_length=1, max_length=200, description="The caller's own id for it.")]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Answers = Annotated[
    dict[str, Any],
    Meta(description="Answers by field name.", examples=[{"site": "Harbour 4", "visitors": 12}]),
]
StoredAnswers = Annotated[
    msgspec.Raw,
    Meta(
        description="Answers by field name.",
        examples=[{"site": "Harbour 4", "visitors": 12}],
        extra_json_schema={"type": "object", "additionalProperties": True},
    ),
]


class Request(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """A body that is sent to us: unknown members are refused."""


class Resource(msgspec.Struct, rename="camel", kw_only=True):
    """A body that we send: members may be added, so readers ignore those they do not know.

    `drifting` members change by themselves: no If-Match fails for them.
    """

    drifting: ClassVar[tuple[str, ...]] = ()


def optional_time(ms: int | None) -> str | None:
    """A time that may not be there."""
    return None if ms is None else rfc3339(ms)


def stored_ms(moment: datetime | None, member: str) -> int | None:
    """A time that is to be kept; `Invalid` where no year of four digits in UTC can show it again."""
    ms = optional_ms(moment)
    if ms is not None and not EARLIEST <= ms <= LATEST:
        raise Invalid.at(f"/{member}", "value.format", "In UTC, this is not within the years 1 to 9999.")
    return ms


def optional_ms(moment: datetime | None) -> int | None:
    """A time that may not have been given."""
    return None if moment is None else milliseconds(moment)


class Making(Protocol[Made]):
    """A body of which the domain makes something."""

    def new(self) -> Made:
        """What it makes it from; `Invalid` with the faults."""


def all_new(bodies: Sequence[Making[Made]]) -> list[Made]:
    """What the domain makes all of them from; `Invalid` with every fault, its pointer with the place in the list."""
    made: list[Made] = []
    found: list[Fault] = []
    for index, body in enumerate(bodies):
        try:
            made.append(body.new())
        except Invalid as error:
            found += [replace(fault, pointer=f"/{index}{fault.pointer}") for fault in error.faults]
    if found:
        raise Invalid(found)
    return made


def given(value: T | UnsetType) -> T | None:
    """What was sent, or None where it was left out."""
    return None if value is UNSET else value
