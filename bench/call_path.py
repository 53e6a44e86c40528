"""Print the source files that a POST of a submission passes, from HTTP to SQL, in order: `python -m bench.call_path`.

The application runs in this process on an empty SQLite database, without a worker. Some requests warm it up; the next
ones are traced with `sys.setprofile`, and the shortest path is printed, because some requests also draw from the rate
limit in the database, or a timer fires while they run. A *file* is a module of the package that runs at least one
function. A *change of file* is a call, or the resumption of a coroutine, in another file of the package than the call
before it; returns do not count, and neither do other libraries.
"""

import argparse
import asyncio
import io
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager, redirect_stderr
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import formwright
from bench import data
from formwright import logging_config
from formwright.app import create_app
from formwright.settings import Settings

PACKAGE = Path(formwright.__file__).parent
MAX_FILES, MAX_CHANGES = 49, 156
"""The limits that `--check` enforces."""
_WARM_UP, _TRACED = 50, 20


@dataclass(slots=True)
class CallPath:
    """The calls within the package during one request."""

    steps: list[tuple[str, list[str]]] = field(default_factory=list)
    """One item per change of file: the file, relative to the package, and the functions called there in order."""

    @property
    def files(self) -> dict[str, int]:
        """How often each file was entered, in the order of their first entry."""
        counts: dict[str, int] = {}
        for file, _ in self.steps:
            counts[file] = counts.get(file, 0) + 1
        return counts

    def add(self, file: str, function: str) -> None:
        """Add a call."""
        if not self.steps or self.steps[-1][0] != file:
            self.steps.append((file, []))
        self.steps[-1][1].append(function)

    def render(self, *, steps: bool) -> str:
        """Return the files with their counts or, if `steps`, every change of file with its functions."""
        if steps:
            lines = [f"{number:4} {file}: {', '.join(called)}" for number, (file, called) in enumerate(self.steps, 1)]
        else:
            lines = [f"{count:4} {file}" for file, count in self.files.items()]
        return "\n".join([*lines, f"{len(self.files)} files, {len(self.steps)} changes of file"])


async def trace_request(folder: Path) -> CallPath:
    """Return the call path of one warm POST of a submission."""
    settings = Settings(data_dir=folder, insecure_http=True, embedded_worker=False)
    account = (await data.create_dataset(settings, 0)).accounts[0]
    async with _running(create_app(settings)) as app:
        for number in range(_WARM_UP):
            await _post(app, account, number)
        paths = []
        for number in range(_TRACED):
            # The log entries of the request before are written, so that they do not count.
            await asyncio.sleep(0.1)
            with _tracing() as path:
                await _post(app, account, number)
            paths.append(path)
    return min(paths, key=lambda path: len(path.steps))


@contextmanager
def _tracing() -> Iterator[CallPath]:
    path, prefix = CallPath(), f"{PACKAGE}/"

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(prefix):
            path.add(frame.f_code.co_filename.removeprefix(prefix), frame.f_code.co_qualname)

    sys.setprofile(profile)
    try:
        yield path
    finally:
        sys.setprofile(None)


@asynccontextmanager
async def _running(app: Any) -> Any:
    """Run the application's lifespan."""
    received: asyncio.Queue[Any] = asyncio.Queue()
    sent: asyncio.Queue[Any] = asyncio.Queue()
    lifespan = asyncio.create_task(app({"type": "lifespan", "state": {}}, received.get, sent.put))
    received.put_nowait({"type": "lifespan.startup"})
    await sent.get()
    yield app
    received.put_nowait({"type": "lifespan.shutdown"})
    await lifespan


async def _post(app: Any, account: data.Account, number: int) -> None:
    body = json.dumps({"data": data.build_answers(number)}).encode()
    path = f"/api/v1.0/customers/{account.id}/forms/{account.form_id}/submissions"
    headers = {"host": "localhost", "x-api-key": account.key, "content-type": "application/json"}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
    }
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    if sent[0]["status"] != 201:
        raise RuntimeError(f"the submission was refused: {sent}")


def main() -> int:
    """Print the path; with `--check`, return 1 if it exceeds the limits."""
    parser = argparse.ArgumentParser(prog="python -m bench.call_path", description=__doc__)
    parser.add_argument("--steps", action="store_true", help="print every change of file with the functions called")
    parser.add_argument("--check", action="store_true", help=f"fail above {MAX_FILES} files or {MAX_CHANGES} changes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="formwright-call-path-") as folder, redirect_stderr(io.StringIO()):
        logging_config.configure("info")
        path = asyncio.run(trace_request(Path(folder)))
    print(path.render(steps=options.steps))
    return 1 if options.check and (len(path.files) > MAX_FILES or len(path.steps) > MAX_CHANGES) else 0


if __name__ == "__main__":
    sys.exit(main())
