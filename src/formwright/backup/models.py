"""The manifest of a backup, and its progress callback."""

import hashlib
import hmac
from collections.abc import Callable
from pathlib import Path

import msgspec

FORMAT = 1
MANIFEST = "manifest.json"
SQLITE, POSTGRES = "database.sqlite3", "database.dump"
SECRET = "secret.key"  # noqa: S105 - the name of a file
FILES = "files/"
DATA_FOLDER_MEMBERS = (SECRET, "demo.json", "tls", "mail")
"""What is backed up from the data folder, in addition to the database and the files of submissions."""

ProgressCallback = Callable[[str, int, int], None]
"""Called with the current step, how much of it is done, and its total (0 if unknown)."""


class BackupError(Exception):
    """The operation failed and nothing was changed. The message says why, and what to do."""


class Entry(msgspec.Struct, frozen=True):
    """A member of the archive: its size in bytes and its SHA-256 in hex."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The last member of the archive, so only a complete archive has one."""

    format: int
    made: str
    version: str
    revision: str
    """The revision of the tables; empty if the database is not in the archive."""
    secret: str
    """The fingerprint of the installation's secret key."""
    entries: dict[str, Entry]
    missing: list[str] = []
    """Files of submissions whose content was missing or damaged when the backup was created."""

    @property
    def database(self) -> str:
        """The archive member of the database; empty if it is not included."""
        return next((name for name in (SQLITE, POSTGRES) if name in self.entries), "")

    @property
    def contents(self) -> int:
        """The number of files of submissions in the archive."""
        return sum(name.startswith(FILES) for name in self.entries)


def secret_fingerprint(secret: str) -> str:
    """Return a fingerprint that identifies a secret without revealing it."""
    return hmac.digest(secret.encode(), b"formwright backup", hashlib.sha256).hex()[:32]


def has_secret(folder: Path, fingerprint: str) -> bool:
    """Return whether the data folder contains the secret with this fingerprint."""
    path = folder / SECRET
    return path.is_file() and secret_fingerprint(path.read_text(errors="replace").strip()) == fingerprint
