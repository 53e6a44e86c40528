"""SQLite's fsync fails at a commit, which is then neither durable nor undone."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from formwright.core.db.sqlite import connect

_FDATASYNC = {"x86_64": 75, "aarch64": 83}
_WRITER = """
import asyncio, ctypes, os, struct, sys
from pathlib import Path
from formwright.core.clock import SystemClock
from formwright.core.db.group_commit import CommitHooks
from formwright.core.db.interface import CommitOutcomeUnknown
from formwright.core.db.sqlite import SqliteDatabase
from formwright.core.ids import Ids

def fail_fdatasync():
    # Load the number of the system call; if it is fdatasync, return EIO, and otherwise allow it.
    rules = b"".join(
        struct.pack("=HBBI", *rule)
        for rule in ((0x20, 0, 0, 0), (0x15, 0, 1, int(sys.argv[2])), (0x6, 0, 0, 0x50005), (0x6, 0, 0, 0x7FFF0000))
    )
    filter_ = ctypes.create_string_buffer(rules)
    program = ctypes.create_string_buffer(struct.pack("@HP", 4, ctypes.addressof(filter_)))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
    # SECCOMP_SET_MODE_FILTER with SECCOMP_FILTER_FLAG_TSYNC: the writer has a thread of its own.
    assert libc.syscall(int(sys.argv[3]), 1, 1, program) == 0, os.strerror(ctypes.get_errno())

async def write():
    clock = SystemClock()
    db = SqliteDatabase(Path(sys.argv[1]), clock, Ids(clock), CommitHooks())
    async with db.writing() as tx:
        await tx.execute("CREATE TABLE notes (text text)")
    fail_fdatasync()
    try:
        async with db.writing() as tx:
            await tx.execute("INSERT INTO notes VALUES ('unknown')")
    except CommitOutcomeUnknown as error:
        print(error, flush=True)
    # Like a kill: a connection that is closed would write the WAL back.
    os._exit(0)

asyncio.run(write())
"""
_SECCOMP = {"x86_64": 317, "aarch64": 277}


@pytest.mark.skipif(platform.machine() not in _FDATASYNC, reason="the numbers of the system calls are not known")
def test_a_commit_whose_fsync_fails_has_an_unknown_outcome(tmp_path: Path) -> None:
    path, machine = tmp_path / "notes.sqlite3", platform.machine()
    command = [sys.executable, "-c", _WRITER, path, str(_FDATASYNC[machine]), str(_SECCOMP[machine])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "may or may not have been saved" in done.stdout
    # A recovery after a crash finds it.
    recovered = connect(path)
    assert recovered.execute("SELECT text FROM notes").fetchall() == [("unknown",)]
    recovered.close()
