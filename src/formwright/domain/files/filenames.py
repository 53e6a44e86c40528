"""Sanitising of file names, so that saving a downloaded file is safe."""

import re
import unicodedata
from urllib.parse import quote

from formwright.domain.files.media_types import ALL_TYPES

MAX_LENGTH = 200
_BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_NOT_PLAIN = re.compile(r"[^ !#$&+\-.^_`|~0-9A-Za-z()]")


def sanitize_filename(name: str, type_: str) -> str:
    """Return the name without folders and control characters, with a suffix of its media type.

    A text file named `run.bat` becomes `run.bat.txt`. The result has at most 200 characters.
    """
    base = re.split(r"[/\\]", without_bidi_controls(name))[-1]
    # Windows ignores spaces and points at the end of a name, and other systems hide files that begin with a point.
    base = "".join(letter for letter in base if unicodedata.category(letter) != "Cc").strip(" .")
    suffixes = ALL_TYPES[type_].suffixes
    if not base.lower().endswith(suffixes):
        base = (base or "file") + suffixes[0]
    stem, dot, ending = base.rpartition(".")
    return (stem[: MAX_LENGTH - len(ending) - 1] or "file") + dot + ending


def without_bidi_controls(name: str) -> str:
    """Return the name without bidirectional control characters, which can disguise the suffix."""
    return _BIDI_CONTROLS.sub("", name)


def content_disposition(name: str) -> str:
    """Return the Content-Disposition header (RFC 6266) that makes browsers save the file with this name."""
    name = without_bidi_controls(name)
    ascii_name = _NOT_PLAIN.sub("_", name)
    return f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, safe='')}"


def clean_path_segment(name: str) -> str:
    """Return the name without characters that other systems do not allow in names of files."""
    return _NOT_IN_NAMES.sub("_", without_bidi_controls(name))
