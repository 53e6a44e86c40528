"""`formwright backup`, `formwright restore` and `formwright db copy`."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from formwright.backup.create import back_up
from formwright.backup.migrate_to_postgres import copy_to_postgres
from formwright.backup.models import Manifest, ProgressCallback
from formwright.backup.restore import RestoreOptions, restore, verify_backup
from formwright.cli.common import AsJson, DatabaseUrl, DataDir, load_settings, print_result, run_to_completion
from formwright.core.db.postgres import database_location
from formwright.settings import SettingsError

_EVERY_S = 0.2
Archive = Annotated[Path, typer.Argument(help="The backup.", show_default=False)]


def backup_command(
    to: Annotated[Path, typer.Argument(help="Name of the archive, or a folder for it.", show_default=False)],
    without_database: Annotated[
        bool, typer.Option("--without-database", help="Files and keys alone: the database you back up yourself.")
    ] = False,
    without_files: Annotated[
        bool, typer.Option("--without-files", help="Leave the contents of files out: your bucket keeps them.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Back up database, files and keys into one archive, while the server runs."""
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    with Progress() as tell:
        path, manifest = run_to_completion(
            back_up(settings, to, tell, database=not without_database, files=not without_files)
        )
    if manifest.missing:
        typer.echo(f"formwright: {_missing(manifest)}", err=True)
    print_result({"backup": str(path), "bytes": path.stat().st_size, **_about(manifest)}, as_json=as_json)


def restore_command(
    archive: Archive,
    only_check: Annotated[
        bool, typer.Option("--check", help="Only see whether the backup is whole, and say what is in it.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put aside what is in the data folder, instead of refusing.")
    ] = False,
    without_secret: Annotated[
        bool, typer.Option("--without-secret", help="Restore although the secret is lost: what it sealed stays shut.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Bring an installation back from a backup, and its tables up to date."""
    if only_check:
        with Progress() as tell:
            manifest = verify_backup(archive, tell)
        print_result({"backup": str(archive), **_about(manifest)}, as_json=as_json)
        return
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    with Progress() as tell:
        manifest, aside = run_to_completion(restore(settings, archive, RestoreOptions(replace, without_secret), tell))
    where: dict[str, object] = {"restored": str(settings.data_dir)}
    print_result(where | ({"before": str(aside)} if aside else {}) | _about(manifest), as_json=as_json)


def copy_command(
    to: Annotated[str, typer.Option("--to", help="An empty database, postgresql://….", show_default=False)],
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="While the server runs, to try it out: what comes later is not in it.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Copy everything from SQLite in the data folder to PostgreSQL, and compare."""
    settings = load_settings(data_dir=data_dir)
    if not to.startswith(("postgresql://", "postgres://")):
        raise SettingsError("--to must be an address such as postgresql://user:password@host:5432/name.")
    with Progress() as tell:
        rows = run_to_completion(copy_to_postgres(settings, to, tell, rehearsal=rehearsal))
    print_result({"to": database_location(to), "tables": len(rows), "rows": sum(rows.values())}, as_json=as_json)
    if not as_json and not rehearsal:
        typer.echo("Set FORMWRIGHT_DATABASE_URL to it, keep the data folder, and start Formwright.")


def _about(manifest: Manifest) -> dict[str, object]:
    database = manifest.database or "none"
    about: dict[str, object] = {"made": manifest.made, "version": manifest.version, "database": database}
    return about | {"files": manifest.contents, "missing": len(manifest.missing)}


def _missing(manifest: Manifest) -> str:
    first = ", ".join(manifest.missing[:3])
    return (
        f"{len(manifest.missing)} files are missing or damaged in the installation itself, {first} first;"
        " the backup holds all others. Its manifest lists them."
    )


class Progress:
    """Says on a terminal how far it is, in one line that it takes away again."""

    def __init__(self) -> None:
        self._last, self._shown = 0.0, ""

    def __enter__(self) -> ProgressCallback:
        return self.tell if sys.stderr.isatty() else lambda what, done, total: None

    def __exit__(self, *_: object) -> None:
        self._show("")

    def tell(self, what: str, done: int, total: int) -> None:
        """What is done, how much of it, of how much; 0 is unknown."""
        now = time.monotonic()
        if now < self._last + _EVERY_S and (done < total or not total):
            return
        self._last = now
        self._show(f"{what}: {done:,} of {total:,}" if total else f"{what}: {done:,}" if done else f"{what} …")

    def _show(self, line: str) -> None:
        if line != self._shown:
            sys.stderr.write(f"\r{line:<{len(self._shown)}}" + ("\r" if not line else ""))
            sys.stderr.flush()
            self._shown = line
