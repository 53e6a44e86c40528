"""Schemas of exports and their runs."""

from collections.abc import Callable
from typing import Annotated, ClassVar

from msgspec import Meta

from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    ExportId,
    FormId,
    Name,
    RequestBody,
    Resource,
    Revision,
    RunId,
    Timestamp,
    Updated,
    UserId,
    ViewId,
    optional_time,
)
from formwright.core.clock import rfc3339
from formwright.domain.exports import models
from formwright.domain.exports.models import (
    MAX_RECIPIENTS,
    RETENTION_DAYS,
    Destination,
    DestinationType,
    ExportFormat,
    ExportInterval,
    ExportSettings,
    ExportState,
    NewExport,
    RunFile,
)

_FORM = Meta(description="The form whose submissions are exported. Null: all forms, with a file for each.")
_VIEW = Meta(
    description="A saved view, whose filter, order and columns the export has. It follows changes of the view. A view"
    " of all forms can be used for any form."
)
_INCREMENTAL = Meta(
    description="Export only submissions that were created or changed since the last completed run. The first run has"
    " all of them, and so has the next one after you change the form, the view or this property. Deletions are in the"
    " event log only."
)
_RECIPIENTS = Meta(
    max_length=MAX_RECIPIENTS,
    description="The users who receive an email after each run. It links to the export, where they sign in.",
)
_DESTINATION = Meta(
    description="A folder or a bucket to which each run writes its files, too. Null: only on the server, for download."
)
_SCHEDULE = Meta(description="When the export runs. Null: only when it is created, and when you start a run.")
SignFile = Callable[[models.ExportRun, int], tuple[str, str]]
"""Returns the download link of a file, by its number, and when it expires."""


class ExportSchedule(RequestBody):
    """When an export runs, in the time zone of the account."""

    every: Annotated[ExportInterval, Meta(description="How often the export runs.")]
    hour: Annotated[
        int,
        Meta(ge=0, le=23, description="The hour of a daily, weekly or monthly export; not for one that runs hourly."),
    ] = 6
    minute: Annotated[int, Meta(ge=0, le=59, description="The minute.")] = 0
    weekday: Annotated[int, Meta(ge=1, le=7, description="The day of a weekly export: 1 is Monday, 7 is Sunday.")] = 1
    day: Annotated[
        int, Meta(ge=1, le=31, description="The day of a monthly export; the last day of shorter months.")
    ] = 1


_TYPE = Meta(description="`FOLDER`: a folder that the operator offers. `S3`: a bucket of AWS or a compatible service.")
_PATH = Meta(
    max_length=200, description="A folder in it, such as `exports/daily`. Each run writes to a subfolder of its own."
)
_FOLDER = Meta(max_length=40, description="For `FOLDER`: the name of the folder.")
_ENDPOINT = Meta(
    max_length=500,
    description="For `S3`: the URL of the service, unless it is AWS.",
    examples=["https://objects.example.org"],
)
_REGION = Meta(max_length=40, description="For `S3`: the region.", examples=["eu-central-1"])
_BUCKET = Meta(max_length=63, description="For `S3`: the name of the bucket.")
_ACCESS_KEY = Meta(max_length=128, description="For `S3`: the access key ID.")


class ExportDestinationWrite(RequestBody):
    """A folder or a bucket to which an export writes its files. Properties of the other type are ignored."""

    type: Annotated[DestinationType, _TYPE]
    path: Annotated[str, _PATH] = ""
    folder: Annotated[str, _FOLDER] = ""
    endpoint: Annotated[str, _ENDPOINT] = ""
    region: Annotated[str, _REGION] = ""
    bucket: Annotated[str, _BUCKET] = ""
    access_key_id: Annotated[str, _ACCESS_KEY] = ""
    secret_access_key: Annotated[
        Annotated[str, Meta(max_length=500)] | None,
        Meta(
            description="For `S3`: the secret access key. It is stored encrypted and never returned. Null keeps the"
            " stored one."
        ),
    ] = None

    def to_domain(self) -> Destination:
        if self.type is DestinationType.FOLDER:
            return Destination(self.type, self.path, self.folder)
        return Destination(
            self.type, self.path, "", self.endpoint.rstrip("/"), self.region, self.bucket, self.access_key_id
        )


class ExportDestination(Resource):
    """A folder or a bucket to which an export writes its files, without the secret access key."""

    type: Annotated[DestinationType, _TYPE]
    path: Annotated[str, _PATH]
    folder: Annotated[str, _FOLDER]
    endpoint: Annotated[str, _ENDPOINT]
    region: Annotated[str, _REGION]
    bucket: Annotated[str, _BUCKET]
    access_key_id: Annotated[str, _ACCESS_KEY]


class ExportDestinationTest(Resource):
    """Whether an export can write to its destination."""

    success: Annotated[bool, Meta(description="Whether a file could be written.")]
    detail: Annotated[str, Meta(description="Why not, or what else to know; for people.")]


class ExportWrite(RequestBody):
    """An export to create, or to replace another with."""

    name: Annotated[Name, Meta(pattern=r"\S", description="The name of the export.")]
    form_id: Annotated[FormId | None, _FORM] = None
    view_id: Annotated[ViewId | None, _VIEW] = None
    format: Annotated[ExportFormat, Meta(description="The file format.")] = ExportFormat.CSV
    schedule: Annotated[ExportSchedule | None, _SCHEDULE] = None
    incremental: Annotated[bool, _INCREMENTAL] = False
    recipients: Annotated[list[UserId], _RECIPIENTS] = []
    destination: Annotated[ExportDestinationWrite | None, _DESTINATION] = None

    def to_domain(self) -> NewExport:
        one = self.schedule
        schedule = models.Schedule(one.every, one.hour, one.minute, one.weekday, one.day) if one else None
        recipients = tuple(dict.fromkeys(self.recipients))
        to = self.destination
        settings = ExportSettings(
            self.format, self.view_id, schedule, self.incremental, recipients, to.to_domain() if to else None
        )
        return NewExport(self.name, self.form_id, settings, to.secret_access_key if to else None)


class ExportFile(Resource):
    """A file of a run."""

    name: Annotated[str, Meta(description="The file name.", examples=["Site visit.csv"])]
    rows: Annotated[int, Meta(description="The number of submissions in the file.")]
    size: Annotated[int, Meta(description="The size in bytes.")]
    sha256: Annotated[str, Meta(description="The SHA-256 of the content, in hexadecimal.")]
    url: Annotated[
        str | None,
        Meta(
            description="A download link, which needs no API key and supports range requests. Null in events, and after"
            " the file was deleted."
        ),
    ]
    url_expires_at: Annotated[Timestamp | None, Meta(description="When the link expires, after 15 to 20 minutes.")]


class ExportRun(Resource):
    """A run of an export."""

    drifting: ClassVar[tuple[str, ...]] = ("files",)

    id: RunId
    export_id: ExportId
    form_id: Annotated[FormId | None, _FORM]
    status: Annotated[
        ExportState,
        Meta(description="`WAITING` until a worker begins, then `RUNNING`, and finally `COMPLETED` or `FAILED`."),
    ]
    since: Annotated[
        Timestamp | None,
        Meta(description="The run has the submissions that changed after this time; null if it has all of them."),
    ]
    through: Annotated[
        Timestamp | None,
        Meta(
            description="The run includes all changes up to this time and, if it is incremental, no later ones. Null"
            " until a worker begins."
        ),
    ]
    rows: Annotated[int, Meta(description="The number of submissions exported so far.")]
    files: Annotated[
        list[ExportFile],
        Meta(
            description="The files of a completed run. The last one is `manifest.json`, which lists the others with"
            " their `rows` and `sha256`, and `through`."
        ),
    ]
    location: Annotated[
        str | None,
        Meta(
            description="The folder of the run in the destination; null without a destination, and until a worker"
            " begins.",
            examples=["s3://reports/daily/20261125T050000Z-run_01m7z1hr23e5sbfrwj4ttgd02d"],
        ),
    ]
    detail: Annotated[str, Meta(description="Why the run failed, for people.")]
    started_at: Annotated[Timestamp | None, Meta(description="When a worker began.")]
    ended_at: Annotated[Timestamp | None, Meta(description="When the run ended.")]
    files_expire_at: Annotated[
        Timestamp | None,
        Meta(description=f"When the files are deleted, {RETENTION_DAYS} days after the end."),
    ]
    created: Created
    updated: Updated
    revision: Revision


class Export(Resource):
    """An export of submissions to files, once or on a schedule."""

    drifting: ClassVar[tuple[str, ...]] = ("next_run_at", "latest_run")

    id: ExportId
    customer_id: CustomerId
    name: Annotated[str, Meta(description="The name of the export.")]
    form_id: Annotated[FormId | None, _FORM]
    view_id: Annotated[ViewId | None, _VIEW]
    format: Annotated[ExportFormat, Meta(description="The file format.")]
    schedule: Annotated[ExportSchedule | None, _SCHEDULE]
    incremental: Annotated[bool, _INCREMENTAL]
    recipients: Annotated[list[UserId], _RECIPIENTS]
    destination: Annotated[ExportDestination | None, _DESTINATION]
    owner_id: Annotated[
        str,
        Meta(
            description="The user or API key that saved the export last. Each run has the permissions that they hold at"
            " that time."
        ),
    ]
    next_run_at: Annotated[Timestamp | None, Meta(description="When the export runs next; null without a schedule.")]
    latest_run: Annotated[ExportRun | None, Meta(description="The newest run.")]
    created: Created
    updated: Updated
    revision: Revision


def run(record: models.ExportRun, sign: SignFile | None) -> ExportRun:
    """Return a run; without `sign`, its files have no links."""
    return ExportRun.of(
        record,
        status=record.state,
        files=[_file(file, sign and sign(record, number)) for number, file in enumerate(record.files)],
        started_at=optional_time(record.started),
        ended_at=optional_time(record.ended),
        files_expire_at=optional_time(record.expires),
    )


def _file(file: RunFile, link: tuple[str, str] | None) -> ExportFile:
    url, expires = link or (None, None)
    return ExportFile.of(file, url=url or None, url_expires_at=rfc3339(int(expires) * 1000) if expires else None)


def export(record: models.Export, latest: models.ExportRun | None, sign: SignFile) -> Export:
    """Return an export with its latest run."""
    settings = record.settings
    return Export.of(
        record,
        view_id=settings.view_id,
        format=settings.format,
        schedule=settings.schedule and ExportSchedule.of(settings.schedule.normalize()),
        incremental=settings.incremental,
        recipients=list(settings.recipients),
        destination=settings.destination and ExportDestination.of(settings.destination),
        next_run_at=optional_time(record.due),
        latest_run=run(latest, sign) if latest else None,
    )
