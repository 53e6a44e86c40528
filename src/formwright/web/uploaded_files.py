"""Files that people send with a form of a page."""

from collections.abc import AsyncIterator

from formwright.domain.files.filenames import without_bidi_controls
from formwright.web.http import UploadFile

FORM_OVERHEAD = 64 * 1024
"""How many bytes a request may have beside the file."""
_CHUNK = 256 * 1024
_MAX_FILE_NAME = 255


def clean_file_name(name: str) -> str:
    """Return the file's name without folders and characters that texts can't contain."""
    # Some programs send the whole path of the file (RFC 7578, section 4.2).
    last = without_bidi_controls(name).replace("\\", "/").rpartition("/")[2]
    # Lone surrogates have no UTF-8, and PostgreSQL accepts no NUL in a text.
    return last.encode("utf-8", "replace").decode().replace("\0", "")[:_MAX_FILE_NAME]


async def iter_chunks(file: UploadFile) -> AsyncIterator[bytes]:
    """Yield the content of the file."""
    while chunk := await file.read(_CHUNK):
        yield chunk
