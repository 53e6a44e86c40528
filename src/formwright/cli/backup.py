"""`formwright backup`, `formwright restore` and `formwright db copy`, with their progress display."""

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

_INTERVAL_S = 0.2
Archive = Annotated[Path, typer.Argument(help="The backup archive.", show_default=False)]


def backup_command(
    to: Annotated[Path, typer.Argument(help="The archive to write, or a folder for it.", show_default=False)],
    without_database: Annotated[
        bool, typer.Option("--without-database", help="Back up files and keys only: you back up the database yourself.")
    ] = False,
    without_files: Annotated[
        bool, typer.Option("--without-files", help="Leave out the contents of files: you back up the bucket yourself.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Back up the database, files and keys into one archive, even while the server is running."""
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    with Progress() as tell:
        path, manifest = run_to_completion(
            back_up(settings, to, tell, database=not without_database, files=not without_files)
        )
    if manifest.missing:
        typer.echo(f"formwright: {_missing_files_warning(manifest)}", err=True)
    print_result({"backup": str(path), "bytes": path.stat().st_size, **_summary(manifest)}, as_json=as_json)


def restore_command(
    archive: Archive,
    only_check: Annotated[
        bool, typer.Option("--check", help="Only verify the backup and show what it contains.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Move what is in the data folder aside, instead of refusing.")
    ] = False,
    without_secret: Annotated[
        bool,
        typer.Option(
            "--without-secret", help="Restore although the secret key is lost. Data encrypted with it stays unreadable."
        ),
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Restore an installation from a backup, and upgrade its tables."""
    if only_check:
        with Progress() as tell:
            manifest = verify_backup(archive, tell)
        print_result({"backup": str(archive), **_summary(manifest)}, as_json=as_json)
        return
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    with Progress() as tell:
        manifest, aside = run_to_completion(restore(settings, archive, RestoreOptions(replace, without_secret), tell))
    result: dict[str, object] = {"restored": str(settings.data_dir)}
    print_result(result | ({"before": str(aside)} if aside else {}) | _summary(manifest), as_json=as_json)


def copy_command(
    to: Annotated[str, typer.Option("--to", help="The URL of an empty database, postgresql://….", show_default=False)],
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="A trial run while the server is running. Later changes are not copied.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Copy all data from SQLite to PostgreSQL, and compare the two."""
    settings = load_settings(data_dir=data_dir)
    if not to.startswith(("postgresql://", "postgres://")):
        raise SettingsError("--to must be a URL such as postgresql://user:password@host:5432/name.")
    with Progress() as tell:
        rows = run_to_completion(copy_to_postgres(settings, to, tell, rehearsal=rehearsal))
    print_result({"to": database_location(to), "tables": len(rows), "rows": sum(rows.values())}, as_json=as_json)
    if not as_json and not rehearsal:
        typer.echo("Set FORMWRIGHT_DATABASE_URL to this URL, keep the data folder, and start Formwright.")


def _summary(manifest: Manifest) -> dict[str, object]:
    database = manifest.database or "none"
    summary: dict[str, object] = {"made": manifest.made, "version": manifest.version, "database": database}
    return summary | {"files": manifest.contents, "missing": len(manifest.missing)}


def _missing_files_warning(manifest: Manifest) -> str:
    first = ", ".join(manifest.missing[:3])
    return (
        f"{len(manifest.missing)} files are missing or damaged in the installation itself, starting with {first}."
        " The backup contains all others; its manifest lists the missing ones."
    )


class Progress:
    """Shows the progress in one line of a terminal, which it clears at the end."""

    def __init__(self) -> None:
        self._last, self._line = 0.0, ""

    def __enter__(self) -> ProgressCallback:
        return self.update if sys.stderr.isatty() else lambda step, done, total: None

    def __exit__(self, *_: object) -> None:
        self._show("")

    def update(self, step: str, done: int, total: int) -> None:
        """Show the step, how much of it is done, and its total (0 if unknown). Implements `ProgressCallback`."""
        now = time.monotonic()
        if now < self._last + _INTERVAL_S and (done < total or not total):
            return
        self._last = now
        self._show(f"{step}: {done:,} of {total:,}" if total else f"{step}: {done:,}" if done else f"{step} …")

    def _show(self, line: str) -> None:
        if line != self._line:
            sys.stderr.write(f"\r{line:<{len(self._line)}}" + ("\r" if not line else ""))
            sys.stderr.flush()
            self._line = line
