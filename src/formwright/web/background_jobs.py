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

KEPT_MS = 3_600_000
ZIP = "zip"
"""The kind of a file with all that is kept of a person."""
MOST = 5
"""How many a person has at once; the oldest that is not being made gives way."""
_SILENT_MS = 30_000
_SWEPT_S = 600
_NAME = re.compile(r"(usr_[0-9a-z]{26})\.([0-9a-f]{32})")
_STATE, _FILE = "state.json", "file"
STOPPED = "The server was restarted. Try again."

log = structlog.get_logger()


class Stage(StrEnum):
    """Where a file is on its way."""

    READING = "READING"
    WRITING = "WRITING"
    READY = "READY"
    FAILED = "FAILED"


WORKING = (Stage.READING, Stage.WRITING)


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
    def working(self) -> bool:
        return self.stage in WORKING


class Exports:
    """Keeps them. It reads and writes small files: for threads, and not for the event loop."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder, self._clock = folder, clock

    def begin(self, user_id: str, form_id: str, kind: str, name: str, query: str, *, customer_id: str = "") -> Export:
        """A new one; `Unavailable` where five are being made for her, or the folder cannot be written."""
        self._make_room(user_id)
        now = self._clock.now()
        made = Export(secrets.token_hex(16), user_id, form_id, kind, name, query, now, now, customer_id=customer_id)
        try:
            self._place(made).mkdir(mode=0o700, parents=True)
            self._write(made)
        except OSError as error:
            log.warning("a file cannot be made in the data folder", why=str(error))
            raise Unavailable() from error
        return made

    def _make_room(self, user_id: str) -> None:
        """By what failed, and by the oldest of the others."""
        known = self.of(user_id)
        for failed in known:
            if failed.stage is Stage.FAILED:
                self.remove(failed)
        found = [one for one in known if one.stage is not Stage.FAILED]
        while len(found) >= MOST:
            finished = [one for one in found if not one.working]
            if not finished:
                raise Unavailable(f"You already have {MOST} exports in progress. Wait for one to finish or cancel one.")
            self.remove(finished[-1])
            found.remove(finished[-1])

    def of(self, user_id: str) -> list[Export]:
        """Hers, the newest first."""
        found = [self.find(user_id, one) for owner, one in self._names() if owner == user_id]
        return sorted((one for one in found if one), key=lambda one: one.made, reverse=True)

    def find(self, user_id: str, export_id: str) -> Export | None:
        """As it is now; None where it is not hers, or no longer there. What nobody goes on with has failed."""
        if not _NAME.fullmatch(f"{user_id}.{export_id}"):
            return None
        try:
            found = msgspec.json.decode((self._folder / f"{user_id}.{export_id}" / _STATE).read_bytes(), type=Export)
        except (OSError, msgspec.MsgspecError):
            return None
        silent = self._clock.now() - found.touched
        if silent > KEPT_MS:
            return None
        interrupted = found.working and silent > _SILENT_MS
        return msgspec.structs.replace(found, stage=Stage.FAILED, fault=STOPPED) if interrupted else found

    def note(self, export: Export) -> bool:
        """Write down how far it is; false where it was cancelled."""
        try:
            self._write(msgspec.structs.replace(export, touched=self._clock.now()))
        except FileNotFoundError:
            return False
        except OSError as error:
            log.warning("how far a file is cannot be written down", why=str(error))
        return True

    def _write(self, export: Export) -> None:
        new = self._place(export) / f"{_STATE}.new"
        new.write_bytes(msgspec.json.encode(export))
        new.replace(self._place(export) / _STATE)

    def _place(self, export: Export) -> Path:
        return self._folder / f"{export.user_id}.{export.id}"

    def file(self, export: Export) -> Path:
        """Where its content is; what is put beside it goes with it."""
        return self._place(export) / _FILE

    def empty(self, export: Export) -> None:
        """Take away what was made of it, but what is known of it."""
        with suppress(OSError):
            for path in self._place(export).iterdir():
                if path.name != _STATE:
                    path.unlink(missing_ok=True)

    def remove(self, export: Export) -> None:
        """Take it away, also while it is being made."""
        _clear(self._place(export))

    def forget(self, customer_id: str, form_ids: Collection[str], user_id: str) -> None:
        """Take away all that were made of these forms, all of a person, and every zip of the account."""
        for owner, one in self._names():
            found = self.find(owner, one)
            # One that an older release made does not say whose it is.
            zipped = found and found.kind == ZIP and found.customer_id in (customer_id, "")
            if found and (owner == user_id or found.form_id in form_ids or zipped):
                self.remove(found)

    def sweep(self) -> None:
        """Take away what is older than an hour."""
        old = time.time() - KEPT_MS / 1000
        for gone in self._folder.glob("*.gone"):
            shutil.rmtree(gone, ignore_errors=True)
        for owner, one in self._names():
            path = self._folder / f"{owner}.{one}"
            with suppress(OSError):
                if self.find(owner, one) is None and ((path / _STATE).exists() or path.stat().st_mtime < old):
                    _clear(path)

    def _names(self) -> Iterator[tuple[str, str]]:
        with suppress(FileNotFoundError):
            for path in list(self._folder.iterdir()):
                if found := _NAME.fullmatch(path.name):
                    yield found[1], found[2]


def _clear(path: Path) -> None:
    """First under another name: so nothing more is put into it."""
    gone = path.with_name(f"{path.name}.gone")
    with suppress(OSError):
        path.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


async def clear(exports: Exports) -> None:
    """Sweep every ten minutes, until cancelled."""
    while True:
        try:
            await asyncio.to_thread(exports.sweep)
        except Exception:
            log.exception("files that were made for people are not cleared away")
        await asyncio.sleep(_SWEPT_S)


_NOTE_S = 1.0
_BROKEN = "Something went wrong. Try again."


class Job:
    """What is being made, as it is now."""

    def __init__(self, export: Export) -> None:
        self.export, self.ended = export, asyncio.Event()


async def make(kept: Exports, export: Export, work: Callable[[Job], Awaitable[None]]) -> None:
    """Do the work, tell how far it is, and write down what came of it."""
    making, running = Job(export), asyncio.current_task()
    telling = asyncio.create_task(_tell(kept, making, running))
    stage, fault = Stage.FAILED, _BROKEN
    try:
        await work(making)
        stage, fault = Stage.READY, ""
    except Unavailable as error:
        fault = str(error)
    except asyncio.CancelledError:
        fault = STOPPED
        raise
    except Exception:
        log.exception("work for a person could not be done", export=export.id, kind=export.kind)
    finally:
        if stage is Stage.FAILED:
            kept.empty(export)
        making.export = replace(making.export, stage=stage, fault=fault)
        making.ended.set()
        await telling


async def _tell(kept: Exports, making: Job, work: asyncio.Task[None] | None) -> None:
    """Write down how far it is each second, and the end; end the work when the file was cancelled."""
    last = False
    while not last:
        with suppress(TimeoutError):
            await asyncio.wait_for(making.ended.wait(), _NOTE_S)
        last = making.ended.is_set()
        if not await asyncio.to_thread(kept.note, making.export):
            if work and not last:
                work.cancel()
            return


_AT_ONCE_S = 1.0


class JobRunner:
    """What this process has under way. When the process stops, it is told to, and waited for."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin it, and wait a second for it: most is done by then."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        await asyncio.wait([task], timeout=_AT_ONCE_S)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("work beside the requests failed", exc_info=error)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def running_of(request: Request[Any, Any, Any]) -> JobRunner:
    """What the process that serves this request has under way."""
    running: JobRunner = request.app.state.running
    return running
