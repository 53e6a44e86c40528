"""Background jobs of one person, such as exports that take longer than a request, and the files they produce.

Each job has a folder in the data directory, named after the person's id and a random id, with its state and its file.
All processes of a server see it, whichever of them runs the job. Files are kept for an hour. A job is cancelled by
removing its folder; the process that runs it notices within a second.
"""

import asyncio
import re
import secrets
import shutil
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

import msgspec
import structlog
from msgspec.structs import replace

from formwright.core.clock import Clock
from formwright.core.errors import DomainError, Unavailable
from formwright.web.http import Request

RETENTION_MS = 3_600_000
ZIP = "zip"
"""Kind of the file with all personal data of one person."""
MAX_EXPORTS = 5
"""How many exports a person has at once. A new one replaces the oldest finished one."""
_STALE_MS = 30_000
_CLEANUP_INTERVAL_S = 600
_FOLDER_NAME = re.compile(r"(usr_[0-9a-z]{26})\.([0-9a-f]{32})")
_STATE, _FILE = "state.json", "file"
SERVER_STOPPED = "The server was restarted. Try again."

log = structlog.get_logger()


class Stage(StrEnum):
    """The progress of an export."""

    READING = "READING"
    WRITING = "WRITING"
    READY = "READY"
    FAILED = "FAILED"


RUNNING_STAGES = (Stage.READING, Stage.WRITING)


class Export(msgspec.Struct, frozen=True):
    """The state of an export, stored as JSON in its folder.

    `kind` is the extension of the file, `query` the query string of the list it was started from, and `rows` the number
    of submissions written so far. `made` and `touched` are timestamps in milliseconds. `customer_id` is set only for a
    zip of personal data, which has no form.
    """

    id: str
    user_id: str
    form_id: str
    kind: str
    name: str
    query: str
    made: int
    touched: int
    stage: Stage = Stage.READING
    rows: int = 0
    fault: str = ""
    customer_id: str = ""

    @property
    def is_running(self) -> bool:
        return self.stage in RUNNING_STAGES


class ExportStore:
    """Stores exports as folders. All methods do blocking file I/O: call them in a thread, not on the event loop."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder, self._clock = folder, clock

    def create(self, user_id: str, form_id: str, kind: str, name: str, query: str, *, customer_id: str = "") -> Export:
        """Create an export and return it.

        Raises `Unavailable` if the person already has the maximum number of running exports, or if the folder cannot be
        written.
        """
        self._remove_oldest(user_id)
        now = self._clock.now()
        export = Export(secrets.token_hex(16), user_id, form_id, kind, name, query, now, now, customer_id=customer_id)
        try:
            self._folder_of(export).mkdir(mode=0o700, parents=True)
            self._save_state(export)
        except OSError as error:
            log.warning("cannot write an export to the data folder", why=str(error))
            raise Unavailable() from error
        return export

    def _remove_oldest(self, user_id: str) -> None:
        """Remove failed exports, and the oldest finished ones until there is room for another."""
        exports = self.list_by_user(user_id)
        for failed_export in exports:
            if failed_export.stage is Stage.FAILED:
                self.remove(failed_export)
        active = [export for export in exports if export.stage is not Stage.FAILED]
        while len(active) >= MAX_EXPORTS:
            finished = [export for export in active if not export.is_running]
            if not finished:
                raise Unavailable(
                    f"You already have {MAX_EXPORTS} exports in progress. Wait for one to finish or cancel one."
                )
            self.remove(finished[-1])
            active.remove(finished[-1])

    def list_by_user(self, user_id: str) -> list[Export]:
        """Return the exports of a person, newest first."""
        exports = [self.find(user_id, export_id) for owner, export_id in self._list_ids() if owner == user_id]
        return sorted((export for export in exports if export), key=lambda export: export.made, reverse=True)

    def find(self, user_id: str, export_id: str) -> Export | None:
        """Return the current state of an export; None if it belongs to someone else, has expired or does not exist.

        A running export whose state has not been updated for 30 seconds is returned as failed.
        """
        if not _FOLDER_NAME.fullmatch(f"{user_id}.{export_id}"):
            return None
        try:
            export = msgspec.json.decode((self._folder / f"{user_id}.{export_id}" / _STATE).read_bytes(), type=Export)
        except (OSError, msgspec.MsgspecError):
            return None
        idle_ms = self._clock.now() - export.touched
        if idle_ms > RETENTION_MS:
            return None
        is_stale = export.is_running and idle_ms > _STALE_MS
        return msgspec.structs.replace(export, stage=Stage.FAILED, fault=SERVER_STOPPED) if is_stale else export

    def save_progress(self, export: Export) -> bool:
        """Save the state. Return False if the export was cancelled."""
        try:
            self._save_state(msgspec.structs.replace(export, touched=self._clock.now()))
        except FileNotFoundError:
            return False
        except OSError as error:
            log.warning("cannot save the progress of an export", why=str(error))
        return True

    def _save_state(self, export: Export) -> None:
        new = self._folder_of(export) / f"{_STATE}.new"
        new.write_bytes(msgspec.json.encode(export))
        new.replace(self._folder_of(export) / _STATE)

    def _folder_of(self, export: Export) -> Path:
        return self._folder / f"{export.user_id}.{export.id}"

    def content_path(self, export: Export) -> Path:
        """The path of the export's file. Other files in the same folder are removed together with it."""
        return self._folder_of(export) / _FILE

    def delete_content(self, export: Export) -> None:
        """Delete everything in the export's folder except its state."""
        with suppress(OSError):
            for path in self._folder_of(export).iterdir():
                if path.name != _STATE:
                    path.unlink(missing_ok=True)

    def remove(self, export: Export) -> None:
        """Remove an export. If its job is running, this cancels it."""
        _delete_folder(self._folder_of(export))

    def remove_related(self, customer_id: str, form_ids: Collection[str], user_id: str) -> None:
        """Remove all exports of these forms, all of a person, and every zip of the account."""
        for owner, export_id in self._list_ids():
            export = self.find(owner, export_id)
            # Exports of older releases have no customer_id.
            is_zip = export and export.kind == ZIP and export.customer_id in (customer_id, "")
            if export and (owner == user_id or export.form_id in form_ids or is_zip):
                self.remove(export)

    def remove_expired(self) -> None:
        """Remove exports that are more than an hour old."""
        cutoff = time.time() - RETENTION_MS / 1000
        for deleted in self._folder.glob("*.gone"):
            shutil.rmtree(deleted, ignore_errors=True)
        for owner, export_id in self._list_ids():
            path = self._folder / f"{owner}.{export_id}"
            with suppress(OSError):
                if self.find(owner, export_id) is None and ((path / _STATE).exists() or path.stat().st_mtime < cutoff):
                    _delete_folder(path)

    def _list_ids(self) -> Iterator[tuple[str, str]]:
        with suppress(FileNotFoundError):
            for path in list(self._folder.iterdir()):
                if match := _FOLDER_NAME.fullmatch(path.name):
                    yield match[1], match[2]


def _delete_folder(path: Path) -> None:
    """Delete a folder. It is renamed first, so that a running job cannot write into it any more."""
    renamed = path.with_name(f"{path.name}.gone")
    with suppress(OSError):
        path.rename(renamed)
    shutil.rmtree(renamed, ignore_errors=True)


async def remove_expired_exports(exports: ExportStore) -> None:
    """Remove expired exports every ten minutes, until cancelled."""
    while True:
        try:
            await asyncio.to_thread(exports.remove_expired)
        except Exception:
            log.exception("cannot remove expired exports")
        await asyncio.sleep(_CLEANUP_INTERVAL_S)


_REPORT_INTERVAL_S = 1.0
_INTERNAL_ERROR = "Something went wrong. Try again."


class Job:
    """A running job: the state of its export, and an event that is set when it has finished."""

    def __init__(self, export: Export) -> None:
        self.export, self.finished = export, asyncio.Event()


async def run_job(exports: ExportStore, export: Export, work: Callable[[Job], Awaitable[None]]) -> None:
    """Run `work` and keep the stored state up to date, including the final stage.

    Domain errors, such as that what it reads was deleted in the meantime, fail the job with their message. Other errors
    are logged, and fail it with a general message.
    """
    job, task = Job(export), asyncio.current_task()
    reporter = asyncio.create_task(_report_progress(exports, job, task))
    stage, fault = Stage.FAILED, _INTERNAL_ERROR
    try:
        await work(job)
        stage, fault = Stage.READY, ""
    except DomainError as error:
        fault = error.text
        log.info("background job refused", export=export.id, kind=export.kind, code=error.code)
    except asyncio.CancelledError:
        fault = SERVER_STOPPED
        raise
    except Exception:
        log.exception("background job failed", export=export.id, kind=export.kind)
    finally:
        if stage is Stage.FAILED:
            exports.delete_content(export)
        job.export = replace(job.export, stage=stage, fault=fault)
        job.finished.set()
        await reporter


async def _report_progress(exports: ExportStore, job: Job, task: asyncio.Task[None] | None) -> None:
    """Save the state every second and once at the end. Cancel `task` if the export was removed."""
    finished = False
    while not finished:
        with suppress(TimeoutError):
            await asyncio.wait_for(job.finished.wait(), _REPORT_INTERVAL_S)
        finished = job.finished.is_set()
        if not await asyncio.to_thread(exports.save_progress, job.export):
            if task and not finished:
                task.cancel()
            return


_INITIAL_WAIT_S = 1.0


class JobRunner:
    """The jobs that run in this process. On exit, they are cancelled and awaited."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, work: Coroutine[Any, Any, None], *, is_quick: bool = True) -> None:
        """Start a job, and unless it is known to take longer, wait up to one second: most finish within that time."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._remove_task)
        if is_quick:
            await asyncio.wait([task], timeout=_INITIAL_WAIT_S)

    def _remove_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("background job failed", exc_info=error)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def get_job_runner(request: Request) -> JobRunner:
    """Return the job runner of the process that serves this request."""
    runner: JobRunner = request.app.state.job_runner
    return runner
