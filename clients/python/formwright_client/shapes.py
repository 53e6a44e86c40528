"""The shapes of the API, as its OpenAPI document has them. Members may be added.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Access(TypedDict):
    """What a person may do there, and why."""

    userId: str
    status: UserStatus
    allowed: bool
    reasons: list[Reason]


class AccountResource(TypedDict):
    """The whole account."""

    type: Literal["account"]
    id: str


class Announcement(TypedDict):
    """A change that will come."""

    name: str
    kind: AnnouncementKind
    title: str
    description: str
    announced: str
    effective: str
    sunset: str | None
    operations: list[str]
    fields: list[str]
    replacement: str | None
    url: str


AnnouncementKind: TypeAlias = Literal["CHANGE", "DEPRECATION"]
"""`DEPRECATION`."""


class Attempt(TypedDict):
    """One try to deliver."""

    number: int
    started: str
    durationMs: int
    outcome: str
    statusCode: int | None
    error: str | None
    answer: str | None


class AuditActor(TypedDict):
    """Who did it."""

    type: By
    id: str | None
    name: str | None


class AuditEntry(TypedDict):
    """One thing that was done in the account."""

    id: str
    customerId: str
    timestamp: str
    actor: AuditActor
    action: str
    resource: AuditResource
    changed: list[str]
    address: str | None
    requestId: str | None


class AuditResource(TypedDict):
    """What it was done to."""

    type: str
    id: str
    name: str | None


class BadRowShape(TypedDict):
    """A row that was not taken in."""

    line: int
    column: str | None
    code: str
    detail: str


class BarcodeField(TypedDict):
    """What a barcode says, scanned or typed."""

    type: Literal["barcode"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class BooleanField(TypedDict):
    """Yes or no."""

    type: Literal["boolean"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    default: NotRequired[bool]


By: TypeAlias = Literal["key", "link", "nobody", "system", "user"]
"""What kind of actor did it."""


CellType: TypeAlias = Literal["boolean", "date", "datetime", "decimal", "integer", "text"]
"""What the cells of a column are."""


class ChoiceField(TypedDict):
    """One of several options."""

    type: Literal["choice"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    options: list[Option]
    default: NotRequired[str]


class ChoicesField(TypedDict):
    """Any of several options."""

    type: Literal["choices"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    options: list[Option]


CompleteWhen: TypeAlias = Literal["ALL", "ANY"]
"""Whether one answer is enough, or every recipient's is needed."""


class Count(TypedDict):
    """How many tasks there are."""

    formId: str | None
    userId: str | None
    scheduled: int
    open: int
    overdue: int
    completed: int
    declined: int
    revoked: int


class Counts(TypedDict):
    """The counts, one for each form or each person that has any task."""

    items: list[Count]


class Customer(TypedDict):
    """An account."""

    id: str
    name: str
    locale: str
    timeZone: str
    created: str
    updated: str
    revision: int


class DataLink(TypedDict):
    """Stands for a resource that is too large for an event (256 KiB)."""

    id: str
    tooLarge: bool
    url: str


class Datasource(TypedDict):
    """A table of outside data."""

    id: str
    customerId: str
    name: str
    keyColumn: str
    columns: list[str]
    types: dict[str, CellType]
    rowCount: int
    version: int
    pull: Pull | None
    created: str
    updated: str
    revision: int


class DatasourceCreate(TypedDict):
    """A new datasource with its rows."""

    name: str
    keyColumn: str
    columns: NotRequired[list[str]]
    types: NotRequired[dict[str, CellType]]
    rows: NotRequired[list[dict[str, str | int | float | bool | None]]]
    pull: NotRequired[PullCreate | None]


class DatasourceRow(TypedDict):
    """One row of it."""

    key: str
    data: dict[str, Any]


class DatasourceUpdate(TypedDict):
    """What of a datasource is to be another."""

    name: NotRequired[str]
    keyColumn: NotRequired[str]
    columns: NotRequired[list[str]]
    types: NotRequired[dict[str, CellType]]
    rows: NotRequired[list[dict[str, str | int | float | bool | None]]]
    pull: NotRequired[PullUpdate | None]


DatasourceWithImport = TypedDict(
    "DatasourceWithImport",
    {
        "id": "str",
        "customerId": "str",
        "name": "str",
        "keyColumn": "str",
        "columns": "list[str]",
        "types": "dict[str, CellType]",
        "rowCount": "int",
        "version": "int",
        "pull": "Pull | None",
        "created": "str",
        "updated": "str",
        "revision": "int",
        "import": "ImportReport | None",
    },
)
"""The datasource, and what became of the rows that were sent."""


class DateField(TypedDict):
    """A day, `2026-03-29`."""

    type: Literal["date"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class DatetimeField(TypedDict):
    """A moment with its offset, `2026-03-29T14:30:00+02:00`."""

    type: Literal["datetime"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class Day(TypedDict):
    """What a form has of a day."""

    formId: str
    day: str
    count: int
    checksum: str


class DecimalField(TypedDict):
    """A number with decimals."""

    type: Literal["decimal"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    min: NotRequired[float]
    max: NotRequired[float]
    default: NotRequired[float]


class Difference(TypedDict):
    """What differs."""

    missing: list[HeldHere]
    stale: list[HeldHere]
    deleted: list[str]


class EmailField(TypedDict):
    """An e-mail address."""

    type: Literal["email"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class EventList(TypedDict):
    """A page of the event log."""

    items: list[Event]
    next: str | None
    oldestAvailable: int | None


class EventType(TypedDict):
    """A type of event."""

    type: str
    category: str
    description: str
    schema: dict[str, Any]
    example: dict[str, Any]


class DatasourceEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Datasource | DataLink
    erased: NotRequired[bool]


class FormEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Form | DataLink
    erased: NotRequired[bool]


class GroupEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Group | DataLink
    erased: NotRequired[bool]


class InviteEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Invite | DataLink
    erased: NotRequired[bool]


class RoleEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Role | DataLink
    erased: NotRequired[bool]


class SubmissionEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Submission | DataLink
    erased: NotRequired[bool]


class SubscriberEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Subscriber | DataLink
    erased: NotRequired[bool]


class TaskEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: Task | DataLink
    erased: NotRequired[bool]


class UserEvent(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: User | DataLink
    erased: NotRequired[bool]


class Event(TypedDict):
    """Something that happened."""

    id: str
    sequence: int
    type: str
    category: str
    timestamp: str
    customerId: str
    data: dict[str, Any]
    erased: NotRequired[bool]


class ExportReport(TypedDict):
    """What the file does not carry."""

    report: list[ReportNote]


class FaultShape(TypedDict):
    """One thing that is wrong with the request, and where."""

    pointer: str
    code: str
    detail: str


class FieldChange(TypedDict):
    """What happened to one field between two versions."""

    kind: Kind
    before: str | None
    after: str | None
    members: list[str]
    breaking: bool
    submissions: int


class File(TypedDict):
    """A photo, a signature or another file that answers a field."""

    id: str
    formId: str
    submissionId: str
    field: str
    name: str
    type: str
    size: int
    sha256: str
    url: str
    urlExpiresAt: str
    created: str


class FileField(TypedDict):
    """Any file."""

    type: Literal["file"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    maxFiles: NotRequired[int]


class Folder(TypedDict):
    """A folder."""

    id: str
    customerId: str
    name: str
    parentId: str | None
    created: str
    updated: str
    revision: int


class FolderMove(TypedDict):
    """The forms to put into a folder."""

    formIds: list[str]


class FolderResource(TypedDict):
    """A folder, with all folders and forms below it."""

    type: Literal["folder"]
    id: str


class FolderWrite(TypedDict):
    """A folder."""

    name: str
    parentId: NotRequired[str | None]


class Form(TypedDict):
    """A form."""

    id: str
    customerId: str
    name: str
    description: str
    folderId: str | None
    status: FormStatus
    tags: list[str]
    publishedVersionId: str | None
    fillPath: str
    created: str
    updated: str
    revision: int


class FormChange(TypedDict):
    """What changes of a form."""

    name: NotRequired[str]
    description: NotRequired[str]
    folderId: NotRequired[str | None]
    tags: NotRequired[list[str]]
    status: NotRequired[FormStatus]
    fields: NotRequired[list[AnyField]]
    settings: NotRequired[FormSettings]
    publish: NotRequired[bool]


class FormCreate(TypedDict):
    """A new form with its first version, from `fields` or from a template."""

    name: NotRequired[str | None]
    fields: NotRequired[list[AnyField] | None]
    templateId: NotRequired[str | None]
    description: NotRequired[str | None]
    folderId: NotRequired[str | None]
    tags: NotRequired[list[str]]
    settings: NotRequired[FormSettings | None]
    publish: NotRequired[bool]


class FormImported(TypedDict):
    """The new form, and what was changed or could not be carried."""

    id: str
    customerId: str
    name: str
    description: str
    folderId: str | None
    status: FormStatus
    tags: list[str]
    publishedVersionId: str | None
    fillPath: str
    created: str
    updated: str
    revision: int
    report: list[ReportNote]


class FormResource(TypedDict):
    """One form."""

    type: Literal["form"]
    id: str


class FormSettings(TypedDict):
    """How the form is filled."""

    language: NotRequired[str]
    thanks: NotRequired[str | dict[str, str]]


FormStatus: TypeAlias = Literal["ACTIVE", "ARCHIVED"]
"""Whether the form can be filled."""


class Fulfilment(TypedDict):
    """What one recipient has done."""

    userId: str
    status: FulfilmentStatus
    submissionId: str | None
    at: str | None
    reason: str | None


FulfilmentStatus: TypeAlias = Literal["COMPLETED", "DECLINED", "IN_PROGRESS", "OPEN"]
"""How far one recipient has come."""


class Grant(TypedDict):
    """A role, and what it is given for."""

    roleId: str
    resource: AnyResource


class Group(TypedDict):
    """People who share what the group is given."""

    id: str
    customerId: str
    name: str
    members: list[str]
    grants: list[Grant]
    created: str
    updated: str
    revision: int


class GroupCreate(TypedDict):
    """A new group."""

    name: str
    members: NotRequired[list[str]]
    grants: NotRequired[list[Grant]]


class GroupUpdate(TypedDict):
    """What changes of a group."""

    name: NotRequired[str]
    members: NotRequired[list[str]]
    grants: NotRequired[list[Grant]]


class HeldHere(TypedDict):
    """A submission as it is here."""

    id: str
    revision: int


class Import(TypedDict):
    """A past import."""

    id: str
    datasourceId: str
    source: Source
    mode: Mode
    status: ImportStatus
    inserted: int
    updated: int
    unchanged: int
    deleted: int
    skipped: int
    version: int
    badRows: list[BadRowShape]
    detail: str
    started: str
    ended: str


class ImportReport(TypedDict):
    """What an import did or, tried only, would do."""

    inserted: int
    updated: int
    unchanged: int
    deleted: int
    skipped: int
    version: int
    dryRun: bool
    badRows: list[BadRowShape]


ImportStatus: TypeAlias = Literal["DONE", "FAILED"]
"""How it ended."""


class IntegerField(TypedDict):
    """A whole number, at most 2^53 either way so that every reader keeps it exactly."""

    type: Literal["integer"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    min: NotRequired[int]
    max: NotRequired[int]
    default: NotRequired[int]


class Invite(TypedDict):
    """A person who is asked to fill a form, and how far it has come."""

    id: str
    customerId: str
    formId: str
    status: InviteStatus
    email: str
    userId: str | None
    name: str
    message: str
    data: dict[str, Any]
    expiresAt: str
    remindAt: str | None
    remindedAt: str | None
    externalId: str | None
    submissionId: str | None
    reason: str | None
    sentAt: str | None
    openedAt: str | None
    startedAt: str | None
    completedAt: str | None
    created: str
    updated: str
    revision: int


class InviteCreate(TypedDict):
    """A form, and the person who is asked to fill it."""

    formId: str
    email: NotRequired[str | None]
    userId: NotRequired[str | None]
    name: NotRequired[str]
    message: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    expiresAt: NotRequired[str | None]
    remindAt: NotRequired[str | None]
    externalId: NotRequired[str | None]


InviteStatus: TypeAlias = Literal[
    "COMPLETED", "DECLINED", "EXPIRED", "FAILED", "OPENED", "PENDING", "REVOKED", "SENT", "STARTED"
]
"""How far an invite has come."""


class Invocation(TypedDict):
    """The delivery of one event to one subscriber, with its tries."""

    id: str
    subscriberId: str
    eventId: str
    sequence: int
    type: str
    status: InvocationStatus
    tries: int
    nextTry: str | None
    attempts: list[Attempt]
    created: str


InvocationStatus: TypeAlias = Literal["CANCELLED", "EXPIRED", "FAILED", "PENDING", "SUCCEEDED"]
"""How a delivery stands."""


Judged: TypeAlias = Literal["APPROVED", "REJECTED", "SUBMITTED"]
"""What a submission that was sent can be."""


Kind: TypeAlias = Literal["ADDED", "CHANGED", "MOVED", "REMOVED", "RENAMED", "RETYPED"]
"""What happened to a field."""


class Location(TypedDict):
    """A place on earth (WGS 84, degrees)."""

    latitude: float
    longitude: float
    accuracy: NotRequired[float | None]


class LocationField(TypedDict):
    """Where one is."""

    type: Literal["location"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class LookedUp(TypedDict):
    """A row that an answer names, as it was for the person who chose it."""

    pointer: str
    datasourceId: str
    version: int | None
    key: str
    data: dict[str, str | int | float | bool | None] | None


class LookupField(TypedDict):
    """A row of a datasource."""

    type: Literal["lookup"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    datasourceId: str
    display: NotRequired[list[str]]
    mapping: NotRequired[dict[str, str]]
    filter: NotRequired[dict[str, str]]


Mode: TypeAlias = Literal["REPLACE", "UPSERT"]
"""What happens to rows that do not come."""


class Named(TypedDict):
    """What something is called."""

    id: str
    name: str


class NoteField(TypedDict):
    """A text that is only shown."""

    type: Literal["note"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


NoteKind: TypeAlias = Literal["changed", "dropped", "refused", "warned"]
"""What happened to it."""


class Option(TypedDict):
    """One of the answers to choose from."""

    value: str
    label: str | dict[str, str]


class Pair(TypedDict):
    """A submission as the other side holds it."""

    id: str
    revision: int


Permission: TypeAlias = Literal[
    "audit:read",
    "customer:edit",
    "customer:read",
    "datasources:edit",
    "datasources:read",
    "forms:edit",
    "forms:publish",
    "forms:read",
    "invites:manage",
    "invites:read",
    "keys:manage",
    "keys:read",
    "people:manage",
    "people:read",
    "submissions:create",
    "submissions:edit",
    "submissions:read",
    "tasks:manage",
    "tasks:read",
    "webhooks:manage",
    "webhooks:read",
]
"""`noun:verb`."""


class PhoneField(TypedDict):
    """A telephone number."""

    type: Literal["phone"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class PhotoField(TypedDict):
    """Pictures, from the camera or a file."""

    type: Literal["photo"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    maxFiles: NotRequired[int]


class Problem(TypedDict):
    """What went wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    requestId: str
    errors: NotRequired[list[FaultShape]]


class Pull(TypedDict):
    """Where rows are fetched, and how that went."""

    url: str
    headers: dict[str, None]
    every: str
    status: PullStatus | None
    lastStarted: str | None
    lastEnded: str | None
    durationMs: int | None
    rows: int | None
    detail: str
    badRows: list[BadRowShape]
    nextDue: str | None


class PullCreate(TypedDict):
    """Where rows are to be fetched."""

    url: str
    headers: NotRequired[dict[str, str]]
    every: NotRequired[str]


PullStatus: TypeAlias = Literal["DONE", "FAILED", "RUNNING", "UNCHANGED"]
"""How the last pull went."""


class PullUpdate(TypedDict):
    """What of a pull is to be another."""

    url: NotRequired[str]
    headers: NotRequired[dict[str, str | None]]
    every: NotRequired[str]


class RatingField(TypedDict):
    """Stars, from 1 to `max`."""

    type: Literal["rating"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    max: NotRequired[int]


class Reason(TypedDict):
    """Something that was given, and what it allows there."""

    permissions: list[Permission]
    role: Named
    resource: AnyResource
    group: Named | None


class Recipients(TypedDict):
    """Who is to fill the form."""

    users: NotRequired[list[str]]
    groups: NotRequired[list[str]]


class Reconciliation(TypedDict):
    """What the other side holds of a part of the submissions."""

    submissions: list[Pair]
    formIds: NotRequired[list[str]]
    submittedFrom: NotRequired[str | None]
    submittedTo: NotRequired[str | None]


class RepeatField(TypedDict):
    """A group that is filled any number of times."""

    type: Literal["repeat"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    fields: list[AnyField]
    min: NotRequired[int]
    max: NotRequired[int]


class ReplayWish(TypedDict):
    """What is to be sent once more."""

    afterSequence: NotRequired[int | None]
    since: NotRequired[str | None]
    types: NotRequired[list[str]]


class Replayed(TypedDict):
    """What was put on its way."""

    count: int
    throughSequence: int
    more: bool


class ReportNote(TypedDict):
    """One thing that is not as it was."""

    kind: NoteKind
    sheet: str
    row: int | None
    column: str | None
    code: str
    detail: str


class Role(TypedDict):
    """A named set of permissions."""

    id: str
    customerId: str
    name: str
    permissions: list[Permission]
    builtIn: bool
    created: str
    updated: str
    revision: int


class RoleCreate(TypedDict):
    """A new role."""

    name: str
    permissions: list[Permission]


class RoleUpdate(TypedDict):
    """What changes of a role."""

    name: NotRequired[str]
    permissions: NotRequired[list[Permission]]


class Rotation(TypedDict):
    """How the secret is to be replaced."""

    overlapHours: NotRequired[int]


class RowsGiven(TypedDict):
    """Rows by the names of their columns."""

    rows: list[dict[str, str | int | float | bool | None]]


class SectionField(TypedDict):
    """A group of fields under a title, or a page of its own."""

    type: Literal["section"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    fields: list[AnyField]
    page: NotRequired[bool]


class SignatureField(TypedDict):
    """A signature drawn on the screen."""

    type: Literal["signature"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class SliderField(TypedDict):
    """A number chosen on a scale."""

    type: Literal["slider"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    min: NotRequired[int]
    max: NotRequired[int]
    step: NotRequired[int]


Source: TypeAlias = Literal["CSV", "JSON", "PULL", "XLSX"]
"""How the rows came."""


class Submission(TypedDict):
    """A filled form, with the answers to the version it was made with."""

    id: str
    customerId: str
    formId: str
    versionId: str
    status: SubmissionStatus
    data: dict[str, Any]
    externalId: str | None
    userId: str | None
    taskId: str | None
    inviteId: str | None
    location: Location | None
    lookups: list[LookedUp]
    startedAt: str
    submittedAt: str | None
    created: str
    updated: str
    revision: int
    note: str | None
    updatedBy: str | None


class SubmissionChange(TypedDict):
    """What is to change of a submission that was sent."""

    data: NotRequired[dict[str, Any]]
    status: NotRequired[Judged]
    externalId: NotRequired[str | None]
    submittedAt: NotRequired[str]
    userId: NotRequired[str | None]
    location: NotRequired[Location | None]
    note: NotRequired[str | None]


class SubmissionCreate(TypedDict):
    """A filled form that a system hands in."""

    data: dict[str, Any]
    externalId: NotRequired[str | None]
    submittedAt: NotRequired[str | None]
    userId: NotRequired[str | None]
    location: NotRequired[Location | None]


class SubmissionRevision(TypedDict):
    """What a submission was from one change to the next."""

    submissionId: str
    revision: int
    versionId: str
    status: SubmissionStatus
    data: dict[str, Any]
    externalId: str | None
    userId: str | None
    location: Location | None
    submittedAt: str | None
    note: str | None
    updatedBy: str | None
    updated: str


SubmissionStatus: TypeAlias = Literal["APPROVED", "REJECTED", "STARTED", "SUBMITTED"]
"""How far a submission has come."""


class Subscriber(TypedDict):
    """A receiver of events."""

    id: str
    customerId: str
    name: str
    url: str
    types: list[str]
    formIds: list[str]
    headers: dict[str, None]
    status: SubscriberStatus
    reason: str | None
    failingSince: str | None
    heldUntil: str | None
    oldSecretUntil: str | None
    created: str
    updated: str
    revision: int


class SubscriberChange(TypedDict):
    """What of a subscriber is to be another."""

    url: NotRequired[str]
    name: NotRequired[str]
    types: NotRequired[list[str]]
    formIds: NotRequired[list[str]]
    status: NotRequired[SubscriberStatus]
    headers: NotRequired[dict[str, str | None]]


class SubscriberCreate(TypedDict):
    """Where events are to be sent, and which."""

    url: str
    name: NotRequired[str]
    types: NotRequired[list[str]]
    formIds: NotRequired[list[str]]
    headers: NotRequired[dict[str, str]]


class SubscriberMade(TypedDict):
    """A new subscriber, with the secret that signs what is sent to it."""

    id: str
    customerId: str
    name: str
    url: str
    types: list[str]
    formIds: list[str]
    headers: dict[str, None]
    status: SubscriberStatus
    reason: str | None
    failingSince: str | None
    heldUntil: str | None
    oldSecretUntil: str | None
    created: str
    updated: str
    revision: int
    secret: str


SubscriberStatus: TypeAlias = Literal["ACTIVE", "DISABLED"]
"""Whether events are delivered."""


class Task(TypedDict):
    """A form that people are to fill."""

    id: str
    customerId: str
    formId: str
    status: TaskStatus
    recipients: Recipients
    message: str
    data: dict[str, Any]
    publishAt: str | None
    dueAt: str | None
    completeWhen: CompleteWhen
    externalId: str | None
    notify: bool
    remindBefore: str | None
    overdue: bool
    fulfilments: list[Fulfilment]
    reason: str | None
    endedAt: str | None
    updatedBy: str | None
    created: str
    updated: str
    revision: int


class TaskChange(TypedDict):
    """The task, named by `id` or by `externalId`, and what changes."""

    recipients: NotRequired[Recipients]
    message: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    publishAt: NotRequired[str | None]
    dueAt: NotRequired[str | None]
    completeWhen: NotRequired[CompleteWhen]
    notify: NotRequired[bool]
    remindBefore: NotRequired[str | None]
    id: NotRequired[str | None]
    externalId: NotRequired[str | None]


class TaskCreate(TypedDict):
    """A form that people are to fill."""

    recipients: Recipients
    message: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    publishAt: NotRequired[str | None]
    publishAfter: NotRequired[str | None]
    dueAt: NotRequired[str | None]
    completeWhen: NotRequired[CompleteWhen]
    externalId: NotRequired[str | None]
    notify: NotRequired[bool]
    remindBefore: NotRequired[str | None]


TaskStatus: TypeAlias = Literal["COMPLETED", "DECLINED", "IN_PROGRESS", "OPEN", "REVOKED", "SCHEDULED"]
"""How far a task has come."""


class TaskUpdate(TypedDict):
    """What changes of a task."""

    recipients: NotRequired[Recipients]
    message: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    publishAt: NotRequired[str | None]
    dueAt: NotRequired[str | None]
    completeWhen: NotRequired[CompleteWhen]
    notify: NotRequired[bool]
    remindBefore: NotRequired[str | None]


Template = TypedDict(
    "Template",
    {
        "id": "str",
        "global": "bool",
        "name": "str",
        "description": "str",
        "language": "str",
        "tags": "list[str]",
        "fields": "list[AnyField]",
        "settings": "FormSettings",
        "created": "str",
        "updated": "str",
        "revision": "int",
    },
)
"""A definition to start forms from."""


class TemplateWrite(TypedDict):
    """A definition to start forms from."""

    name: str
    fields: list[AnyField]
    description: NotRequired[str]
    language: NotRequired[str]
    tags: NotRequired[list[str]]
    settings: NotRequired[FormSettings | None]


class TextField(TypedDict):
    """One line of text."""

    type: Literal["text"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    minLength: NotRequired[int]
    maxLength: NotRequired[int]
    pattern: NotRequired[str]
    default: NotRequired[str]


class TextareaField(TypedDict):
    """Several lines of text."""

    type: Literal["textarea"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]
    maxLength: NotRequired[int]
    default: NotRequired[str]


class TimeField(TypedDict):
    """A time of day, `14:30`."""

    type: Literal["time"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class UrlField(TypedDict):
    """The address of a web page."""

    type: Literal["url"]
    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class User(TypedDict):
    """A person of the account."""

    id: str
    customerId: str
    email: str
    name: str
    language: str
    status: UserStatus
    groups: list[str]
    grants: list[Grant]
    created: str
    updated: str
    revision: int


class UserChange(TypedDict):
    """What changes of a person."""

    email: NotRequired[str]
    name: NotRequired[str]
    language: NotRequired[str]
    status: NotRequired[UserStatus]
    groups: NotRequired[list[str]]
    grants: NotRequired[list[Grant]]


class UserCreate(TypedDict):
    """A new person, who is invited."""

    email: str
    name: str
    language: NotRequired[str]
    status: NotRequired[UserStatus]
    groups: NotRequired[list[str]]
    grants: NotRequired[list[Grant]]


UserStatus: TypeAlias = Literal["ACTIVE", "DISABLED", "INVITED"]
"""Whether a person can sign in."""


class Verdict(TypedDict):
    """Whether a definition works, and what keeps it from it."""

    valid: bool
    errors: list[FaultShape]


class Version(TypedDict):
    """A version of a form."""

    id: str
    formId: str
    number: int
    status: VersionStatus
    remarks: str
    fields: list[AnyField]
    settings: FormSettings
    created: str
    createdBy: str | None
    updated: str
    updatedBy: str | None
    revision: int


class VersionChanges(TypedDict):
    """All that changed between two versions."""

    since: str
    versionId: str
    breaking: bool
    changes: list[FieldChange]


VersionStatus: TypeAlias = Literal["DRAFT", "FINAL"]
"""A draft can be changed."""


class VersionWrite(TypedDict):
    """What a version asks."""

    fields: list[AnyField]
    settings: NotRequired[FormSettings]
    remarks: NotRequired[str]


AnyField: TypeAlias = (
    TextField
    | TextareaField
    | EmailField
    | PhoneField
    | UrlField
    | IntegerField
    | DecimalField
    | BooleanField
    | DateField
    | TimeField
    | DatetimeField
    | ChoiceField
    | ChoicesField
    | LookupField
    | RatingField
    | SliderField
    | PhotoField
    | SignatureField
    | FileField
    | LocationField
    | BarcodeField
    | NoteField
    | SectionField
    | RepeatField
)


AnyResource: TypeAlias = AccountResource | FolderResource | FormResource
