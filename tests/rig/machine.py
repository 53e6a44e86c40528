"""What of this machine the tests use: PostgreSQL's server programs, PgBouncer, Chromium and LibreOffice.

Knows the standard library only: `scripts/need.py` asks it before anything is installed.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

OLDEST_POSTGRESQL = 15
HEADLESS_SHELL = "chromium-headless-shell"
CALC = "libreoffice-calc-nogui"


class Missing(Exception):
    """Something is not on this machine; the text says what, and how to get it."""


def postgresql() -> Path:
    """The folder of the newest PostgreSQL server programs (15 or newer), in PATH or where Debian keeps them."""
    versions = {folder: _version(folder) for folder in _postgresql_folders()}
    newest = max(versions, key=lambda folder: versions[folder], default=None)
    if newest is None or versions[newest] < OLDEST_POSTGRESQL:
        found = "" if newest is None else f" (found only version {versions[newest]} in {newest})"
        raise Missing(
            f"The tests need the server programs of PostgreSQL {OLDEST_POSTGRESQL} or newer{found}.\n"
            "On Debian and Ubuntu: apt-get install postgresql. Elsewhere: put initdb and postgres in PATH."
        )
    return newest


def pgbouncer() -> Path:
    """PgBouncer, in PATH or where Debian keeps it."""
    if found := shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer"):
        return Path(found)
    raise Missing("The tests need PgBouncer.\nOn Debian and Ubuntu: apt-get install pgbouncer.")


def chromium() -> Path:
    """Chromium: the one CHROMIUM names, else the one without windows, which does the same with half the work."""
    named = os.environ.get("CHROMIUM")
    if named:
        if found := shutil.which(named):
            return Path(found)
        raise Missing(f"CHROMIUM names {named}, which is no program. Unset it, or name Chromium.")
    for program in (HEADLESS_SHELL, "chromium", "/usr/bin/chromium"):
        if found := shutil.which(program):
            return Path(found)
    raise Missing(
        "The tests need Chromium.\n"
        f"On Debian: apt-get install {HEADLESS_SHELL}. Elsewhere: name the program in the variable CHROMIUM."
    )


def libreoffice() -> Path:
    """LibreOffice with Calc, which writes the workbooks that the tests read."""
    calc = Path("program/libsclo.so")
    if (found := shutil.which("soffice")) and (Path(found).resolve().parents[1] / calc).exists():
        return Path(found)
    raise Missing(f"The tests need LibreOffice Calc.\nOn Debian and Ubuntu: apt-get install {CALC}.")


def _postgresql_folders() -> set[Path]:
    on_path = (shutil.which("postgres", path=entry) for entry in os.get_exec_path())
    folders = {Path(found).resolve().parent for found in on_path if found}
    folders.update(Path("/usr/lib/postgresql").glob("*/bin"))
    return {folder for folder in folders if shutil.which(folder / "initdb") and shutil.which(folder / "postgres")}


def _version(folder: Path) -> int:
    """The major version; 0 where the program cannot be run at all."""
    try:
        said = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return 0
    found = re.search(r"\) (\d+)", said)
    return int(found[1]) if found else 0
