"""What the shapes of all resources are made of.

The ids of version 1.0: the prefix says what is named.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, ClassVar, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.core.clock import EARLIEST, LATEST, milliseconds, rfc3339
from formwright.core.errors import Invalid, ValidationFault

T = TypeVar("T")
Record = TypeVar("Record", covariant=True)

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


def storable_ms(moment: datetime | None, member: str) -> int | None:
    """A time that is to be kept; `Invalid` where no year of four digits in UTC can show it again."""
    ms = optional_ms(moment)
    if ms is not None and not EARLIEST <= ms <= LATEST:
        raise Invalid.at(f"/{member}", "value.format", "In UTC, this is not within the years 1 to 9999.")
    return ms


def optional_ms(moment: datetime | None) -> int | None:
    """A time that may not have been given."""
    return None if moment is None else milliseconds(moment)


class CreateBody(Protocol[Record]):
    """A body of which the domain makes something."""

    def to_domain(self) -> Record:
        """What it makes it from; `Invalid` with the faults."""


def convert_all(bodies: Sequence[CreateBody[Record]]) -> list[Record]:
    """What the domain makes all of them from; `Invalid` with every fault, its pointer with the place in the list."""
    made: list[Record] = []
    found: list[ValidationFault] = []
    for index, body in enumerate(bodies):
        try:
            made.append(body.to_domain())
        except Invalid as error:
            found += [replace(fault, pointer=f"/{index}{fault.pointer}") for fault in error.faults]
    if found:
        raise Invalid(found)
    return made


def value_or_none(value: T | UnsetType) -> T | None:
    """What was sent, or None where it was left out."""
    return None if value is UNSET else value


def _meta(prefix: str, what: str) -> Meta:
    return Meta(
        pattern=rf"^{prefix}_[0-7][0-9a-hjkmnp-tv-z]{{25}}$",
        description=f"The id of {what}.",
        examples=[f"{prefix}_01h455vb4pex5vsknk084sn02q"],
    )


CustomerId = Annotated[str, _meta("cus", "the account that owns the data")]
UserId = Annotated[str, _meta("usr", "a user")]
GroupId = Annotated[str, _meta("grp", "a group")]
RoleId = Annotated[str, _meta("rol", "a role")]
FormId = Annotated[str, _meta("frm", "a form")]
VersionId = Annotated[str, _meta("ver", "a version of a form")]
TemplateId = Annotated[str, _meta("tpl", "a template")]
FolderId = Annotated[str, _meta("fol", "a folder")]
SubmissionId = Annotated[str, _meta("sub", "a submission")]
FileId = Annotated[str, _meta("fil", "a file")]
DatasourceId = Annotated[str, _meta("dat", "a datasource")]
ImportId = Annotated[str, _meta("imp", "an import")]
TaskId = Annotated[str, _meta("tsk", "a task")]
InviteId = Annotated[str, _meta("ivt", "an invite")]
SubscriberId = Annotated[str, _meta("hook", "a subscriber")]
InvocationId = Annotated[str, _meta("inv", "an invocation")]
AuditId = Annotated[str, _meta("aud", "a line of the audit log")]
EventId = Annotated[str, _meta("evt", "an event")]

PATH_ID_TYPES = {
    "customerId": CustomerId,
    "userId": UserId,
    "groupId": GroupId,
    "roleId": RoleId,
    "formId": FormId,
    "versionId": VersionId,
    "templateId": TemplateId,
    "folderId": FolderId,
    "submissionId": SubmissionId,
    "datasourceId": DatasourceId,
    "taskId": TaskId,
    "inviteId": InviteId,
    "subscriberId": SubscriberId,
    "invocationId": InvocationId,
    "eventId": EventId,
}
"""The type of each id in a path, by the name it has there."""
