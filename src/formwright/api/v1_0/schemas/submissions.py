"""Files in version 1.0.

Shapes with which two sides compare what they hold.

Submissions.
"""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import (
    Answers,
    CustomerId,
    DatasourceId,
    ExternalId,
    FileId,
    FolderId,
    FormId,
    InviteId,
    Moment,
    Request,
    Resource,
    StoredAnswers,
    SubmissionId,
    TaskId,
    Timestamp,
    UserId,
    VersionId,
    optional_ms,
    storable_ms,
)
from formwright.core.clock import rfc3339
from formwright.domain.files import models as file_models
from formwright.domain.submissions import models
from formwright.domain.submissions import reconciliation as model
from formwright.domain.submissions.models import SortOrder, SubmissionStatus
from formwright.domain.submissions.review import SubmissionEdit


class SubmissionFile(Resource):
    """A photo, a signature or another file that answers a field."""

    id: FileId
    form_id: FormId
    submission_id: SubmissionId
    field: Annotated[str, Meta(description="The name of the field that it answers.")]
    name: Annotated[str, Meta(description="As the person's device called it; with an ending that its type has.")]
    type: Annotated[str, Meta(description="Its media type, found true of its content.", examples=["image/jpeg"])]
    size: Annotated[int, Meta(description="In bytes.")]
    sha256: Annotated[str, Meta(description="SHA-256 of its content, in hex.")]
    url: Annotated[str, Meta(description="Downloads it, without a key, until `urlExpiresAt`; answers ranges.")]
    url_expires_at: Timestamp
    created: Timestamp


def file(record: file_models.File, url: str, expires: str) -> SubmissionFile:
    """The record of an attached file as the API shows it, with a link that ends at `expires` (seconds since 1970)."""
    return SubmissionFile(
        id=record.id,
        form_id=record.form_id,
        submission_id=record.submission_id or "",
        field=record.field,
        name=record.name,
        type=record.type,
        size=record.size,
        sha256=record.hash,
        url=url,
        url_expires_at=rfc3339(int(expires) * 1000),
        created=rfc3339(record.created),
    )


_FORMS = Meta(max_length=500, description="Only submissions of these forms. None: all.")
_FROM = Meta(description="Submitted then or later; begun, while it is not submitted.")
_TO = Meta(description="Submitted before then.")


class ClientSubmissionState(Request):
    """A submission as the other side holds it."""

    id: SubmissionId
    revision: Annotated[int, Meta(ge=1, le=2**53)]


class ReconciliationRequest(Request):
    """What the other side holds of a part of the submissions."""

    submissions: Annotated[list[ClientSubmissionState], Meta(max_length=model.MAX_PAIRS)]
    form_ids: Annotated[list[FormId], _FORMS] = []
    submitted_from: Annotated[Moment, _FROM] | None = None
    submitted_to: Annotated[Moment, _TO] | None = None

    def to_scope(self) -> model.SubmissionRange:
        """Which submissions are compared."""
        return model.SubmissionRange(self.form_ids, optional_ms(self.submitted_from), optional_ms(self.submitted_to))

    def revisions_by_id(self) -> dict[str, int]:
        """The revisions by id."""
        return {one.id: one.revision for one in self.submissions}


class SubmissionState(Resource):
    """A submission as it is here."""

    id: SubmissionId
    revision: int


class ReconciliationDifference(Resource):
    """What differs. Nothing in all three: both sides hold the same."""

    missing: Annotated[list[SubmissionState], Meta(description="Here, in that part, and not on the other side.")]
    stale: Annotated[list[SubmissionState], Meta(description="On both sides, here in another revision.")]
    deleted: Annotated[list[SubmissionId], Meta(description="Not here any more.")]


class ReconciliationDayQuery(PageQuery):
    """Which days are meant."""

    form_id: Annotated[list[FormId], Meta(description="May be repeated.")] = []
    submitted_from: Annotated[Moment, _FROM] | None = None
    submitted_to: Annotated[Moment, _TO] | None = None

    def to_scope(self) -> model.SubmissionRange:
        """Which submissions are counted: those behind the page before this one."""
        window = self.window()
        since, begins = optional_ms(self.submitted_from), window.after.number if window.after else None
        known = [moment for moment in (since, begins) if moment is not None]
        return model.SubmissionRange(self.form_id, max(known, default=None), optional_ms(self.submitted_to))


class ReconciliationDay(Resource):
    """What a form has of a day."""

    form_id: FormId
    day: Annotated[
        str,
        Meta(
            description="The UTC day on which they were submitted, or begun.",
            examples=["2026-03-29"],
            extra_json_schema={"format": "date"},
        ),
    ]
    count: int
    checksum: Annotated[
        str,
        Meta(description="SHA-256 (hexadecimal) of `id:revision` and a line feed for each, in the order of the ids."),
    ]


def difference(record: model.Difference) -> ReconciliationDifference:
    """The record as the API shows it."""
    return ReconciliationDifference(
        missing=[SubmissionState(id=one, revision=revision) for one, revision in record.missing.items()],
        stale=[SubmissionState(id=one, revision=revision) for one, revision in record.stale.items()],
        deleted=list(record.deleted),
    )


def day(record: model.DayChecksum) -> ReconciliationDay:
    """The record as the API shows it."""
    return ReconciliationDay(
        form_id=record.form_id, day=rfc3339(record.start)[:10], count=record.count, checksum=record.checksum
    )


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

    def to_import(self) -> models.SubmissionImport:
        """What the domain takes in."""
        where = None if self.location is None else _stored(self.location)
        return models.SubmissionImport(
            self.data, self.external_id, storable_ms(self.submitted_at, "submittedAt"), self.user_id, where
        )


class SubmissionReviewStatus(StrEnum):
    """What a submission that was sent can be."""

    SUBMITTED = "SUBMITTED"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"


class SubmissionUpdate(Request):
    """What is to change of a submission that was sent; what is left out stays as it is."""

    data: Annotated[Answers, Meta(description="All answers; those that are not among them go.")] | UnsetType = UNSET
    status: SubmissionReviewStatus | UnsetType = UNSET
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

    def change(self) -> SubmissionEdit:
        """What the domain does."""
        at = UNSET if self.submitted_at is UNSET else storable_ms(self.submitted_at, "submittedAt")
        return SubmissionEdit(
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
        SortOrder,
        Meta(
            description="`submitted` goes by the time of submission (of the start, until then); `updated` never passes"
            " over a change, so that a reader who goes on from its last cursor misses nothing."
        ),
    ] = SortOrder.SUBMITTED

    def to_filter(self) -> models.SubmissionFilter:
        """What the domain looks for."""
        return models.SubmissionFilter(
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


class LookupSnapshot(Resource):
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
    lookups: Annotated[list[LookupSnapshot], Meta(description="The rows that its answers named when it was submitted.")]
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


def revision(record: models.Revision) -> SubmissionRevision:
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
