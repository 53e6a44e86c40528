"""`formwright person`: exports or erases the data stored about one person."""

import os
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from formwright.cli.common import (
    AsJson,
    Customer,
    DatabaseUrl,
    DataDir,
    load_settings,
    print_result,
    with_migrated_context,
)
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.domain.customers import service as customers
from formwright.domain.exports.execution import delete_expired
from formwright.domain.privacy import archive, erasure
from formwright.domain.privacy.discovery import audit_start, find_or_raise
from formwright.domain.privacy.models import PersonalData, Subject
from formwright.settings import SettingsError

person = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Export or erase the data stored about a person."
)

User = Annotated[str, typer.Option(help="The id of the user, usr_….")]
Email = Annotated[str, typer.Option(help="An email address to which invites were sent.")]
OfForm = Annotated[str, typer.Option("--form", help="The id of a form, frm_…; requires --field and --value.")]
OfField = Annotated[str, typer.Option("--field", help="The name of a field.")]
Value = Annotated[str, typer.Option(help="The answer that identifies the person.")]


def _subject(user: str, email: str, form: str, field: str, value: str) -> Subject:
    ways = [bool(user), bool(email), bool(form or field or value)]
    if sum(ways) != 1 or (ways[2] and not (form and field and value)):
        raise SettingsError("Identify one person: with --user, with --email, or with --form, --field and --value.")
    return Subject(user, email, form, field, value)


def _counts(data: PersonalData, **more: object) -> dict[str, object]:
    counts = {
        "submissions": len(data.submission_ids),
        "deleted": len(data.deleted_submission_ids),
        "files": data.files,
    }
    return {**counts, "invites": len(data.invite_ids), "mails": data.mails, **more}


def _target(output: Path) -> Path:
    """Return the file to write, with links resolved. Raises `SettingsError` for anything else, such as a pipe."""
    path = output.resolve()
    if str(output) == "-" or (path.exists() and not path.is_file()):
        raise SettingsError(f"{output} is not a file. A zip can only be written to a file.")
    return path


def _temporary_path(output: Path) -> Path:
    """Return a unique path next to the file, to write to until the file is complete."""
    return output.with_name(f".{output.name}.{secrets.token_hex(4)}.part")


def _progress_reporter() -> Callable[[int], None]:
    def report(count: int) -> None:
        sys.stderr.write(f"\r{count:,} submissions")
        sys.stderr.flush()

    return report if sys.stderr.isatty() else lambda count: None


@person.command("export")
def export_person(
    customer: Customer,
    output: Annotated[Path, typer.Option("--output", "-o", help="The zip file to write.")],
    user: User = "",
    email: Email = "",
    form: OfForm = "",
    field: OfField = "",
    value: Value = "",
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write all data stored about a person to a zip file: JSON and files."""
    subject, path = _subject(user, email, form, field, value), _target(output)
    part = _temporary_path(path)

    async def work(ctx: AppContext) -> dict[str, object]:
        actor = actors.system(customer)
        async with ctx.db.reading() as tx:
            await customers.get(tx, actor)
            found = await find_or_raise(tx, actor, subject)
        async with ctx.db.writing() as tx:
            # Before the file is written: after a crash, there may be an entry without a file, but never a file without
            # an entry.
            audit_start(tx, actor, found, "exported")
        with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            await archive.write_zip(ctx.db, ctx.files, actor, found, file, _progress_reporter())
        part.replace(path)
        return _counts(found, file=str(output))

    try:
        print_result(
            with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work), as_json=as_json
        )
    except OSError as error:
        raise SettingsError(f"The file {output} cannot be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@person.command("erase")
def erase_person(
    customer: Customer,
    user: User = "",
    email: Email = "",
    form: OfForm = "",
    field: OfField = "",
    value: Value = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Permanently erase all data stored about a person. If interrupted, run the same command again."""
    subject = _subject(user, email, form, field, value)
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    actor = actors.system(customer)

    async def check(ctx: AppContext) -> PersonalData:
        async with ctx.db.reading() as tx:
            await customers.get(tx, actor)
        return await erasure.check(ctx.db, actor, subject)

    async def work(ctx: AppContext) -> dict[str, object]:
        report_progress, events = _progress_reporter(), 0
        found = await check(ctx)
        async for done in erasure.erase(ctx.db, ctx.files, actor, subject, ctx.clock.now):
            report_progress(done.submissions)
            events = done.events
        await delete_expired(ctx.db, ctx.files, ctx.clock.now())
        return _counts(found, events=events)

    if not yes:
        counts = ", ".join(
            f"{name}: {count}" for name, count in _counts(with_migrated_context(settings, check)).items()
        )
        typer.confirm(f"Permanently erase this data ({counts})?", abort=True)
    print_result(with_migrated_context(settings, work), as_json=as_json)
