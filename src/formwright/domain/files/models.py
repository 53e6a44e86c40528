"""Files."""

from dataclasses import dataclass
from enum import StrEnum

from formwright.core.errors import Conflict, Denied, NotFound

MAX_SIZE = 100 * 1024 * 1024
UNUSED_RETENTION_MS = 24 * 3600 * 1000
MAX_UNUSED = 200
MAX_UNUSED_SIZE = 1024**3
"""So much may wait at one form for being named, in files and in bytes: a link is open to anybody who has it."""
ID_PREFIX = "fil"


class FileUse(StrEnum):
    """For which kind of field a file is; each takes other types."""

    PHOTO = "photo"
    SIGNATURE = "signature"
    FILE = "file"


class FileState(StrEnum):
    """Whether the content is on its way to its place, there, or about to be removed."""

    ARRIVING = "ARRIVING"
    READY = "READY"
    LEAVING = "LEAVING"


@dataclass(frozen=True, slots=True)
class File:
    """A file. `hash` is SHA-256 in hex, `size` in bytes; `idle` tells since when no submission names it (ms)."""

    id: str
    customer_id: str
    form_id: str
    field: str
    name: str
    type: str
    size: int
    hash: str
    blob_key: str
    state: FileState
    submission_id: str | None
    idle: int | None
    created: int


@dataclass(frozen=True, slots=True)
class Target:
    """The field that a file is uploaded for."""

    form_id: str
    field: str
    use: FileUse


@dataclass(frozen=True, slots=True)
class FileReference:
    """A file that an answer names; `pointer` leads to the place in the answers."""

    file_id: str
    field: str
    pointer: str


class FileNotFound(NotFound):
    """No such file, or a link that was never ours."""

    code = "file.not_found"
    detail = "There is no such file, or this link to it is not whole."


class TooManyUnusedFiles(Conflict):
    """Too much was uploaded for this form that no submission names yet."""

    code = "file.limit_reached"
    detail = "Too many files were uploaded for this form that no submission names. They are cleared away after a day."


class FileLinkExpired(Denied):
    """The link was good for a time, which is over."""

    code = "file.link_ended"
    detail = "This link has ended. Read the submission's files again for a new one."
