"""Files that are made for one person beside the requests, and wait for her: in the data folder, for an hour at most.

Each has a folder of its own, whose name is her id and a random one. So all processes of a server know of it, whichever
makes it. To cancel is to take the folder away, which whoever makes the file notices within a second.

Makes a file, or does other long work for one person, beside the requests: tells how far it is, and how it ended.

Work that goes on when its page was left.
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
from litestar import Request
from msgspec.structs import replace

from formwright.core.clock import Clock
from formwright.core.errors import Unavailable

RETENTION_MS = 3_600_000
ZIP = "zip"
"""The kind of a file with all that is kept of a person."""
MAX_EXPORTS = 5
"""How many a person has at once; the oldest that is not being made gives way."""
_STALE_MS = 30_000
_CLEANUP_INTERVAL_S = 600
_FOLDER_NAME = re.compile(r"(usr_[0-9a-z]{26})\.([0-9a-f]{32})")
_STATE, _FILE = "state.json", "file"
SERVER_STOPPED = "The server was restarted. Try again."

log = structlog.get_logger()


class Stage(StrEnum):
    """Where a file is on its way."""

    READING = "READING"
    WRITING = "WRITING"
    READY = "READY"
    FAILED = "FAILED"


RUNNING_STAGES = (Stage.READING, Stage.WRITING)


class Export(msgspec.Struct, frozen=True):
    """One file. `kind` is its ending, `query` of the view that it shows, `rows` how many submissions it has so far.

    `customer_id` is of a zip, for it has no form.
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
    """Keeps them. It reads and writes small files: for threads, and not for the event loop."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder, self._clock = folder, clock

    def create(self, user_id: str, form_id: str, kind: str, name: str, query: str, *, customer_id: str = "") -> Export:
        """A new one; `Unavailable` where five are being made for her, or the folder cannot be written."""
        self._remove_oldest(user_id)
        now = self._clock.now()
        made = Export(secrets.token_hex(16), user_id, form_id, kind, name, query, now, now, customer_id=customer_id)
        try:
            self._folder_of(made).mkdir(mode=0o700, parents=True)
            self._save_state(made)
        except OSError as error:
            log.warning("a file cannot be made in the data folder", why=str(error))
            raise Unavailable() from error
        return made

    def _remove_oldest(self, user_id: str) -> None:
        """By what failed, and by the oldest of the others."""
        known = self.list_by_user(user_id)
        for failed in known:
            if failed.stage is Stage.FAILED:
                self.remove(failed)
        found = [one for one in known if one.stage is not Stage.FAILED]
        while len(found) >= MAX_EXPORTS:
            finished = [one for one in found if not one.is_running]
            if not finished:
                raise Unavailable(
                    f"You already have {MAX_EXPORTS} exports in progress. Wait for one to finish or cancel one."
                )
            self.remove(finished[-1])
            found.remove(finished[-1])

    def list_by_user(self, user_id: str) -> list[Export]:
        """Hers, the newest first."""
        found = [self.find(user_id, one) for owner, one in self._list_ids() if owner == user_id]
        return sorted((one for one in found if one), key=lambda one: one.made, reverse=True)

    def find(self, user_id: str, export_id: str) -> Export | None:
        """As it is now; None where it is not hers, or no longer there. What nobody goes on with has failed."""
        if not _FOLDER_NAME.fullmatch(f"{user_id}.{export_id}"):
            return None
        try:
            found = msgspec.json.decode((self._folder / f"{user_id}.{export_id}" / _STATE).read_bytes(), type=Export)
        except (OSError, msgspec.MsgspecError):
            return None
        silent = self._clock.now() - found.touched
        if silent > RETENTION_MS:
            return None
        interrupted = found.is_running and silent > _STALE_MS
        return msgspec.structs.replace(found, stage=Stage.FAILED, fault=SERVER_STOPPED) if interrupted else found

    def save_progress(self, export: Export) -> bool:
        """Write down how far it is; false where it was cancelled."""
        try:
            self._save_state(msgspec.structs.replace(export, touched=self._clock.now()))
        except FileNotFoundError:
            return False
        except OSError as error:
            log.warning("how far a file is cannot be written down", why=str(error))
        return True

    def _save_state(self, export: Export) -> None:
        new = self._folder_of(export) / f"{_STATE}.new"
        new.write_bytes(msgspec.json.encode(export))
        new.replace(self._folder_of(export) / _STATE)

    def _folder_of(self, export: Export) -> Path:
        return self._folder / f"{export.user_id}.{export.id}"

    def content_path(self, export: Export) -> Path:
        """Where its content is; what is put beside it goes with it."""
        return self._folder_of(export) / _FILE

    def delete_content(self, export: Export) -> None:
        """Take away what was made of it, but what is known of it."""
        with suppress(OSError):
            for path in self._folder_of(export).iterdir():
                if path.name != _STATE:
                    path.unlink(missing_ok=True)

    def remove(self, export: Export) -> None:
        """Take it away, also while it is being made."""
        _delete_folder(self._folder_of(export))

    def remove_related(self, customer_id: str, form_ids: Collection[str], user_id: str) -> None:
        """Take away all that were made of these forms, all of a person, and every zip of the account."""
        for owner, one in self._list_ids():
            found = self.find(owner, one)
            # One that an older release made does not say whose it is.
            zipped = found and found.kind == ZIP and found.customer_id in (customer_id, "")
            if found and (owner == user_id or found.form_id in form_ids or zipped):
                self.remove(found)

    def remove_expired(self) -> None:
        """Take away what is older than an hour."""
        old = time.time() - RETENTION_MS / 1000
        for gone in self._folder.glob("*.gone"):
            shutil.rmtree(gone, ignore_errors=True)
        for owner, one in self._list_ids():
            path = self._folder / f"{owner}.{one}"
            with suppress(OSError):
                if self.find(owner, one) is None and ((path / _STATE).exists() or path.stat().st_mtime < old):
                    _delete_folder(path)

    def _list_ids(self) -> Iterator[tuple[str, str]]:
        with suppress(FileNotFoundError):
            for path in list(self._folder.iterdir()):
                if found := _FOLDER_NAME.fullmatch(path.name):
                    yield found[1], found[2]


def _delete_folder(path: Path) -> None:
    """First under another name: so nothing more is put into it."""
    gone = path.with_name(f"{path.name}.gone")
    with suppress(OSError):
        path.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


async def remove_expired_exports(exports: ExportStore) -> None:
    """Sweep every ten minutes, until cancelled."""
    while True:
        try:
            await asyncio.to_thread(exports.remove_expired)
        except Exception:
            log.exception("files that were made for people are not cleared away")
        await asyncio.sleep(_CLEANUP_INTERVAL_S)


_REPORT_INTERVAL_S = 1.0
_INTERNAL_ERROR = "Something went wrong. Try again."


class Job:
    """What is being made, as it is now."""

    def __init__(self, export: Export) -> None:
        self.export, self.finished = export, asyncio.Event()


async def run_job(exports: ExportStore, export: Export, work: Callable[[Job], Awaitable[None]]) -> None:
    """Do the work, tell how far it is, and write down what came of it."""
    making, running = Job(export), asyncio.current_task()
    telling = asyncio.create_task(_report_progress(exports, making, running))
    stage, fault = Stage.FAILED, _INTERNAL_ERROR
    try:
        await work(making)
        stage, fault = Stage.READY, ""
    except Unavailable as error:
        fault = str(error)
    except asyncio.CancelledError:
        fault = SERVER_STOPPED
        raise
    except Exception:
        log.exception("work for a person could not be done", export=export.id, kind=export.kind)
    finally:
        if stage is Stage.FAILED:
            exports.delete_content(export)
        making.export = replace(making.export, stage=stage, fault=fault)
        making.finished.set()
        await telling


async def _report_progress(exports: ExportStore, job: Job, task: asyncio.Task[None] | None) -> None:
    """Write down how far it is each second, and the end; end the work when the file was cancelled."""
    last = False
    while not last:
        with suppress(TimeoutError):
            await asyncio.wait_for(job.finished.wait(), _REPORT_INTERVAL_S)
        last = job.finished.is_set()
        if not await asyncio.to_thread(exports.save_progress, job.export):
            if task and not last:
                task.cancel()
            return


_INITIAL_WAIT_S = 1.0


class JobRunner:
    """What this process has under way. When the process stops, it is told to, and waited for."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin it, and wait a second for it: most is done by then."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._remove_task)
        await asyncio.wait([task], timeout=_INITIAL_WAIT_S)

    def _remove_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("work beside the requests failed", exc_info=error)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def get_job_runner(request: Request[Any, Any, Any]) -> JobRunner:
    """What the process that serves this request has under way."""
    runner: JobRunner = request.app.state.job_runner
    return runner
