"""Schemas of Exports."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict, final

DestinationType: TypeAlias = Literal["FOLDER", "S3"]
"""Where an export writes its files: into a folder that the operator offers, or an S3-compatible bucket."""


@final
class Export(TypedDict):
    """An export of submissions to files, once or on a schedule."""

    id: str
    """The id of an export."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the export."""
    formId: str | None
    """The form whose submissions are exported. Null: all forms, with a file for each."""
    viewId: str | None
    """A saved view, whose filter, order and columns the export has. It follows changes of the view. A view
    of all forms can be used for any form.
    """
    format: ExportFormat
    """The file format."""
    schedule: ExportSchedule | None
    """When the export runs. Null: only when it is created, and when you start a run."""
    incremental: bool
    """Export only submissions that were created or changed since the last completed run. The first run has
    all of them, and so has the next one after you change the form, the view or this property. Deletions
    are in the event log only.
    """
    recipients: list[str]
    """The users who receive an email after each run. It links to the export, where they sign in."""
    destination: ExportDestination | None
    """A folder or a bucket to which each run writes its files, too. Null: only on the server, for download."""
    ownerId: str
    """The user or API key that saved the export last. Each run has the permissions that they hold at that
    time.
    """
    nextRunAt: str | None
    """When the export runs next; null without a schedule."""
    latestRun: ExportRun | None
    """The newest run."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class ExportDestination(TypedDict):
    """A folder or a bucket to which an export writes its files, without the secret access key."""

    type: DestinationType
    """`FOLDER`: a folder that the operator offers. `S3`: a bucket of AWS or a compatible service."""
    path: str
    """A folder in it, such as `exports/daily`. Each run writes to a subfolder of its own."""
    folder: str
    """For `FOLDER`: the name of the folder."""
    endpoint: str
    """For `S3`: the URL of the service, unless it is AWS."""
    region: str
    """For `S3`: the region."""
    bucket: str
    """For `S3`: the name of the bucket."""
    accessKeyId: str
    """For `S3`: the access key ID."""


@final
class ExportDestinationTest(TypedDict):
    """Whether an export can write to its destination."""

    success: bool
    """Whether a file could be written."""
    detail: str
    """Why not, or what else to know; for people."""


@final
class ExportDestinationWrite(TypedDict):
    """A folder or a bucket to which an export writes its files."""

    type: DestinationType
    """`FOLDER`: a folder that the operator offers. `S3`: a bucket of AWS or a compatible service."""
    path: NotRequired[str]
    """A folder in it, such as `exports/daily`. Each run writes to a subfolder of its own."""
    folder: NotRequired[str]
    """For `FOLDER`: the name of the folder."""
    endpoint: NotRequired[str]
    """For `S3`: the URL of the service, unless it is AWS."""
    region: NotRequired[str]
    """For `S3`: the region."""
    bucket: NotRequired[str]
    """For `S3`: the name of the bucket."""
    accessKeyId: NotRequired[str]
    """For `S3`: the access key ID."""
    secretAccessKey: NotRequired[str | None]
    """For `S3`: the secret access key. It is stored encrypted and never returned. Null keeps the stored one."""


@final
class ExportFile(TypedDict):
    """A file of a run."""

    name: str
    """The file name."""
    rows: int
    """The number of submissions in the file."""
    size: int
    """The size in bytes."""
    sha256: str
    """The SHA-256 of the content, in hexadecimal."""
    url: str | None
    """A download link, which needs no API key and supports range requests. Null in events, and after the
    file was deleted.
    """
    urlExpiresAt: str | None
    """When the link expires, after 15 to 20 minutes."""


ExportFormat: TypeAlias = Literal["CSV", "NDJSON", "PARQUET", "XLSX"]
"""The file format of an export."""

ExportInterval: TypeAlias = Literal["DAILY", "HOURLY", "MONTHLY", "WEEKLY"]
"""How often an export runs."""


@final
class ExportRun(TypedDict):
    """A run of an export."""

    id: str
    """The id of a run of an export."""
    exportId: str
    """The id of an export."""
    formId: str | None
    """The form whose submissions are exported. Null: all forms, with a file for each."""
    status: ExportState
    """`WAITING` until a worker begins, then `RUNNING`, and finally `COMPLETED` or `FAILED`."""
    since: str | None
    """The run has the submissions that changed after this time; null if it has all of them."""
    through: str | None
    """The run includes all changes up to this time and, if it is incremental, no later ones. Null until a
    worker begins.
    """
    rows: int
    """The number of submissions exported so far."""
    files: list[ExportFile]
    """The files of a completed run. The last one is `manifest.json`, which lists the others with their
    `rows` and `sha256`, and `through`.
    """
    location: str | None
    """The folder of the run in the destination; null without a destination, and until a worker begins."""
    detail: str
    """Why the run failed, for people."""
    startedAt: str | None
    """When a worker began."""
    endedAt: str | None
    """When the run ended."""
    filesExpireAt: str | None
    """When the files are deleted, 7 days after the end."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class ExportSchedule(TypedDict):
    """When an export runs, in the time zone of the account."""

    every: ExportInterval
    """How often the export runs."""
    hour: NotRequired[int]
    """The hour of a daily, weekly or monthly export; not for one that runs hourly."""
    minute: NotRequired[int]
    """The minute."""
    weekday: NotRequired[int]
    """The day of a weekly export: 1 is Monday, 7 is Sunday."""
    day: NotRequired[int]
    """The day of a monthly export; the last day of shorter months."""


ExportState: TypeAlias = Literal["COMPLETED", "FAILED", "RUNNING", "WAITING"]
"""The state of a run."""


@final
class ExportWrite(TypedDict):
    """An export to create, or to replace another with."""

    name: str
    """The name of the export."""
    formId: NotRequired[str | None]
    """The form whose submissions are exported. Null: all forms, with a file for each."""
    viewId: NotRequired[str | None]
    """A saved view, whose filter, order and columns the export has. It follows changes of the view. A view
    of all forms can be used for any form.
    """
    format: NotRequired[ExportFormat]
    """The file format."""
    schedule: NotRequired[ExportSchedule | None]
    """When the export runs. Null: only when it is created, and when you start a run."""
    incremental: NotRequired[bool]
    """Export only submissions that were created or changed since the last completed run. The first run has
    all of them, and so has the next one after you change the form, the view or this property. Deletions
    are in the event log only.
    """
    recipients: NotRequired[list[str]]
    """The users who receive an email after each run. It links to the export, where they sign in."""
    destination: NotRequired[ExportDestinationWrite | None]
    """A folder or a bucket to which each run writes its files, too. Null: only on the server, for download."""
