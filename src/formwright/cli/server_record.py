"""A record of the running server in the data folder, so that other commands know its URL."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FILE = "server.json"


@contextmanager
def record_server(data_dir: Path, base_url: str) -> Iterator[None]:
    """Record the URL of this process's server while the block lasts."""
    path, temporary = data_dir / _FILE, data_dir / f"{_FILE}.{os.getpid()}"
    temporary.write_text(json.dumps({"baseUrl": base_url, "pid": os.getpid()}))
    temporary.replace(path)
    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            # Another server may have replaced the record since.
            if json.loads(path.read_text())["pid"] == os.getpid():
                path.unlink()


def running_base_url(data_dir: Path) -> str | None:
    """Return the URL of the server that uses this data folder on this machine, or None if none is running."""
    try:
        found = json.loads((data_dir / _FILE).read_text())
        return str(found["baseUrl"]) if _is_alive(int(found["pid"])) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True  # It runs as another user.
    except ProcessLookupError:
        return False
    return True
