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
"""What is backed up of the data folder, besides the database and the files of submissions."""

ProgressCallback = Callable[[str, int, int], None]
"""Progress callback: the current step, how much of it is done, and its total."""


class BackupError(Exception):
    """The operation failed and nothing was changed; the message says why, and what to do."""


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
    """Of the tables; empty where the database is not in the archive."""
    secret: str
    """What tells the installation's secret from others, without telling it."""
    entries: dict[str, Entry]
    missing: list[str] = []
    """Places of files whose content was not there, or was damaged, when the backup was made."""

    @property
    def database(self) -> str:
        """The archive member of the database; empty if it is not included."""
        return next((name for name in (SQLITE, POSTGRES) if name in self.entries), "")

    @property
    def contents(self) -> int:
        """How many contents of files there are."""
        return sum(name.startswith(FILES) for name in self.entries)


def secret_fingerprint(secret: str) -> str:
    """Differs from that of any other secret, and gives nothing of it away."""
    return hmac.digest(secret.encode(), b"formwright backup", hashlib.sha256).hex()[:32]


def has_secret(folder: Path, mark: str) -> bool:
    """Whether the secret of this mark lies in a data folder."""
    path = folder / SECRET
    return path.is_file() and secret_fingerprint(path.read_text(errors="replace").strip()) == mark
