"""Base classes, common types and ids of the schemas of version 1.0."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ClassVar, Protocol, Self, TypeVar, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.core.clock import EARLIEST, LATEST, rfc3339, to_milliseconds
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.tables import numbers

T = TypeVar("T")
Record = TypeVar("Record", covariant=True)

_TIMESTAMP = Meta(
    description="A time in RFC 3339 format, in UTC with milliseconds.",
    examples=["2026-03-29T12:30:00.000Z"],
    extra_json_schema={"format": "date-time"},
)
Timestamp = Annotated[str, _TIMESTAMP]
Created = Annotated[Timestamp, Meta(description="When the resource was created.")]
Updated = Annotated[Timestamp, Meta(description="When the resource last changed.")]
Moment = Annotated[datetime, Meta(tz=True, description="A time in RFC 3339 format, with an offset or `Z`.")]
ExternalId = Annotated[str, Meta(min_length=1, max_length=200, description="Your own id for the resource.")]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Revision = Annotated[int, Meta(description="Starts at 1 and increases by 1 with each change.")]
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


class Schema(msgspec.Struct, rename="camel", kw_only=True):
    """Base class of the bodies of requests and responses."""

    @classmethod
    def of(cls, record: object, **others: Any) -> Self:
        """Return what the record has under the names of the properties, except `others`, which are given.

        Times of the record, in milliseconds, become timestamps.
        """
        values = {name: getattr(record, name) for name in cls.__struct_fields__ if name not in others}
        for name in _timestamps(cls):
            if isinstance(value := values.get(name), int):
                values[name] = rfc3339(value)
        return cls(**values, **others)


@cache
def _timestamps(schema: type[Schema]) -> frozenset[str]:
    """Return the names of the properties that are timestamps."""
    return frozenset(one.name for one in msgspec.structs.fields(schema) if _is_timestamp(one.type))


def _is_timestamp(hint: Any) -> bool:
    return hint is _TIMESTAMP or any(map(_is_timestamp, get_args(hint)))


class RequestBody(Schema, forbid_unknown_fields=True):
    """Base class of request bodies. Unknown properties are rejected."""


class Resource(Schema):
    """Base class of response bodies. Properties may be added, so clients must ignore those they do not know.

    `drifting` names properties that change without a request, such as the health of a subscriber. They are part of the
    ETag, but If-Match ignores them: otherwise clients could not update a resource whose state changes all the time.
    """

    drifting: ClassVar[tuple[str, ...]] = ()


def optional_time(ms: int | None) -> str | None:
    return None if ms is None else rfc3339(ms)


def storable_ms(moment: datetime | None, member: str) -> int | None:
    """Return a time as milliseconds since 1970. Raises `Invalid` if its year in UTC does not have four digits."""
    ms = optional_ms(moment)
    if ms is not None and not EARLIEST <= ms <= LATEST:
        raise Invalid.at(f"/{member}", "value.format", "In UTC, this time is not within the years 1 to 9999.")
    return ms


def latest_of(*moments: datetime | None) -> int | None:
    """Return the latest of these times in milliseconds, or None if none was given."""
    return max((to_milliseconds(moment) for moment in moments if moment is not None), default=None)


def earliest_of(*moments: datetime | None) -> int | None:
    """Return the earliest of these times in milliseconds, or None if none was given."""
    return min((to_milliseconds(moment) for moment in moments if moment is not None), default=None)


def optional_ms(moment: datetime | None) -> int | None:
    return None if moment is None else to_milliseconds(moment)


class CreateBody(Protocol[Record]):
    """A request body from which the domain creates a record."""

    def to_domain(self) -> Record:
        """Return what the domain creates the record from. Raises `Invalid`."""


def convert_all(bodies: Sequence[CreateBody[Record]]) -> list[Record]:
    """Convert all bodies, in order. Raises `Invalid` with all errors, whose pointers begin with the body's index."""
    records: list[Record] = []
    errors: list[ValidationFault] = []
    for index, body in enumerate(bodies):
        try:
            records.append(body.to_domain())
        except Invalid as error:
            errors += [replace(fault, pointer=f"/{index}{fault.pointer}") for fault in error.faults]
    if errors:
        raise Invalid(errors)
    return records


def require(body: RequestBody, *names: str) -> None:
    """Raise `Invalid` if one of these optional properties was omitted."""
    names_in_json = dict(zip(body.__struct_fields__, body.__struct_encode_fields__, strict=True))
    missing = [names_in_json[name] for name in names if getattr(body, name) is UNSET]
    if missing:
        raise Invalid([ValidationFault(f"/{name}", "value.required", "This is required.") for name in missing])


def value_or_none(value: T | UnsetType) -> T | None:
    """Return the value of an optional property, or None if it was omitted."""
    return None if value is UNSET else value


def _id_meta(prefix: str, resource: str) -> Meta:
    return Meta(
        pattern=rf"^{prefix}_[0-7][0-9a-hjkmnp-tv-z]{{25}}$",
        description=f"The id of {resource}.",
        examples=[f"{prefix}_01h455vb4pex5vsknk084sn02q"],
    )


CustomerId = Annotated[str, _id_meta("cus", "the account")]
UserId = Annotated[str, _id_meta("usr", "a user")]
GroupId = Annotated[str, _id_meta("grp", "a group")]
RoleId = Annotated[str, _id_meta("rol", "a role")]
FormId = Annotated[str, _id_meta("frm", "a form")]
VersionId = Annotated[str, _id_meta("ver", "a form version")]
TemplateId = Annotated[str, _id_meta("tpl", "a form template")]
BlockId = Annotated[str, _id_meta("blk", "a question block")]
FolderId = Annotated[str, _id_meta("fol", "a folder")]
SubmissionId = Annotated[str, _id_meta("sub", "a submission")]
CommentId = Annotated[str, _id_meta("cmt", "a comment on a submission")]
FileId = Annotated[str, _id_meta("fil", "a file")]
DatasourceId = Annotated[str, _id_meta("dat", "a data source")]
ImportId = Annotated[str, _id_meta("imp", "an import")]
TaskId = Annotated[str, _id_meta("tsk", "a task")]
InviteId = Annotated[str, _id_meta("ivt", "an invite")]
SubscriberId = Annotated[str, _id_meta("hook", "a subscriber")]
InvocationId = Annotated[str, _id_meta("inv", "a delivery")]
ViewId = Annotated[str, _id_meta("view", "a saved view")]
ExportId = Annotated[str, _id_meta("exp", "an export")]
RunId = Annotated[str, _id_meta("run", "a run of an export")]
AuditId = Annotated[str, _id_meta("aud", "an audit entry")]
EventId = Annotated[str, _id_meta("evt", "an event")]
KeyId = Annotated[str, _id_meta("key", "an API key")]

PATH_ID_TYPES = {
    "customerId": CustomerId,
    "userId": UserId,
    "groupId": GroupId,
    "roleId": RoleId,
    "formId": FormId,
    "versionId": VersionId,
    "templateId": TemplateId,
    "blockId": BlockId,
    "folderId": FolderId,
    "submissionId": SubmissionId,
    "commentId": CommentId,
    "fileId": FileId,
    "mediaId": FileId,
    "importId": ImportId,
    "datasourceId": DatasourceId,
    "taskId": TaskId,
    "inviteId": InviteId,
    "viewId": ViewId,
    "exportId": ExportId,
    "runId": RunId,
    "subscriberId": SubscriberId,
    "invocationId": InvocationId,
    "eventId": EventId,
}
"""The types of the ids in paths, by the name of the path parameter."""


class DecimalMark(StrEnum):
    """The decimal mark of numbers."""

    POINT = "point"
    COMMA = "comma"

    @property
    def character(self) -> numbers.DecimalMark:
        """The mark itself."""
        return "," if self is DecimalMark.COMMA else "."
