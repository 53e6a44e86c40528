"""Print the source files that a request passes, from HTTP to SQL, in order: `python -m bench.call_path`.

Without an argument, the request is a POST of a submission; `list`, `form` and `fill` are pages: the list of a form's
submissions, the design tab of a form, and the page that fills it in. The application runs in this process on an SQLite
database with one submission. Some requests warm it up; the next ones are traced with `sys.setprofile`,
and the shortest path is printed, because some requests also draw from the rate limit in the database, or a timer fires
while they run. A *file* is a module of the package that runs at least one function. A *change of file* is a call, or
the resumption of a coroutine, in another file of the package than the call before it; returns do not count, and neither
do templates and other libraries.
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
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.domain.forms import service as forms
from formwright.domain.users import service as people
from formwright.domain.users.auth import sessions
from formwright.domain.users.models import PasswordCredentials
from formwright.settings import Settings
from formwright.web.session import cookie_name, csrf_cookie_name

PACKAGE = Path(formwright.__file__).parent
LIMITS = {"submission": (51, 156), "list": (77, 520), "form": (64, 661), "fill": (50, 230)}
"""The most files and changes of file that `--check` accepts, by request."""
_WARM_UP, _WARM_UP_PAGES, _TRACED = 50, 5, 20


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


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    path: str
    status: int
    headers: dict[str, str]
    query: str = ""


async def trace_request(folder: Path, name: str) -> CallPath:
    """Return the call path of one warm request."""
    settings = Settings(data_dir=folder, insecure_http=True, embedded_worker=False)
    account = (await data.create_dataset(settings, 0)).accounts[0]
    async with _running(create_app(settings)) as app:
        submission = _submission(account)
        await _send(app, submission, 0)
        request = submission if name == "submission" else await _open_page(app, account, name)
        for number in range(_WARM_UP if request is submission else _WARM_UP_PAGES):
            await _send(app, request, number)
        paths = []
        for number in range(_TRACED):
            # The log entries of the request before are written, so that they do not count.
            await asyncio.sleep(0.1)
            with _tracing() as path:
                await _send(app, request, number)
            paths.append(path)
    return min(paths, key=lambda path: len(path.steps))


def _submission(account: data.Account) -> _Request:
    path = f"/api/v1.0/customers/{account.id}/forms/{account.form_id}/submissions"
    return _Request("POST", path, 201, {"x-api-key": account.key, "content-type": "application/json"})


async def _open_page(app: Any, account: data.Account, name: str) -> _Request:
    """Return the request for a page by the owner of the account."""
    ctx: AppContext = app.app.state.ctx
    actor = actors.system(account.id)
    async with ctx.db.reading() as tx:
        form = await forms.get(tx, actor, form_id=account.form_id)
        owner = (await people.list_owners(tx, actor))[0]
    async with ctx.db.writing() as tx:
        token = await sessions.create(tx, PasswordCredentials(account.id, owner.id, "-"))
    cookie = {"cookie": f"{cookie_name(ctx.settings)}={token}; {csrf_cookie_name(ctx.settings)}={'a' * 128}"}
    pages = {
        "list": _Request("GET", "/submissions", 200, cookie, f"form={form.id}"),
        "form": _Request("GET", f"/forms/{form.id}/design", 200, cookie),
        "fill": _Request("GET", f"/fill/{form.link}", 200, {}),
    }
    return pages[name]


@contextmanager
def _tracing() -> Iterator[CallPath]:
    path, prefix = CallPath(), f"{PACKAGE}/"

    def profile(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(prefix) and file.endswith(".py"):
            path.add(file.removeprefix(prefix), frame.f_code.co_qualname)

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


async def _send(app: Any, request: _Request, number: int) -> None:
    body = json.dumps({"data": data.build_answers(number)}).encode() if request.method == "POST" else b""
    headers = {"host": "localhost", **request.headers}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": request.query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("localhost", 80),
        "root_path": "",
    }
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    if sent[0]["status"] != request.status:
        raise RuntimeError(f"the request was refused: {sent}")


def main() -> int:
    """Print the path; with `--check`, return 1 if it exceeds the limits."""
    parser = argparse.ArgumentParser(prog="python -m bench.call_path", description=__doc__)
    parser.add_argument("request", nargs="?", choices=LIMITS, default="submission", help="the request to trace")
    parser.add_argument("--steps", action="store_true", help="print every change of file with the functions called")
    parser.add_argument("--check", action="store_true", help="fail above the limits of the request")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="formwright-call-path-") as folder, redirect_stderr(io.StringIO()):
        logging_config.configure("info")
        path = asyncio.run(trace_request(Path(folder), options.request))
    print(path.render(steps=options.steps))
    max_files, max_changes = LIMITS[options.request]
    return 1 if options.check and (len(path.files) > max_files or len(path.steps) > max_changes) else 0


if __name__ == "__main__":
    sys.exit(main())
