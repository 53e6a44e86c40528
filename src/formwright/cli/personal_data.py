"""`formwright person`: hand out, or erase, what is kept of one person."""

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
from formwright.domain.privacy import erasure
from formwright.domain.privacy.discovery import audit_start, find_or_raise
from formwright.domain.privacy.models import PersonalData, Subject
from formwright.settings import SettingsError
from formwright.web.background_jobs import ExportStore
from formwright.web.views.users import personal_data_zip

person = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="What is kept of one person.")

User = Annotated[str, typer.Option(help="The person's id, usr_….")]
Email = Annotated[str, typer.Option(help="An address to which invites went.")]
OfForm = Annotated[str, typer.Option("--form", help="A form's id, frm_…, with --field and --value.")]
OfField = Annotated[str, typer.Option("--field", help="The name of a field.")]
Value = Annotated[str, typer.Option(help="The answer that names the person.")]


def _subject(user: str, email: str, form: str, field: str, value: str) -> Subject:
    ways = [bool(user), bool(email), bool(form or field or value)]
    if sum(ways) != 1 or (ways[2] and not (form and field and value)):
        raise SettingsError("Name one person: with --user, with --email, or with --form, --field and --value.")
    return Subject(user, email, form, field, value)


def _told(found: PersonalData, **more: object) -> dict[str, object]:
    counts = {
        "submissions": len(found.submission_ids),
        "deleted": len(found.deleted_submission_ids),
        "files": found.files,
    }
    return {**counts, "invites": len(found.invite_ids), "mails": found.mails, **more}


def _target(output: Path) -> Path:
    """The file behind a link. What is there and is none, such as a pipe, is not replaced by one."""
    place = output.resolve()
    if str(output) == "-" or (place.exists() and not place.is_file()):
        raise SettingsError(f"{output} is no file: name one, for a zip cannot be written to anything else.")
    return place


def _beside(output: Path) -> Path:
    """Where it is written until it is whole; nobody else writes there, not even to the same file."""
    return output.with_name(f".{output.name}.{secrets.token_hex(4)}.part")


def _teller() -> Callable[[int], None]:
    def told(count: int) -> None:
        sys.stderr.write(f"\r{count:,} submissions")
        sys.stderr.flush()

    return told if sys.stderr.isatty() else lambda count: None


@person.command("export")
def export_person(
    customer: Customer,
    output: Annotated[Path, typer.Option("--output", "-o", help="The zip to write.")],
    user: User = "",
    email: Email = "",
    form: OfForm = "",
    field: OfField = "",
    value: Value = "",
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write all that is kept of a person to a zip: JSON and files."""
    subject, place = _subject(user, email, form, field, value), _target(output)
    part = _beside(place)

    async def work(ctx: AppContext) -> dict[str, object]:
        actor = actors.system(customer)
        async with ctx.db.reading() as tx:
            await customers.get(tx, actor)
            found = await find_or_raise(tx, actor, subject)
        async with ctx.db.writing() as tx:
            audit_start(tx, actor, found, "exported")
        with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            await personal_data_zip.write_zip(ctx, actor, found, file, _teller())
        part.replace(place)
        return _told(found, file=str(output))

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
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Erase all that is kept of a person, for good. What is interrupted is finished by the same command."""
    subject = _subject(user, email, form, field, value)
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    actor = actors.system(customer)

    async def look(ctx: AppContext) -> PersonalData:
        async with ctx.db.reading() as tx:
            await customers.get(tx, actor)
        return await erasure.check(ctx.db, actor, subject)

    async def work(ctx: AppContext) -> dict[str, object]:
        told, events = _teller(), 0
        found = await look(ctx)
        async for done in erasure.erase(ctx.db, ctx.files, actor, subject, ctx.clock.now):
            told(done.submissions)
            events = done.events
        ExportStore(settings.exports_folder, ctx.clock).remove_related(customer, found.form_ids, found.user_id)
        return _told(found, events=events)

    if not yes:
        counts = ", ".join(f"{count} {name}" for name, count in _told(with_migrated_context(settings, look)).items())
        typer.confirm(f"Erase {counts} for good?", abort=True)
    print_result(with_migrated_context(settings, work), as_json=as_json)
