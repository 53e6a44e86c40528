"""Puts what was restored in the place of what was there, which is kept aside; or leaves all as it was."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from formwright.keeping.archive import settle
from formwright.keeping.model import BESIDE, Manifest
from formwright.settings import Settings

_LOGS = ("-wal", "-shm", "-journal")


def in_the_way(settings: Settings, manifest: Manifest) -> list[str]:
    """The names in the data folder that belong to an installation and would be another's afterwards."""
    database = settings.sqlite_path.name
    databases = [*(database + log for log in _LOGS), database] if not settings.is_postgres and manifest.database else []
    files = [settings.files_folder.name] if manifest.contents and not settings.files_url else []
    names = [*BESIDE, *files, *databases]
    return [name for name in names if (settings.data_dir / name).exists()]


@contextmanager
def swapped(settings: Settings, manifest: Manifest, stage: Path) -> Iterator[Path | None]:
    """Change the names; should the block fail, change them back. The database comes last, in one step."""
    here, old = settings.data_dir, in_the_way(settings, manifest)
    aside = here / f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}" if old else None
    done: list[tuple[Path, Path]] = []
    try:
        for name in old:
            _put_aside(here / name, aside or here, last=name == settings.sqlite_path.name, done=done)
        for name in _ordered(settings, stage):
            _move(stage / name, here / name, done)
        settle(here)
        yield aside
    except BaseException:
        for source, target in reversed(done):
            target.replace(source)
            # Two names of one file are left both.
            target.unlink(missing_ok=True)
        if aside:
            with suppress(OSError):
                aside.rmdir()
        raise


def _put_aside(path: Path, aside: Path, *, last: bool, done: list[tuple[Path, Path]]) -> None:
    aside.mkdir(mode=0o700, exist_ok=True)
    if last:
        # There is a database at every moment: a server that is started just now makes no new one.
        with suppress(OSError):
            (aside / path.name).hardlink_to(path)
            done.append((path, aside / path.name))
            return
    _move(path, aside / path.name, done)


def _move(source: Path, target: Path, done: list[tuple[Path, Path]]) -> None:
    source.replace(target)
    done.append((source, target))


def _ordered(settings: Settings, stage: Path) -> list[str]:
    """What was laid out for the data folder, the database last."""
    known = [*BESIDE, settings.files_folder.name, settings.sqlite_path.name]
    return [name for name in known if (stage / name).exists()]
