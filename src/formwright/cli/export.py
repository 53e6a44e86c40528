"""`formwright export`: writes the submissions of a form to a file, in the formats of the pages, of any length."""

import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated
from urllib.parse import parse_qsl, urlsplit

import typer

from formwright.cli.common import Customer, DatabaseUrl, DataDir, load_settings, with_migrated_context
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.errors import Invalid
from formwright.core.offload import offload
from formwright.domain.customers import service as customers
from formwright.domain.exports.formats import FORMATS, Writer
from formwright.domain.exports.reading import iter_batches
from formwright.domain.exports.records import Batch
from formwright.domain.exports.table import Table, build_table
from formwright.domain.forms.models import FormNotFound
from formwright.domain.saved_views.list_query import (
    AccountReader,
    build_filter,
    load_form_context,
    parse_list_query,
    resolve_view,
)
from formwright.domain.submissions.models import SubmissionFilter
from formwright.settings import SettingsError


class ExportFormat(StrEnum):
    """The formats of an export."""

    CSV = "csv"
    XLSX = "xlsx"
    NDJSON = "ndjson"
    PARQUET = "parquet"


_NO_TIME_LIMIT = float("inf")
_FILTERS = frozenset({"form", "folder", "status", "person", "from", "to", "days", "order", "column", "view", "exact"})


def export(
    customer: Customer,
    form: Annotated[str, typer.Option(help="The id of the form, frm_….")],
    kind: Annotated[
        ExportFormat | None,
        typer.Option("--format", help="The format. [default: by the name of the file, otherwise ndjson]"),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--filter", help="As in the URL of Submissions: status=APPROVED, from=2026-01-31, answers.people[gte]=3"
        ),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write; - is standard output.")] = Path(
        "-"
    ),
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write the submissions of a form to a file, in constant memory, whether or not the server is running."""
    format_ = kind or _format_of(output)
    if str(output) == "-" and FORMATS[format_].open_stream is None and sys.stdout.isatty():
        raise SettingsError(f"{format_} files cannot be written to a terminal. Choose a file with --output.")
    query = [("form", form), *_parse_filters(only or [])]

    async def work(ctx: AppContext) -> int:
        office, table, wanted = await _load_filter(ctx, customer, query)
        with _target(output, streamed=FORMATS[format_].open_stream is not None) as (file, beside):
            batches = iter_batches(ctx.db, office.actor, FORMATS[format_], table, wanted, timeout_s=_NO_TIME_LIMIT)
            return await _write(FORMATS[format_].open_writer(file, table, beside), batches)

    count = with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work)
    _write_stderr(("\r" if sys.stderr.isatty() else "") + f"{count:,} submissions written.\n")


def _format_of(output: Path) -> str:
    return output.suffix[1:].lower() if output.suffix[1:].lower() in FORMATS else "ndjson"


def _parse_filters(filters: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the query parameters in `--filter` options: query strings, or whole URLs of the page Submissions."""
    for text in filters:
        query = urlsplit(text).query if "?" in text else text
        # People type a plus as it is, for example in an offset such as +02:00. `parse_qsl` would return a space.
        for name, value in parse_qsl(query.replace("+", "%2B"), keep_blank_values=True):
            if name not in _FILTERS and not name.startswith("answers."):
                raise SettingsError(f"--filter accepts {', '.join(sorted(_FILTERS))} and answers.…, not {name!r}.")
            if name != "form":
                yield name, value


async def _load_filter(
    ctx: AppContext, customer_id: str, query: list[tuple[str, str]]
) -> tuple[AccountReader, Table, SubmissionFilter]:
    given, actor = parse_list_query(query, now=ctx.clock.now()), actors.system(customer_id)
    async with ctx.db.reading() as tx:
        offline = AccountReader(await customers.get(tx, actor), actor)
        form_context = await load_form_context(tx, offline, given.form)
        if form_context.form is None:
            raise FormNotFound()
        resolved = await resolve_view(tx, offline, given)
        filter_, faults = await build_filter(tx, offline, resolved)
        ignored = [f"{name}={value}" for name, value in query if value and (name, value) not in given.params()]
        ignored = [parameter for parameter in ignored if parameter != "order=-submitted"]
        if faults:
            raise Invalid(faults)
        if ignored:
            raise SettingsError(f"--filter {ignored[0]} is not valid.")
        table = await build_table(
            tx, actor, form_context.form, form_context.fields, form_context.display, resolved.columns
        )
        return offline, table, filter_


async def _write(writer: Writer, batches: AsyncIterator[Batch]) -> int:
    count, report_progress = 0, _progress_reporter()
    try:
        async for piece in batches:
            await offload(writer.add, piece)
            count += len(piece)
            report_progress(count)
        writer.close()
    except BaseException:
        writer.abandon()
        raise
    return count


@contextmanager
def _target(output: Path, *, streamed: bool) -> Iterator[tuple[IO[bytes], Path]]:
    """Yield the file to write to, and a folder for temporary files.

    The file gets its name only once it is complete.
    """
    to_stdout, path = str(output) == "-", output.resolve()
    if path.is_dir() and not to_stdout:
        raise SettingsError(f"{path} is a folder. Use the name of a file in it.")
    # A pipe or a device must be written to, instead of being replaced by a file.
    copied = to_stdout or (path.exists() and not path.is_file())
    try:
        # In the folder of the file, because a rename only works within a file system.
        with tempfile.TemporaryDirectory(prefix=".formwright-", dir=None if copied else path.parent) as folder:
            if to_stdout and streamed:
                yield sys.stdout.buffer, Path(folder)
                return
            with (Path(folder) / "whole").open("w+b") as file:
                yield file, Path(folder)
                file.flush()
                if copied:
                    _copy(file, None if to_stdout else path)
                else:
                    os.fsync(file.fileno())
                    (Path(folder) / "whole").replace(path)
    except BrokenPipeError:
        # The reader is gone. Python would report that again when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SettingsError("The reader of standard output has closed it. The output is incomplete.") from None
    except OSError as error:
        raise SettingsError(
            f"{'Standard output' if to_stdout else output} cannot be written: {error.strerror}."
        ) from error


def _copy(file: IO[bytes], path: Path | None) -> None:
    file.seek(0)
    with nullcontext(sys.stdout.buffer) if path is None else path.open("wb") as target:
        shutil.copyfileobj(file, target)
        target.flush()


def _progress_reporter() -> Callable[[int], None]:
    """Return a function that shows the number of submissions in one line of a terminal."""
    if not sys.stderr.isatty():
        return lambda count: None
    return lambda count: _write_stderr(f"\r{count:,} submissions")


def _write_stderr(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
