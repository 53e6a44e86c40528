"""Submissions."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.paging import PageQuery
from formwright.api.v1_0.wire.basics import (
    Answers,
    ExternalId,
    Moment,
    Request,
    Resource,
    StoredAnswers,
    Timestamp,
    optional_ms,
    stored_ms,
)
from formwright.api.v1_0.wire.ids import (
    CustomerId,
    DatasourceId,
    FolderId,
    FormId,
    InviteId,
    SubmissionId,
    TaskId,
    UserId,
    VersionId,
)
from formwright.core.kernel.clock import rfc3339
from formwright.domain.submissions import model
from formwright.domain.submissions.changing import Change
from formwright.domain.submissions.model import Order, SubmissionStatus


class Location(msgspec.Struct, forbid_unknown_fields=True):
    """A place on earth (WGS 84, degrees); `accuracy` in metres."""

    latitude: Annotated[float, Meta(ge=-90, le=90)]
    longitude: Annotated[float, Meta(ge=-180, le=180)]
    accuracy: Annotated[float, Meta(ge=0)] | None = None


def _stored(where: Location) -> str:
    return msgspec.json.encode(where).decode()


class SubmissionCreate(Request):
    """A filled form that a system hands in."""

    data: Answers
    external_id: ExternalId | None = None
    submitted_at: Annotated[Moment | None, Meta(description="When it was filled; now, where it is not given.")] = None
    user_id: UserId | None = None
    location: Location | None = None

    def handed(self) -> model.Import:
        """What the domain takes in."""
        where = None if self.location is None else _stored(self.location)
        return model.Import(
            self.data, self.external_id, stored_ms(self.submitted_at, "submittedAt"), self.user_id, where
        )


class Judged(StrEnum):
    """What a submission that was sent can be."""

    SUBMITTED = "SUBMITTED"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"


class SubmissionChange(Request):
    """What is to change of a submission that was sent; what is left out stays as it is."""

    data: Annotated[Answers, Meta(description="All answers; those that are not among them go.")] | UnsetType = UNSET
    status: Judged | UnsetType = UNSET
    external_id: ExternalId | UnsetType | None = UNSET
    submitted_at: Moment | UnsetType = UNSET
    user_id: UserId | UnsetType | None = UNSET
    location: Location | UnsetType | None = UNSET
    note: (
        Annotated[
            str, Meta(max_length=2000, description="Why; who filled the form is shown it. Stays with the status.")
        ]
        | UnsetType
        | None
    ) = UNSET

    def change(self) -> Change:
        """What the domain does."""
        at = UNSET if self.submitted_at is UNSET else stored_ms(self.submitted_at, "submittedAt")
        return Change(
            data=self.data,
            status=UNSET if self.status is UNSET else SubmissionStatus(self.status),
            external_id=self.external_id,
            user_id=self.user_id,
            location=_stored(self.location) if isinstance(self.location, Location) else self.location,
            submitted=UNSET if at is None else at,
            note=self.note,
        )


class SubmissionQuery(PageQuery):
    """Which submissions are meant. Periods are half-open: from <= t < to."""

    form_id: Annotated[list[FormId], Meta(description="May be repeated.")] = []
    folder_id: Annotated[FolderId | None, Meta(description="Of the forms in this folder and below it.")] = None
    status: Annotated[list[SubmissionStatus], Meta(description="May be repeated.")] = []
    user_id: UserId | None = None
    task_id: TaskId | None = None
    invite_id: InviteId | None = None
    submitted_from: Moment | None = None
    submitted_to: Moment | None = None
    updated_from: Moment | None = None
    updated_to: Moment | None = None
    answers: Annotated[
        dict[str, list[str]],
        Meta(
            description="Conditions on answers: `answers.site=Harbour`, `answers.people[gte]=3`, all of which must be"
            " met. The words in brackets are `ne`, `in` (values with commas between them), `gt`, `gte`, `lt`, `lte` and"
            " `contains`; which of them an answer knows depends on the kind of its field."
        ),
    ] = {}
    order: Annotated[
        Order,
        Meta(
            description="`submitted` goes by the time of submission (of the start, until then); `updated` never passes"
            " over a change, so that a reader who goes on from its last cursor misses nothing."
        ),
    ] = Order.SUBMITTED

    def filter(self) -> model.Filter:
        """What the domain looks for."""
        return model.Filter(
            form_ids=self.form_id,
            statuses=self.status,
            user_id=self.user_id,
            task_id=self.task_id,
            invite_id=self.invite_id,
            submitted_from=optional_ms(self.submitted_from),
            submitted_to=optional_ms(self.submitted_to),
            updated_from=optional_ms(self.updated_from),
            updated_to=optional_ms(self.updated_to),
            order=self.order,
        )


class LookedUp(Resource):
    """A row that an answer names, as it was for the person who chose it."""

    pointer: Annotated[str, Meta(description="The answer.", examples=["/data/visits/0/client"])]
    datasource_id: DatasourceId
    version: Annotated[
        int | None, Meta(description="Of the datasource, at which this is the row. Null: the row was there no more.")
    ]
    key: str
    data: Annotated[
        dict[str, str | int | float | bool | None] | None,
        Meta(description="What the form shows and takes of the row, by column. Null also beyond 1 MiB of all rows."),
    ]


class Submission(Resource):
    """A filled form, with the answers to the version it was made with."""

    id: SubmissionId
    customer_id: CustomerId
    form_id: FormId
    version_id: VersionId
    status: SubmissionStatus
    external_id: str | None
    user_id: UserId | None
    task_id: TaskId | None
    invite_id: InviteId | None
    location: Location | None
    lookups: Annotated[list[LookedUp], Meta(description="The rows that its answers named when it was submitted.")]
    started_at: Timestamp
    submitted_at: Timestamp | None
    created: Timestamp
    updated: Timestamp
    revision: int
    note: Annotated[str | None, Meta(description="What was said with its status, like why it was rejected.")]
    updated_by: Annotated[
        str | None,
        Meta(description="The user or key that made this revision; null: who filled it in by a link, or the operator."),
    ]
    data: StoredAnswers


class SubmissionRevision(Resource):
    """What a submission was from one change to the next; the last one is what it is."""

    submission_id: SubmissionId
    revision: int
    version_id: VersionId
    status: SubmissionStatus
    data: StoredAnswers
    external_id: str | None
    user_id: UserId | None
    location: Location | None
    submitted_at: Timestamp | None
    note: str | None
    updated_by: Annotated[str | None, Meta(description="The user or key that made this revision.")]
    updated: Annotated[Timestamp, Meta(description="Since when it was so.")]


def revision(record: model.Revision) -> SubmissionRevision:
    """The record as the API shows it."""
    return SubmissionRevision(
        submission_id=record.submission_id,
        revision=record.revision,
        version_id=record.version_id,
        status=record.status,
        data=msgspec.Raw(record.data),
        external_id=record.external_id,
        user_id=record.user_id,
        location=_location(record.location),
        submitted_at=None if record.submitted is None else rfc3339(record.submitted),
        note=record.note,
        updated_by=record.updated_by,
        updated=rfc3339(record.updated),
    )


def _location(text: str | None) -> Location | None:
    return msgspec.json.decode(text, type=Location) if text else None
