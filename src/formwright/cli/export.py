"""`formwright export`: a form's submissions as a file, as the pages hand them out, of any length."""

import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated
from urllib.parse import parse_qsl, urlsplit

import typer

from formwright.cli.common import Customer, DatabaseUrl, DataDir, load_settings, with_migrated_context
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor
from formwright.core.errors import Invalid
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer as Account
from formwright.domain.forms.models import FormNotFound
from formwright.domain.submissions.models import SubmissionFilter
from formwright.settings import SettingsError
from formwright.web.views.submissions.export.formats import FORMATS, Writer
from formwright.web.views.submissions.export.streaming_download import iter_batches
from formwright.web.views.submissions.export.table import Batch, Table, build_table
from formwright.web.views.submissions.form_context import load_form_context
from formwright.web.views.submissions.list_query import build_filter, parse_list_query


class ExportFormat(StrEnum):
    """What can be written."""

    CSV = "csv"
    XLSX = "xlsx"
    NDJSON = "ndjson"
    PARQUET = "parquet"


_FOREVER = float("inf")
_KNOWN = frozenset({"form", "folder", "status", "person", "from", "to", "order"})


@dataclass(frozen=True, slots=True)
class _OfflineContext:
    customer: Account
    actor: Actor


def export(
    customer: Customer,
    form: Annotated[str, typer.Option(help="The form's id, frm_….")],
    kind: Annotated[
        ExportFormat | None,
        typer.Option("--format", help="What to write. [default: by the name of the file, else ndjson]"),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--filter", help="As in the address of Submissions: status=APPROVED, from=2026-01-31, answers.people[gte]=3"
        ),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file; - is standard output.")] = Path("-"),
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write a form's submissions to a file, in constant memory, while the server runs or stands."""
    chosen = kind or _by_name(output)
    if str(output) == "-" and FORMATS[chosen].stream is None and sys.stdout.isatty():
        raise SettingsError(f"A file of the kind {chosen} is not for a terminal. Name one with --output.")
    query = [("form", form), *_members(only or [])]

    async def work(ctx: AppContext) -> int:
        office, table, wanted = await _asked(ctx, customer, query)
        with _target(output, streamed=FORMATS[chosen].stream is not None) as (file, beside):
            return await _write(FORMATS[chosen].opens(file, table, beside), iter_batches(ctx, office, wanted, _FOREVER))

    count = with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work)
    _say(("\r" if sys.stderr.isatty() else "") + f"{count:,} submissions written.\n")


def _by_name(output: Path) -> str:
    return output.suffix[1:].lower() if output.suffix[1:].lower() in FORMATS else "ndjson"


def _members(only: list[str]) -> Iterator[tuple[str, str]]:
    """The members of queries, or of the whole addresses of pages; each option may hold several, with & between them."""
    for text in only:
        query = urlsplit(text).query if "?" in text else text
        for name, value in parse_qsl(query.replace("+", "%2B"), keep_blank_values=True):
            if name not in _KNOWN and not name.startswith("answers."):
                raise SettingsError(f"--filter knows {', '.join(sorted(_KNOWN))} and answers.…, not {name!r}.")
            if name != "form":
                yield name, value


async def _asked(
    ctx: AppContext, customer_id: str, query: list[tuple[str, str]]
) -> tuple[_OfflineContext, Table, SubmissionFilter]:
    view, actor = parse_list_query(query), actors.system(customer_id)
    async with ctx.db.reading() as tx:
        office = _OfflineContext(await customers.get(tx, actor), actor)
        asked = await load_form_context(tx, office, view.form)
        if asked.form is None:
            raise FormNotFound()
        wanted, faults = await build_filter(tx, office, view)
        lost = [f"{name}={value}" for name, value in query if value and (name, value) not in view.params()]
        lost = [one for one in lost if one != "order=-submitted"]
        if faults:
            raise Invalid(faults)
        if lost:
            raise SettingsError(f"--filter {lost[0]} makes no sense.")
        return office, await build_table(tx, office, asked), wanted


async def _write(writer: Writer, found: AsyncIterator[Batch]) -> int:
    count, told = 0, _teller()
    try:
        async for piece in found:
            writer.add(piece)
            count += len(piece)
            told(count)
        writer.close()
    except BaseException:
        writer.abandon()
        raise
    return count


@contextmanager
def _target(output: Path, *, streamed: bool) -> Iterator[tuple[IO[bytes], Path]]:
    """Where to write, and a folder for what is kept until then. A file stands under its name only when it is whole."""
    plain, place = str(output) == "-", output.resolve()
    if place.is_dir() and not plain:
        raise SettingsError(f"{place} is a folder: name a file in it.")
    # A pipe or a device is written into: a file in its place would be something else.
    passed_on = plain or (place.exists() and not place.is_file())
    try:
        with tempfile.TemporaryDirectory(prefix=".formwright-", dir=None if passed_on else place.parent) as beside:
            if plain and streamed:
                yield sys.stdout.buffer, Path(beside)
                return
            with (Path(beside) / "whole").open("w+b") as file:
                yield file, Path(beside)
                file.flush()
                if passed_on:
                    _pass_on(file, None if plain else place)
                else:
                    os.fsync(file.fileno())
                    (Path(beside) / "whole").replace(place)
    except BrokenPipeError:
        # Nobody reads any more, and nobody shall try to tell them so when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SettingsError("Whoever read standard output went away; the file is not whole.") from None
    except OSError as error:
        raise SettingsError(f"{'Standard output' if plain else output} cannot be written: {error.strerror}.") from error


def _pass_on(file: IO[bytes], place: Path | None) -> None:
    file.seek(0)
    with nullcontext(sys.stdout.buffer) if place is None else place.open("wb") as target:
        shutil.copyfileobj(file, target)
        target.flush()


def _teller() -> Callable[[int], None]:
    """Says on a terminal how far it is, on one line that is written anew."""
    if not sys.stderr.isatty():
        return lambda count: None
    return lambda count: _say(f"\r{count:,} submissions")


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
