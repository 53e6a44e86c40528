"""Schemas of submissions and their revisions."""

from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.pagination import Cursor, Limit, List, requested_window
from formwright.api.v1_0.schemas.base import (
    Answers,
    Created,
    CustomerId,
    DatasourceId,
    ExternalId,
    FolderId,
    FormId,
    InviteId,
    Moment,
    RequestBody,
    Resource,
    Revision,
    StoredAnswers,
    SubmissionId,
    TaskId,
    Timestamp,
    Updated,
    UserId,
    VersionId,
    ViewId,
    optional_ms,
    optional_time,
    storable_ms,
)
from formwright.api.v1_0.schemas.submission_references import Expansion, FormReference, TaskReference, UserReference
from formwright.core.pagination import DEFAULT_LIMIT, Window
from formwright.domain.forms.rules.device_time import PATTERN as DEVICE_TIME
from formwright.domain.submissions import answer_order, models
from formwright.domain.submissions.models import SortOrder, SubmissionStatus
from formwright.domain.submissions.review import SubmissionEdit

MAX_COUNT = 10_000
"""The highest number of submissions that is counted."""


class GeoLocation(msgspec.Struct, forbid_unknown_fields=True):
    """A position on Earth (WGS 84)."""

    latitude: Annotated[float, Meta(ge=-90, le=90, description="The latitude in degrees.")]
    longitude: Annotated[float, Meta(ge=-180, le=180, description="The longitude in degrees.")]
    accuracy: Annotated[float, Meta(ge=0, description="The accuracy in metres.")] | None = None


def _to_json(location: GeoLocation) -> str:
    return msgspec.json.encode(location).decode()


class SubmissionCreate(RequestBody):
    """A new submission."""

    data: Answers
    external_id: Annotated[
        ExternalId | None, Meta(description="Your own id. Must be unique among the submissions of the form.")
    ] = None
    submitted_at: Annotated[Moment | None, Meta(description="When the form was filled in. Default: now.")] = None
    user_id: Annotated[UserId | None, Meta(description="The user who filled in the form.")] = None
    location: Annotated[GeoLocation | None, Meta(description="Where the form was filled in.")] = None
    device_time: (
        Annotated[
            str,
            Meta(
                pattern=DEVICE_TIME,
                description="What `today()` and `now()` show in the rules of the form. Default: `submittedAt` in the"
                " time zone of the account.",
                examples=["2026-03-29T14:30:00+02:00"],
            ),
        ]
        | None
    ) = None

    def to_import(self) -> models.SubmissionImport:
        location = None if self.location is None else _to_json(self.location)
        submitted_at = None if self.submitted_at is None else storable_ms(self.submitted_at, "submittedAt")
        return models.SubmissionImport(
            self.data, self.external_id, submitted_at, self.user_id, location, device_time=self.device_time
        )


class SubmissionReviewStatus(StrEnum):
    """The statuses that a reviewer can set."""

    SUBMITTED = "SUBMITTED"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"


class SubmissionUpdate(RequestBody):
    """The properties of a submission to change. Those you omit stay unchanged."""

    data: (
        Annotated[Answers, Meta(description="All answers by field name. Answers that are missing here are removed.")]
        | UnsetType
    ) = UNSET
    status: SubmissionReviewStatus | UnsetType = UNSET
    external_id: Annotated[ExternalId | UnsetType | None, Meta(description="Your own id; null removes it.")] = UNSET
    submitted_at: Annotated[Moment | UnsetType, Meta(description="When the form was filled in.")] = UNSET
    user_id: Annotated[
        UserId | UnsetType | None, Meta(description="The user who filled in the form; null removes it.")
    ] = UNSET
    location: Annotated[
        GeoLocation | UnsetType | None, Meta(description="Where the form was filled in; null removes it.")
    ] = UNSET
    note: (
        Annotated[
            str,
            Meta(
                max_length=2000,
                description="The reason for the status. It is shown to the person who filled in the form, and removed"
                " when the status changes.",
            ),
        ]
        | UnsetType
        | None
    ) = UNSET

    def change(self) -> SubmissionEdit:
        at = UNSET if self.submitted_at is UNSET else storable_ms(self.submitted_at, "submittedAt")
        return SubmissionEdit(
            data=self.data,
            status=UNSET if self.status is UNSET else SubmissionStatus(self.status),
            external_id=self.external_id,
            user_id=self.user_id,
            location=_to_json(self.location) if isinstance(self.location, GeoLocation) else self.location,
            submitted=UNSET if at is None else at,
            note=self.note,
        )


class SubmissionFilters(msgspec.Struct, rename="camel", kw_only=True):
    """Filters of the submissions of a form. Periods are half-open: from <= t < to."""

    folder_id: Annotated[
        FolderId | None, Meta(description="Only submissions of the forms in this folder and in the folders below it.")
    ] = None
    status: Annotated[
        list[SubmissionStatus], Meta(description="Only submissions with this status. May be repeated.")
    ] = []
    user_id: Annotated[UserId | None, Meta(description="Only submissions by this user.")] = None
    task_id: Annotated[TaskId | None, Meta(description="Only submissions for this task.")] = None
    invite_id: Annotated[InviteId | None, Meta(description="Only the submission for this invite.")] = None
    external_id: Annotated[
        list[ExternalId],
        Meta(max_length=100, description="Only submissions with this id of yours. May be repeated, up to 100 times."),
    ] = []
    submitted_from: Annotated[Moment | None, Meta(description="Only submissions submitted at or after this time.")] = (
        None
    )
    submitted_to: Annotated[Moment | None, Meta(description="Only submissions submitted before this time.")] = None
    created_from: Annotated[
        Moment | None,
        Meta(
            description="Only submissions that this server received at or after this time. `submittedFrom` compares the"
            " time on the device, which is earlier for what was filled in offline, or imported."
        ),
    ] = None
    created_to: Annotated[
        Moment | None, Meta(description="Only submissions that this server received before this time.")
    ] = None
    updated_from: Annotated[Moment | None, Meta(description="Only submissions last changed at or after this time.")] = (
        None
    )
    updated_to: Annotated[Moment | None, Meta(description="Only submissions last changed before this time.")] = None
    answers: Annotated[
        dict[str, list[str]],
        Meta(
            description="Conditions on answers, such as `answers.site=Harbour` and `answers.people[gte]=3`. All must be"
            " met; at most 20. The operators are `ne`, `in` (comma-separated values), `gt`, `gte`, `lt`, `lte` and"
            " `contains`; which of them are allowed depends on the type of the field."
        ),
    ] = {}
    q: Annotated[
        str,
        Meta(
            max_length=200,
            description="Only submissions whose text contains all of these words, or longer words with them, in any"
            " order, without regard to case and accents. The text consists of the answers, with the labels of choices,"
            " the rows of lookups and the names of files, and of `externalId`. One word must have three letters or more"
            " (two in scripts without spaces).",
        ),
    ] = ""
    view: Annotated[
        ViewId | None,
        Meta(
            description="The saved view whose filter, order and columns to use. Filters beside it narrow the list, or"
            " replace the same filter of the view."
        ),
    ] = None

    def to_filter(self) -> models.SubmissionFilter:
        return models.SubmissionFilter(
            statuses=self.status,
            user_id=self.user_id,
            task_id=self.task_id,
            invite_id=self.invite_id,
            external_ids=self.external_id,
            submitted_from=optional_ms(self.submitted_from),
            submitted_to=optional_ms(self.submitted_to),
            created_from=optional_ms(self.created_from),
            created_to=optional_ms(self.created_to),
            updated_from=optional_ms(self.updated_from),
            updated_to=optional_ms(self.updated_to),
        )


class SubmissionListQuery(SubmissionFilters):
    """Filters of the list of submissions. Periods are half-open: from <= t < to."""

    form_id: Annotated[list[FormId], Meta(description="Only submissions of this form. May be repeated.")] = []
    order: Annotated[
        SortOrder,
        Meta(
            description="`submitted` orders by the time of submission (or of the start, if not submitted), `updated` by"
            " the last change; a leading `-` reverses the order. With `updated`, a reader that continues from its last"
            " cursor misses no change."
        ),
    ] = SortOrder.SUBMITTED
    fields: Annotated[
        list[Annotated[str, Meta(pattern=r"^([A-Za-z]\w{0,63})?$")]],
        Meta(
            max_length=100,
            description="Only the answers of this field in `data`, and its rows in `lookups`. May be repeated, up to"
            " 100 times; empty: no answers. Names that a form does not have are ignored. Replaces the columns of"
            " `view`.",
        ),
    ] = []
    limit: Limit = DEFAULT_LIMIT
    cursor: Cursor | None = None

    def to_filter(self) -> models.SubmissionFilter:
        return replace(super().to_filter(), form_ids=self.form_id, order=self.order)

    def window(self) -> Window:
        """Return the requested part of the list. Raises `QueryInvalid` for a cursor that did not come from `next`."""
        return requested_window(self.limit, self.cursor)


class SubmissionQuery(SubmissionListQuery):
    """Filters of the list of submissions, and what the list contains. Periods are half-open: from <= t < to."""

    sort: (
        Annotated[
            str,
            Meta(
                pattern=answer_order.PATTERN,
                description="Orders the list by the answers to an indexed field: `answers.NAME`, or `-answers.NAME`"
                " for the reverse order. Only with one form, and for fields with one answer per submission. Texts are"
                " ordered by code point, and choices by value; submissions without an answer come last.",
                examples=["-answers.people"],
            ),
        ]
        | None
    ) = None
    expand: Annotated[
        list[Expansion],
        Meta(
            description="Adds `form`, `user` or `task`: the names of what the ids of a submission refer to. May be"
            " repeated. Requires the permission to read it."
        ),
    ] = []
    count: Annotated[
        bool,
        Meta(
            description="Whether to count the submissions that match the filters, exactly up to 10,000. `next` leaves"
            " this parameter out, so only the first page is counted."
        ),
    ] = False


class LookupSnapshot(Resource):
    """A row that the answer of a lookup refers to, in its state when it was chosen."""

    pointer: Annotated[str, Meta(description="A JSON Pointer to the answer.", examples=["/data/visits/0/client"])]
    datasource_id: DatasourceId
    version: Annotated[
        int | None,
        Meta(description="The version of the data source with this state of the row. Null: the row no longer existed."),
    ]
    key: Annotated[str, Meta(description="The key of the row.")]
    data: Annotated[
        dict[str, str | int | float | bool | None] | None,
        Meta(
            description="The cells that the form displays or copies, by column. Null if the row no longer existed, or"
            " if the rows of the submission exceed 1 MiB."
        ),
    ]


class Submission(Resource):
    """A filled-in form: the answers to one version of a form, and who gave them when."""

    id: SubmissionId
    customer_id: CustomerId
    form_id: FormId
    version_id: Annotated[VersionId, Meta(description="The version of the form that was filled in.")]
    status: SubmissionStatus
    external_id: Annotated[str | None, Meta(description="Your own id for the submission.")]
    user_id: Annotated[UserId | None, Meta(description="The user who filled in the form.")]
    task_id: Annotated[TaskId | None, Meta(description="The task for which the form was filled in.")]
    invite_id: Annotated[InviteId | None, Meta(description="The invite through which the form was filled in.")]
    location: Annotated[GeoLocation | None, Meta(description="Where the form was filled in.")]
    lookups: Annotated[list[LookupSnapshot], Meta(description="The rows of data sources that the answers refer to.")]
    started_at: Annotated[Timestamp, Meta(description="When the person started to fill in the form.")]
    submitted_at: Annotated[Timestamp | None, Meta(description="When the form was submitted; null until then.")]
    created: Created
    updated: Updated
    revision: Revision
    note: Annotated[str | None, Meta(description="The reason for the status, such as why it was rejected.")]
    updated_by: Annotated[
        str | None,
        Meta(
            description="The id of the user or API key that made the last change; null if that was a person with a fill"
            " link, or Formwright itself."
        ),
    ]
    data: StoredAnswers
    device_time: (
        Annotated[
            str,
            Meta(
                description="The date and time on the device when the form was submitted, which its rules saw as"
                " `today()` and `now()`. Only if they use these functions."
            ),
        ]
        | UnsetType
    ) = UNSET
    form: (
        Annotated[
            FormReference | None, Meta(description="The form; null if it cannot be read. Only with `expand=form`.")
        ]
        | UnsetType
    ) = UNSET
    user: (
        Annotated[
            UserReference | None,
            Meta(description="The user; null without one, or if they were erased. Only with `expand=user`."),
        ]
        | UnsetType
    ) = UNSET
    task: (
        Annotated[TaskReference | None, Meta(description="The task; null without one. Only with `expand=task`.")]
        | UnsetType
    ) = UNSET


class SubmissionList(List[Submission], kw_only=True):
    """A page of submissions."""

    count: (
        Annotated[
            int,
            Meta(
                description=f"With `count=true`: how many submissions match the filters, on all pages; at most"
                f" {MAX_COUNT:,}."
            ),
        ]
        | UnsetType
    ) = UNSET
    count_exceeded: (
        Annotated[bool, Meta(description=f"With `count=true`: whether there are more than {MAX_COUNT:,}.")] | UnsetType
    ) = msgspec.field(name="countExceeded", default=UNSET)


class SubmissionRevision(Resource):
    """The state of a submission after one of its changes."""

    submission_id: SubmissionId
    revision: Annotated[int, Meta(description="The number of this revision.")]
    version_id: Annotated[VersionId, Meta(description="The version of the form that was filled in.")]
    status: SubmissionStatus
    data: StoredAnswers
    external_id: Annotated[str | None, Meta(description="Your own id for the submission.")]
    user_id: Annotated[UserId | None, Meta(description="The user who filled in the form.")]
    location: Annotated[GeoLocation | None, Meta(description="Where the form was filled in.")]
    submitted_at: Annotated[Timestamp | None, Meta(description="When the form was submitted.")]
    note: Annotated[str | None, Meta(description="The reason for the status.")]
    updated_by: Annotated[
        str | None, Meta(description="The id of the user or API key that made this revision; null if there was none.")
    ]
    updated: Annotated[Timestamp, Meta(description="When this revision was made.")]


def revision(record: models.Revision) -> SubmissionRevision:
    return SubmissionRevision.of(
        record,
        data=msgspec.Raw(record.data),
        location=_location(record.location),
        submitted_at=optional_time(record.submitted),
    )


def _location(text: str | None) -> GeoLocation | None:
    return msgspec.json.decode(text, type=GeoLocation) if text else None
