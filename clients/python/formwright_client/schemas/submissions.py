"""Schemas of Submissions."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final

from formwright_client.schemas.shared import Problem, TaskStatus

DateOrder: TypeAlias = Literal["day", "month"]
"""Which part of a date such as `3/4/2026` comes first."""

DecimalMark: TypeAlias = Literal["comma", "point"]
"""The decimal mark of numbers."""


@final
class FormReference(TypedDict):
    """The form of a submission."""

    id: str
    """The id of a form."""
    name: str
    """The name of the form."""


@final
class FormSummary(TypedDict):
    """The summary of the submissions of a form that match the filters."""

    formId: str
    """The id of a form."""
    timeZone: str
    """The time zone of days and hours: that of the account."""
    submissions: int
    """The number of submissions."""
    statuses: list[SummaryStatus]
    """The number of submissions with each status."""
    periods: SummaryPeriods | None
    """When they were submitted (or started, if not submitted); null if there are none."""
    medianFillSeconds: float | None
    """The median time from start to submission in seconds. Submissions that were created by another system
    are not included; null if there are no others.
    """
    fields: list[SummaryField]
    """The fields of the published version in the order of the form, then removed fields. Fields of a repeat
    follow it.
    """
    split: SummarySplit | None
    """The submissions by the choice that `splitBy` names; null without it."""


@final
class GeoLineString(TypedDict):
    """A line on Earth (WGS 84)."""

    type: Literal["LineString"]
    coordinates: list[list[float]]
    """The points in their order."""


@final
class GeoLocation(TypedDict):
    """A position on Earth (WGS 84)."""

    latitude: float
    """The latitude in degrees."""
    longitude: float
    """The longitude in degrees."""
    accuracy: NotRequired[float | None]
    """The accuracy in metres."""


@final
class GeoPoint(TypedDict):
    """A position on Earth (WGS 84)."""

    type: Literal["Point"]
    coordinates: list[float]
    """Longitude and latitude in degrees, in this order."""


@final
class GeoPolygon(TypedDict):
    """An area on Earth (WGS 84)."""

    type: Literal["Polygon"]
    coordinates: list[list[list[float]]]
    """The outline, counterclockwise. It ends with its first point."""


@final
class ImportRowError(TypedDict):
    """Why a row was rejected."""

    line: int
    """The line of a CSV file, or the row of the sheet, from 1; 0 if it is not about a row."""
    column: str | None
    """The name of the column; null if it is not about a column."""
    code: str
    """A code for the kind of error. Stable."""
    detail: str
    """What is wrong and how to fix it, in English."""


@final
class LookupSnapshot(TypedDict):
    """A row that the answer of a lookup refers to, in its state when it was chosen."""

    pointer: str
    """A JSON Pointer to the answer."""
    datasourceId: str
    """The id of a data source."""
    version: int | None
    """The version of the data source with this state of the row. Null: the row no longer existed."""
    key: str
    """The key of the row."""
    data: dict[str, str | int | float | bool | None] | None
    """The cells that the form displays or copies, by column. Null if the row no longer existed, or if the
    rows of the submission exceed 1 MiB.
    """


PeriodUnit: TypeAlias = Literal["CENTURY", "DAY", "DECADE", "HOUR", "HOUR_OF_DAY", "MONTH", "WEEK", "YEAR"]
"""The length of the periods of a time series. `HOUR_OF_DAY` adds up the same hour of all days."""

SortOrder: TypeAlias = Literal["-submitted", "-updated", "submitted", "updated"]
"""The order of a list of submissions, by the API's name; `-` means newest first."""


@final
class Submission(TypedDict):
    """A filled-in form."""

    id: str
    """The id of a submission."""
    customerId: str
    """The id of the account."""
    formId: str
    """The id of a form."""
    versionId: str
    """The version of the form that was filled in."""
    status: SubmissionStatus
    """The status of a submission. `STARTED`: answers have been saved, but not submitted yet. `SUBMITTED`:
    submitted, and not reviewed. `APPROVED` and `REJECTED`: reviewed.
    """
    externalId: str | None
    """Your own id for the submission."""
    userId: str | None
    """The user who filled in the form."""
    taskId: str | None
    """The task for which the form was filled in."""
    inviteId: str | None
    """The invite through which the form was filled in."""
    location: GeoLocation | None
    """Where the form was filled in."""
    lookups: list[LookupSnapshot]
    """The rows of data sources that the answers refer to."""
    startedAt: str
    """When the person started to fill in the form."""
    submittedAt: str | None
    """When the form was submitted; null until then."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""
    note: str | None
    """The reason for the status, such as why it was rejected."""
    updatedBy: str | None
    """The id of the user or API key that made the last change; null if that was a person with a fill link,
    or Formwright itself.
    """
    data: dict[str, Any]
    """Answers by field name."""
    deviceTime: NotRequired[str]
    """The date and time on the device when the form was submitted, which its rules saw as `today()` and
    `now()`. Only if they use these functions.
    """
    form: NotRequired[FormReference | None]
    """The form; null if it cannot be read. Only with `expand=form`."""
    user: NotRequired[UserReference | None]
    """The user; null without one, or if they were erased. Only with `expand=user`."""
    task: NotRequired[TaskReference | None]
    """The task; null without one. Only with `expand=task`."""


@final
class SubmissionBulkCreate(TypedDict):
    """Creates a submission, as `createSubmission` does."""

    op: Literal["create"]
    data: dict[str, Any]
    """Answers by field name."""
    externalId: NotRequired[str | None]
    """Your own id. Must be unique among the submissions of the form."""
    submittedAt: NotRequired[str | None]
    """When the form was filled in. Default: now."""
    userId: NotRequired[str | None]
    """The user who filled in the form."""
    location: NotRequired[GeoLocation | None]
    """Where the form was filled in."""
    deviceTime: NotRequired[str | None]
    """What `today()` and `now()` show in the rules of the form. Default: `submittedAt` in the time zone of
    the account.
    """
    formId: str
    """The id of a form."""


@final
class SubmissionBulkDelete(TypedDict):
    """Deletes a submission, as `deleteSubmission` does."""

    op: Literal["delete"]
    id: str
    """The id of a submission."""


@final
class SubmissionBulkItem(TypedDict):
    """The result of one item of the request."""

    status: int
    """The status with which the single operation responds: 200, 201, 204, or an error."""
    id: str | None
    """The id of the submission; null if the item was rejected."""
    revision: int | None
    """The revision of the submission; null if it was deleted or the item rejected."""
    problem: Problem | None
    """Why the item was rejected. Pointers of its `errors` begin at the item. Null if it was not."""


@final
class SubmissionBulkRequest(TypedDict):
    """Changes of submissions, which are applied in this order."""

    items: list[AnySubmissionBulk]
    """The changes, in their order."""
    atomic: NotRequired[bool]
    """Whether to apply all changes or none. Otherwise each is applied or rejected by itself."""


@final
class SubmissionBulkResult(TypedDict):
    """The results of the items of the request."""

    items: list[SubmissionBulkItem]
    """One for each item of the request, in its order."""
    failed: int
    """How many items were rejected."""


@final
class SubmissionBulkReview(TypedDict):
    """Approves or rejects a submission, or sets it back to `SUBMITTED`."""

    op: Literal["review"]
    id: str
    """The id of a submission."""
    status: SubmissionReviewStatus
    """The statuses that a reviewer can set."""
    note: NotRequired[str | None]
    """The reason. It is shown to the person who filled in the form."""


@final
class SubmissionBulkUpdate(TypedDict):
    """Updates a submission, as `updateSubmission` does."""

    op: Literal["update"]
    data: NotRequired[dict[str, Any]]
    """All answers by field name. Answers that are missing here are removed."""
    status: NotRequired[SubmissionReviewStatus]
    """The statuses that a reviewer can set."""
    externalId: NotRequired[str | None]
    """Your own id; null removes it."""
    submittedAt: NotRequired[str]
    """A time in RFC 3339 format, with an offset or `Z`."""
    userId: NotRequired[str | None]
    """The user who filled in the form; null removes it."""
    location: NotRequired[GeoLocation | None]
    """Where the form was filled in; null removes it."""
    note: NotRequired[str | None]
    """The reason for the status. It is shown to the person who filled in the form, and removed when the
    status changes.
    """
    id: str
    """The id of a submission."""


@final
class SubmissionComment(TypedDict):
    """A comment on a submission."""

    id: str
    """The id of a comment on a submission."""
    customerId: str
    """The id of the account."""
    submissionId: str
    """The id of a submission."""
    formId: str
    """The id of a form."""
    authorId: str
    """The id of the user or API key that wrote the comment."""
    body: str
    """The comment as plain text. Escape it before you add it to HTML."""
    mentions: list[str]
    """The mentioned users."""
    created: str
    """When the resource was created."""


@final
class SubmissionCommentCreate(TypedDict):
    """A new comment on a submission."""

    body: str
    """Plain text. Markup in it is shown as it is."""
    mentions: NotRequired[list[str]]
    """The users to mention, each once. They receive an email, and must be able to see the submission."""


@final
class SubmissionCreate(TypedDict):
    """A new submission."""

    data: dict[str, Any]
    """Answers by field name."""
    externalId: NotRequired[str | None]
    """Your own id. Must be unique among the submissions of the form."""
    submittedAt: NotRequired[str | None]
    """When the form was filled in. Default: now."""
    userId: NotRequired[str | None]
    """The user who filled in the form."""
    location: NotRequired[GeoLocation | None]
    """Where the form was filled in."""
    deviceTime: NotRequired[str | None]
    """What `today()` and `now()` show in the rules of the form. Default: `submittedAt` in the time zone of
    the account.
    """


@final
class SubmissionFeature(TypedDict):
    """A submission, or a row of one of its repeats, with its position."""

    type: Literal["Feature"]
    id: str
    """The id of the submission; for a row, followed by `/` and the number of the row."""
    geometry: AnyGeo | None
    """The position, or the line or area if `field` is one; null if there is none."""
    properties: dict[str, Any]
    """The answers by field name without nesting, such as `site` and `place.accuracy`, and properties of the
    submission, whose names begin with `_`: `_id`, `_row` (from 1; null if the feature is not a row),
    `_form_id`, `_version_id`, `_status`, `_started`, `_submitted`, `_updated`, `_user_id`,
    `_external_id`, `_note`, `_revision` and `_accuracy` (of a single position, in metres).
    """


@final
class SubmissionFeatureCollection(TypedDict):
    """A page of features."""

    type: Literal["FeatureCollection"]
    features: list[SubmissionFeature]
    """The features of this page."""
    nextCursor: str | None
    """The `cursor` of the next page; null on the last page."""
    next: str | None
    """The absolute URL of the next page; null on the last page."""
    bbox: NotRequired[list[float]]
    """The box around the positions of this page: west, south, east, north. West is greater than east if it
    crosses the antimeridian. Missing if no feature has a position.
    """


@final
class SubmissionFile(TypedDict):
    """A photo, a signature or another file of a submission."""

    id: str
    """The id of a file."""
    formId: str
    """The id of a form."""
    submissionId: str
    """The id of a submission."""
    field: str
    """The name of the field that the file answers."""
    name: str
    """The file name on the person's device, with an extension that matches its type."""
    type: str
    """The media type, verified against the content."""
    size: int
    """The size in bytes."""
    sha256: str
    """The SHA-256 of the content, in hexadecimal."""
    url: str
    """A download link, which needs no API key and supports range requests."""
    thumbnailUrl: str | None
    """A link to a small version of a photo or signature, 320 pixels on its longer side; null for other
    files. It expires with the download link. If the image is damaged, the link responds with 404.
    """
    urlExpiresAt: str
    """When both links expire."""
    created: str
    """When the file was uploaded."""


@final
class SubmissionImport(TypedDict):
    """An import of submissions from a file."""

    id: str
    """The id of an import."""
    customerId: str
    """The id of the account."""
    formId: str
    """The id of a form."""
    versionId: str
    """The version of the form that the rows answer."""
    status: SubmissionImportStatus
    """`QUEUED`, `CHECKING` (nothing is written yet) and `IMPORTING` while it runs. `DONE`: the valid rows
    were imported, or with `checkOnly` they would be. `REJECTED`: rows are invalid, and nothing was
    imported. `FAILED`: an error stopped it after `imported` rows.
    """
    fileName: str
    """The name of the file."""
    columns: dict[str, str]
    """The column of each field (`answers.…`) and property."""
    encoding: str | None
    """The encoding with which a CSV file is read: the requested or the detected one."""
    delimiter: str | None
    """The delimiter of a CSV file; null if it has a single column, or is a workbook."""
    sheet: str | None
    """The sheet of a workbook that has the submissions."""
    timeZone: str
    """The time zone of times without an offset (IANA)."""
    decimalMark: DecimalMark | None
    """The decimal mark, as requested or decided; null if no number has one, or it is unclear."""
    firstInDates: DateOrder | None
    """What comes first in dates with slashes, as requested or decided; null if there are none, or it is
    unclear.
    """
    skipBadRows: bool
    """Whether valid rows are imported if others are invalid."""
    checkOnly: bool
    """Whether rows are only checked."""
    silent: bool
    """Whether no webhooks are sent."""
    total: int | None
    """Rows in the file; null until all have been checked."""
    checked: int
    """Rows that have been checked."""
    imported: int
    """Rows that have been imported."""
    rejected: int
    """Rows that are invalid."""
    errors: list[ImportRowError]
    """The errors of invalid rows, in their order: at most 1000, and at most 5 for each row."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""
    endedAt: str | None
    """When it ended; null while it runs."""


SubmissionImportStatus: TypeAlias = Literal["ARRIVING", "CHECKING", "DONE", "FAILED", "IMPORTING", "QUEUED", "REJECTED"]
"""The status of an import.

`ARRIVING`: its file is being stored, or waits for somebody to map its columns. `QUEUED`: waits for a
worker. `CHECKING`: rows are being checked, and nothing is written yet. `IMPORTING`: rows are being
written. `DONE`: all valid rows were written. `REJECTED`: a row is invalid, and nothing was written.
`FAILED`: stopped by an error, after writing `imported` rows.
"""

SubmissionReviewStatus: TypeAlias = Literal["APPROVED", "REJECTED", "SUBMITTED"]
"""The statuses that a reviewer can set."""


@final
class SubmissionRevision(TypedDict):
    """The state of a submission after one of its changes."""

    submissionId: str
    """The id of a submission."""
    revision: int
    """The number of this revision."""
    versionId: str
    """The version of the form that was filled in."""
    status: SubmissionStatus
    """The status of a submission. `STARTED`: answers have been saved, but not submitted yet. `SUBMITTED`:
    submitted, and not reviewed. `APPROVED` and `REJECTED`: reviewed.
    """
    data: dict[str, Any]
    """Answers by field name."""
    externalId: str | None
    """Your own id for the submission."""
    userId: str | None
    """The user who filled in the form."""
    location: GeoLocation | None
    """Where the form was filled in."""
    submittedAt: str | None
    """When the form was submitted."""
    note: str | None
    """The reason for the status."""
    updatedBy: str | None
    """The id of the user or API key that made this revision; null if there was none."""
    updated: str
    """When this revision was made."""


SubmissionStatus: TypeAlias = Literal["APPROVED", "REJECTED", "STARTED", "SUBMITTED"]
"""The status of a submission. `STARTED`: answers have been saved, but not submitted yet. `SUBMITTED`:
submitted, and not reviewed. `APPROVED` and `REJECTED`: reviewed.
"""


@final
class SubmissionUpdate(TypedDict):
    """The properties of a submission to change."""

    data: NotRequired[dict[str, Any]]
    """All answers by field name. Answers that are missing here are removed."""
    status: NotRequired[SubmissionReviewStatus]
    """The statuses that a reviewer can set."""
    externalId: NotRequired[str | None]
    """Your own id; null removes it."""
    submittedAt: NotRequired[str]
    """A time in RFC 3339 format, with an offset or `Z`."""
    userId: NotRequired[str | None]
    """The user who filled in the form; null removes it."""
    location: NotRequired[GeoLocation | None]
    """Where the form was filled in; null removes it."""
    note: NotRequired[str | None]
    """The reason for the status. It is shown to the person who filled in the form, and removed when the
    status changes.
    """


@final
class SummaryBin(TypedDict):
    """A bin of a histogram."""

    start: float
    """The smallest number that the bin can contain."""
    end: float
    """The end of the bin. Only the last bin includes it."""
    count: int
    """How many there are."""


@final
class SummaryField(TypedDict):
    """The summary of the answers to a field."""

    name: str
    """The name of the field."""
    repeat: str | None
    """The name of the repeat that contains the field. Its rows are counted then."""
    kind: SummaryKind
    """What the summary contains. Fields of similar types share a kind."""
    label: str | dict[str, str]
    """The label of the field."""
    versions: list[int]
    """The numbers of the final versions that have the field."""
    removed: bool
    """Whether the published version has no field with this name, kind and repeat."""
    renamedTo: str | None
    """The name of the field in the published version, if it was renamed."""
    answered: int
    """How many submissions have an answer or, for a field of a repeat, how many rows."""
    missing: int
    """How many submissions with one of these `versions`, or rows of them, have no answer. Answers of drafts
    that do not fit the field are missing.
    """
    options: list[SummaryOption] | None
    """`CHOICE`, `CHOICES`, `BOOLEAN`: all options in the order of the form."""
    other: int | None
    """`CHOICE`, `CHOICES`: how many values are no option, as may occur in drafts."""
    ranks: list[SummaryRank] | None
    """`RANKING`: all options in the order of the form."""
    netPromoter: SummaryNetPromoter | None
    """`NPS`: the score, and what it is made of."""
    figures: SummaryFigures | None
    """`NUMBER`, `RATING`, `NPS`, `SLIDER`: figures of the numbers; null without answers."""
    values: list[SummaryValue] | None
    """`RATING`, `NPS`, `SLIDER`: the numbers in ascending order; null if there are more than 101."""
    periods: SummaryPeriods | None
    """`DATE`, `TIME`, `DATETIME`: answers over time; null without answers."""
    texts: SummaryTexts | None
    """`TEXT`: texts and words."""
    rows: SummaryRows | None
    """`LOOKUP`, `LOOKUPS`: rows of the data source."""
    files: SummaryFiles | None
    """`FILES`: photos, signatures and other files."""
    boundingBox: list[float] | None
    """`LOCATION`: the box around the positions: west, south, east, north, in degrees. West is greater than
    east if it crosses the antimeridian. Null without answers.
    """
    repeated: SummaryRepeat | None
    """`REPEAT`: the number of rows."""


@final
class SummaryFigures(TypedDict):
    """Figures of numbers."""

    minimum: float
    """The smallest number."""
    lowerQuartile: float
    """A quarter of the numbers are not greater."""
    median: float
    """Half of the numbers are not greater."""
    upperQuartile: float
    """Three quarters of the numbers are not greater."""
    maximum: float
    """The largest number."""
    mean: float
    """The arithmetic mean."""
    histogram: list[SummaryBin]
    """The histogram, with bins of equal width."""


@final
class SummaryFile(TypedDict):
    """A file."""

    submissionId: str
    """The id of a submission."""
    fileId: str
    """The id of a file."""


@final
class SummaryFiles(TypedDict):
    """The uploaded files."""

    count: int
    """The number of files."""
    newest: list[SummaryFile]
    """Up to 12 files, of the newest submissions first. `listSubmissionFiles` returns links to them."""


@final
class SummaryGroup(TypedDict):
    """The submissions with the same answer to the choice."""

    value: str | None
    """The value of the option; null for submissions without an answer."""
    label: str | dict[str, str] | None
    """The label of the option; null without an answer."""
    submissions: int
    """The number of submissions."""
    fields: list[SummaryField]
    """The fields, in the order of those of all submissions."""


SummaryKind: TypeAlias = Literal[
    "BOOLEAN",
    "CHOICE",
    "CHOICES",
    "DATE",
    "DATETIME",
    "FILES",
    "LOCATION",
    "LOOKUP",
    "LOOKUPS",
    "NPS",
    "NUMBER",
    "RANKING",
    "RATING",
    "REPEAT",
    "SLIDER",
    "TEXT",
    "TIME",
]
"""What a summary of a field contains. Fields of similar types have the same kind."""


@final
class SummaryNetPromoter(TypedDict):
    """The net promoter score."""

    score: float | None
    """The percentage of promoters less that of detractors, from -100 to 100; null without answers."""
    promoters: int
    """The number of answers 9 and 10."""
    passives: int
    """The number of answers 7 and 8."""
    detractors: int
    """The number of answers from 0 to 6."""


@final
class SummaryOption(TypedDict):
    """How often an option was chosen."""

    value: str
    """The value of the option; `true` or `false` for yes and no."""
    label: str | dict[str, str] | None
    """The label of the option; null for yes and no."""
    count: int
    """How many there are."""
    share: float
    """The share of the answers, from 0 to 1. For a multiple choice, of the respondents, so the shares may
    add up to more than 1.
    """
    removed: bool
    """Whether the published version no longer has the option."""


@final
class SummaryPeriod(TypedDict):
    """The number of answers in a period."""

    start: str
    """The local day on which the period begins, such as `2026-03-29`; for hours, the local time, such as
    `2026-03-29T14:00` or, by the hour of the day, `14:00`.
    """
    count: int
    """How many there are."""


@final
class SummaryPeriods(TypedDict):
    """A time series without gaps, from the first to the last answer."""

    unit: PeriodUnit
    """The length of the periods, which depends on the range. `HOUR_OF_DAY` adds up the same hour of all
    days.
    """
    first: str
    """The first day, or the time of the first answer to the minute."""
    last: str
    """The last day, or the time of the last answer to the minute."""
    items: list[SummaryPeriod]
    """The periods in ascending order."""


@final
class SummaryRank(TypedDict):
    """How high an option was ranked."""

    value: str
    """The value of the option."""
    label: str | dict[str, str]
    """The label of the option."""
    mean: float | None
    """Its mean position, from 1; null if nobody ranked it."""
    first: int
    """How often it was the first."""
    places: list[int]
    """How often it had each place, from the first to the last one of any option."""
    removed: bool
    """Whether the published version no longer has the option."""


@final
class SummaryRepeat(TypedDict):
    """The rows of a repeat."""

    rows: int
    """The number of rows in all submissions."""
    perSubmission: SummaryFigures | None
    """The number of rows per submission that has any or, in a repeat inside another one, per row of that;
    null if none has.
    """


@final
class SummaryRow(TypedDict):
    """How often a row of a data source was chosen."""

    key: str
    """The key of the row."""
    label: str
    """The cells that the form displays, as the last respondent saw them, or the key."""
    count: int
    """How many there are."""
    share: float
    """The share of the answers, from 0 to 1."""
    submissionId: str
    """The newest submission in which the row was chosen."""


@final
class SummaryRows(TypedDict):
    """The chosen rows of a data source."""

    different: int
    """How many different rows were chosen."""
    items: list[SummaryRow]
    """Up to 20 rows, the most frequent first."""


@final
class SummarySplit(TypedDict):
    """The submissions by their answer to a single choice."""

    field: str
    """The name of the choice."""
    groups: list[SummaryGroup]
    """The 5 most frequent options that were chosen, and the submissions without an answer, if there are any."""
    others: int
    """The number of submissions with other options."""


@final
class SummaryStatus(TypedDict):
    """The number of submissions with a status."""

    status: SubmissionStatus
    """The status of a submission. `STARTED`: answers have been saved, but not submitted yet. `SUBMITTED`:
    submitted, and not reviewed. `APPROVED` and `REJECTED`: reviewed.
    """
    count: int
    """How many there are."""


@final
class SummaryText(TypedDict):
    """A text."""

    submissionId: str
    """The id of a submission."""
    text: str
    """The text, at most 500 characters of it."""


@final
class SummaryTexts(TypedDict):
    """The newest texts and the most frequent words."""

    newest: list[SummaryText]
    """Up to 5 texts, of the newest submissions first."""
    words: list[SummaryWord]
    """Up to 20 words of 2 to 100 characters, the most frequent first."""
    wordsComplete: bool
    """False if there are so many different words that those found later were not counted."""


@final
class SummaryValue(TypedDict):
    """How often a number was the answer."""

    value: int
    """The number."""
    count: int
    """How many there are."""
    share: float
    """The share of the answers, from 0 to 1."""


@final
class SummaryWord(TypedDict):
    """How often a word occurs."""

    word: str
    """The word in lower case."""
    count: int
    """How many there are."""


@final
class TaskReference(TypedDict):
    """The task for which the form was filled in."""

    id: str
    """The id of a task."""
    externalId: str | None
    """Your own id for the task."""
    status: TaskStatus
    """The status of a task. `SCHEDULED`: not published yet. `OPEN`: recipients can begin. `IN_PROGRESS`: a
    recipient has begun. `COMPLETED`, `DECLINED` and `REVOKED`: the task has ended.
    """
    dueAt: str | None
    """When the task is due; null: no due time."""


@final
class UploadedFile(TypedDict):
    """A photo, a signature or another file."""

    id: str
    """The id of a file."""
    formId: str
    """The id of a form."""
    submissionId: str | None
    """The submission that refers to the file; null until one does."""
    field: str
    """The name of the field that the file answers."""
    name: str
    """The file name on the person's device, with an extension that matches its type."""
    type: str
    """The media type, verified against the content."""
    size: int
    """The size in bytes."""
    sha256: str
    """The SHA-256 of the content, in hexadecimal."""
    url: str
    """A download link, which needs no API key and supports range requests."""
    thumbnailUrl: str | None
    """A link to a small version of a photo or signature, 320 pixels on its longer side; null for other
    files. It expires with the download link. If the image is damaged, the link responds with 404.
    """
    urlExpiresAt: str
    """When both links expire."""
    created: str
    """When the file was uploaded."""


@final
class UserReference(TypedDict):
    """The user who filled in the form."""

    id: str
    """The id of a user."""
    name: str
    """The name of the user."""
    email: str
    """The email address of the user."""


@final
class View(TypedDict):
    """A saved view."""

    id: str
    """The id of a saved view."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the view."""
    visibility: ViewVisibility
    """`ACCOUNT`: everyone who may read the submissions sees the view. `PRIVATE`: only the user who saved it;
    API keys neither see nor save private views.
    """
    formId: str | None
    """The form whose submissions the view shows. Null: those of all forms."""
    filter: ViewFilter
    """The filter of a saved view. Empty properties do not restrict it."""
    order: SortOrder
    """The order of the submissions, as in `listSubmissions`."""
    columns: list[str]
    """The columns in their order: `formId`, `submittedAt`, `status`, `userId`, `updated`, `externalId`,
    `id`, or `answers.` and the name of a field. Empty: the default columns, and all answers in exports.
    """
    tab: ViewTab
    """The tab in which the view opens."""
    problems: list[ViewProblem]
    """The parts of the view that no longer fit, because the form has changed. The view still works: a
    condition that cannot be compared is treated as if no submission had an answer, and a missing column
    is left out.
    """
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class ViewFilter(TypedDict):
    """The filter of a saved view."""

    status: NotRequired[list[SubmissionStatus]]
    """Only submissions with one of these statuses."""
    userId: NotRequired[str | None]
    """Only submissions by this user."""
    folderId: NotRequired[str | None]
    """Only submissions of the forms in this folder and in the folders below it."""
    fromDay: NotRequired[str | None]
    """Only submissions submitted on this day or later, in the time zone of the account."""
    toDay: NotRequired[str | None]
    """Only submissions submitted on this day or earlier, in the time zone of the account."""
    lastDays: NotRequired[int | None]
    """Only submissions of the last days, today included: 1 is today, 7 is today and the six days before, in
    the time zone of the account. Cannot be combined with `fromDay` and `toDay`.
    """
    answers: NotRequired[dict[str, str]]
    """Conditions on answers as in the query of `listSubmissions`, without the prefix `answers.`."""
    q: NotRequired[str]
    """Only submissions with these words, as with `q` of `listSubmissions`."""


@final
class ViewProblem(TypedDict):
    """A part of a view that no longer fits its form."""

    pointer: str
    """A JSON Pointer into the view."""
    code: str
    """A stable code."""
    detail: str
    """What is wrong, for people."""


ViewTab: TypeAlias = Literal["LIST", "MAP", "SUMMARY"]
"""The tab in which a view opens."""

ViewVisibility: TypeAlias = Literal["ACCOUNT", "PRIVATE"]
"""Who can see a view. `PRIVATE`: only the user who saved it. `ACCOUNT`: everyone who may read its
submissions.
"""


@final
class ViewWrite(TypedDict):
    """A saved view to create, or to replace another with."""

    name: str
    """The name, which must be unique among the views of the form that have the same owner."""
    visibility: NotRequired[ViewVisibility]
    """`ACCOUNT`: everyone who may read the submissions sees the view. `PRIVATE`: only the user who saved it;
    API keys neither see nor save private views.
    """
    formId: NotRequired[str | None]
    """The form whose submissions the view shows. Null: those of all forms."""
    filter: NotRequired[ViewFilter]
    """The filter of a saved view. Empty properties do not restrict it."""
    order: NotRequired[SortOrder]
    """The order of the submissions, as in `listSubmissions`."""
    columns: NotRequired[list[str]]
    """The columns in their order: `formId`, `submittedAt`, `status`, `userId`, `updated`, `externalId`,
    `id`, or `answers.` and the name of a field. Empty: the default columns, and all answers in exports.
    """
    tab: NotRequired[ViewTab]
    """The tab in which the view opens."""


AnySubmissionBulk: TypeAlias = SubmissionBulkCreate | SubmissionBulkUpdate | SubmissionBulkReview | SubmissionBulkDelete

AnyGeo: TypeAlias = GeoPoint | GeoLineString | GeoPolygon
