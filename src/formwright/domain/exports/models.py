"""Exports, their runs, and the package's errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from formwright.core.clock import to_local, to_milliseconds
from formwright.core.errors import Conflict, NotFound

ID_PREFIX, RUN_PREFIX = "exp", "run"
MAX_EXPORTS = 100
MAX_RECIPIENTS = 20
RETENTION_DAYS = 7
DOWNLOAD_RETENTION_MS = 3_600_000
MAX_DOWNLOADS = 5
"""How many downloads a person has at once. A new one replaces the oldest finished one."""
REPORT_ZIP, PERSONAL_DATA_ZIP, ERASURE = "pdf.zip", "zip", "erasure"
"""The kinds of downloads that are not tables. An erasure has no file, only progress and an outcome."""
DAY_MS = 24 * 3600 * 1000


class ExportFormat(StrEnum):
    """The file format of an export."""

    CSV = "CSV"
    XLSX = "XLSX"
    NDJSON = "NDJSON"
    PARQUET = "PARQUET"


class ExportInterval(StrEnum):
    """How often an export runs."""

    HOURLY = "HOURLY"
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"


class ExportState(StrEnum):
    """The state of a run."""

    WAITING = "WAITING"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


_UNUSED: Mapping[ExportInterval, Sequence[str]] = {
    ExportInterval.HOURLY: ("hour", "weekday", "day"),
    ExportInterval.DAILY: ("weekday", "day"),
    ExportInterval.WEEKLY: ("day",),
    ExportInterval.MONTHLY: ("weekday",),
}
"""The properties of a schedule that have no effect, by its interval."""


class Schedule(msgspec.Struct, frozen=True, omit_defaults=True):
    """When an export runs, in the account's time zone.

    `hour` is not for hourly exports. `weekday` (1 is Monday) is for weekly ones, and `day` for monthly ones: the last
    day of a month that is shorter.
    """

    every: ExportInterval
    hour: int = 6
    minute: int = 0
    weekday: int = 1
    day: int = 1

    def without_effect(self) -> list[str]:
        """Return the properties that have no effect and another value than the default, which responses contain."""
        plain = Schedule(self.every)
        return [name for name in _UNUSED[self.every] if getattr(self, name) != getattr(plain, name)]

    def normalize(self) -> "Schedule":
        """Return the same times, with the defaults of what has no effect."""
        plain = Schedule(self.every)
        return replace(self, **{name: getattr(plain, name) for name in _UNUSED[self.every]})

    def next_time(self, after: int, zone: str) -> int:
        """Return the first time later than `after`, both in milliseconds.

        A time that is skipped when clocks are set forward is moved by that hour. A time that occurs twice counts once.
        """
        local = to_local(after, zone)
        if self.every is ExportInterval.HOURLY:
            # Local minutes differ from those in UTC in zones such as Asia/Kolkata (UTC+05:30).
            wait = (self.minute - local.minute) % 60 or 60
            return after // 60_000 * 60_000 + wait * 60_000
        day = local.date()
        while True:
            if self._includes(day.isoweekday(), day.day, (day + timedelta(days=1)).day == 1):
                at = datetime(day.year, day.month, day.day, self.hour, self.minute, tzinfo=local.tzinfo)
                if (ms := to_milliseconds(at)) > after:
                    return ms
            day += timedelta(days=1)

    def _includes(self, weekday: int, day: int, is_last: bool) -> bool:
        if self.every is ExportInterval.WEEKLY:
            return weekday == self.weekday
        if self.every is ExportInterval.MONTHLY:
            return day == self.day or (is_last and day < self.day)
        return True


class DestinationType(StrEnum):
    """Where an export writes its files: into a folder that the operator offers, or an S3-compatible bucket."""

    FOLDER = "FOLDER"
    S3 = "S3"


class Destination(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where an export writes its files, beside the file storage of the server.

    `folder` is the name of a folder that the operator offers. `endpoint`, `region`, `bucket` and `access_key_id` are
    those of a bucket; without `endpoint`, it is at AWS. `path` is a folder in either.
    """

    type: DestinationType
    path: str = ""
    folder: str = ""
    endpoint: str = ""
    region: str = ""
    bucket: str = ""
    access_key_id: str = ""

    @property
    def server(self) -> tuple[str, str, str, str]:
        """To whom the credentials belong."""
        return self.endpoint, self.region, self.bucket, self.access_key_id

    def location(self, customer_id: str, folder: str) -> str:
        """Return where a folder of the destination is, for people."""
        root = f"s3://{self.bucket}" if self.type is DestinationType.S3 else f"{self.folder}/{customer_id}"
        return "/".join(part for part in (root, self.path, folder) if part)


class ExportSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an export writes, when, and whom it notifies.

    `incremental` leaves out what has not changed since the last completed run. `recipients` are ids of users.
    """

    format: ExportFormat
    view_id: str | None = None
    schedule: Schedule | None = None
    incremental: bool = False
    recipients: tuple[str, ...] = ()
    destination: Destination | None = None


@dataclass(frozen=True, slots=True)
class NewExport:
    """The properties of an export to create, or to replace another with. Without `form_id`, it has all forms.

    `secret_access_key` is for a bucket; None keeps the stored one.
    """

    name: str
    form_id: str | None
    settings: ExportSettings
    secret_access_key: str | None = None


class RunFile(msgspec.Struct, frozen=True):
    """A file of a run: its name, the number of submissions, its size in bytes, and its SHA-256 in hexadecimal.

    `key` is its key in the file storage.
    """

    name: str
    rows: int
    size: int
    sha256: str
    key: str


class Download(msgspec.Struct, frozen=True):
    """What a person requested on a page: a file, or an erasure.

    `kind` is the extension of the file, or `ERASURE`. `query` is the query string of the list of submissions, or of the
    person whose data it is about. `address` is the network address of the request, for the audit log. `origin` is the
    address of the pages, to which links in the file lead.
    """

    kind: str
    name: str
    query: str
    address: str = ""
    origin: str = ""

    @property
    def is_about_person(self) -> bool:
        """Whether it is about the data of one person, whom the query names."""
        return self.kind in (PERSONAL_DATA_ZIP, ERASURE)

    def is_same(self, other: "Download") -> bool:
        """Whether both have the same content."""
        return (self.kind, self.query) == (other.kind, other.query)


@dataclass(frozen=True, slots=True)
class ExportRun:
    """A run of an export, or a download: a run without an export, which the user `user_id` requested on a page.

    Times are in milliseconds.

    An incremental run has exactly the changes after `since`, or all if that is None, up to `through`. Others have all
    submissions as they are when they are read, so also some later changes; their `since` is None. Files are deleted
    from the server when the run `expires`. `location` is where the destination has them, for people. While a download
    runs, `through` is set once all submissions are read.
    """

    id: str
    customer_id: str
    export_id: str
    form_id: str | None
    state: ExportState
    since: int | None
    through: int | None
    rows: int
    files: Sequence[RunFile]
    detail: str
    started: int | None
    ended: int | None
    expires: int | None
    created: int
    updated: int
    revision: int
    location: str | None = None
    user_id: str | None = None
    download: Download | None = None

    @property
    def is_running(self) -> bool:
        """Whether the run has not ended yet."""
        return self.state in (ExportState.WAITING, ExportState.RUNNING)

    def has_files(self, now: int) -> bool:
        """Whether the files can be downloaded."""
        return self.state is ExportState.COMPLETED and self.expires is not None and now < self.expires


@dataclass(slots=True)
class Progress:
    """How far a run is: how many submissions are written, and whether all are read."""

    rows: int = 0
    has_read_all: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """An export. It runs with the permissions of `owner_id`, the user or API key that changed it last.

    `due` is when it runs next, and `through` the time up to which changes have been exported; both in milliseconds.
    `secret` is the encrypted secret access key of its bucket.
    """

    id: str
    customer_id: str
    name: str
    form_id: str | None
    owner_id: str
    settings: ExportSettings
    due: int | None
    through: int | None
    latest_run_id: str | None
    created: int
    updated: int
    revision: int
    secret: str | None = None

    @property
    def coverage(self) -> tuple[str | None, str | None, bool]:
        """Return what decides which changes the runs contain. If it changes, `through` no longer applies."""
        return self.form_id, self.settings.view_id, self.settings.incremental


class ExportNotFound(NotFound):
    """The account has no export with this id, or the actor may not read its form."""

    code = "export.not_found"
    detail = "There is no such export in this account."


class ExportRunNotFound(NotFound):
    """The export has no run with this id."""

    code = "export_run.not_found"
    detail = "There is no such run of this export."


class ExportRunning(Conflict):
    """A run of the export is in progress."""

    code = "export.running"
    detail = "A run of this export is already in progress. Wait until it has ended."


class ExportNoDestination(Conflict):
    """The export writes to the server only."""

    code = "export.no_destination"
    detail = "This export has no destination. Its files can be downloaded from the server."


class ExportLimitReached(Conflict):
    """The account already has the maximum number of exports."""

    code = "export.limit_reached"
    detail = f"An account can have at most {MAX_EXPORTS} exports. Delete one that is no longer used."
