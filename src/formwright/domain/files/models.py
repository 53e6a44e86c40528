"""Records, limits and errors of files."""

from dataclasses import dataclass
from enum import StrEnum

from formwright.core.errors import Conflict, Denied, NotFound
from formwright.core.file_uses import FileUse

MAX_SIZE = 100 * 1024 * 1024
UNUSED_RETENTION_MS = 24 * 3600 * 1000
MAX_UNUSED = 200
MAX_UNUSED_SIZE = 1024**3
"""Limits, in files and bytes, of unsubmitted uploads per form, because anybody with the link can upload."""
MAX_UNUSED_BY_KEYS = 10_000
MAX_UNUSED_SIZE_BY_KEYS = 20 * 1024**3
"""The same for uploads with API keys, which are counted separately: they must not block people, nor the reverse."""
ID_PREFIX = "fil"
MEDIA_FIELD = ":media"
"""The `field` of media of the form itself. It cannot be the name of a field."""
_IMAGE_TYPES = ("image/jpeg", "image/png", "image/webp", "image/gif")


class FileState(StrEnum):
    """Whether the content is being stored, is available, or is about to be deleted."""

    ARRIVING = "ARRIVING"
    READY = "READY"
    LEAVING = "LEAVING"


@dataclass(frozen=True, slots=True)
class File:
    """A file. `hash` is the SHA-256 in hex, and `size` is in bytes.

    `idle` is the time (ms) since when no submission refers to the file; None while one does. `api_key_id` is the API
    key that uploaded the file; None if a person did.
    """

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
    api_key_id: str | None = None

    @property
    def is_audio(self) -> bool:
        """Return whether browsers can play the content as sound."""
        return self.type.startswith("audio/")

    @property
    def is_video(self) -> bool:
        """Return whether browsers can play the content as a video."""
        return self.type.startswith("video/")

    @property
    def is_image(self) -> bool:
        """Return whether browsers and reports can show the content."""
        return self.type in _IMAGE_TYPES


@dataclass(frozen=True, slots=True)
class Target:
    """The field that a file is uploaded for."""

    form_id: str
    field: str
    use: FileUse


@dataclass(frozen=True, slots=True)
class FileReference:
    """A reference from an answer to a file. `pointer` is the JSON Pointer of the answer."""

    file_id: str
    field: str
    pointer: str


class FileNotFound(NotFound):
    """The file does not exist, or the signature of the link is invalid."""

    code = "file.not_found"
    detail = "The file does not exist, or the link is incomplete."


class ThumbnailUnavailable(NotFound):
    """The file is no photo or signature, or it is damaged or too large to be scaled."""

    code = "file.no_thumbnail"
    detail = "This file has no thumbnail. JPEG, PNG, WebP and GIF images have one. Download the file itself."


class TooManyUnusedFiles(Conflict):
    """Too many files of the form are not referred to by any submission."""

    code = "file.limit_reached"
    detail = "Too many files were uploaded to this form without being submitted. They are deleted after a day."


class FileLinkExpired(Denied):
    """The link has expired."""

    code = "file.link_ended"
    detail = "This link has expired. List the files of the submission again to get a new link."
