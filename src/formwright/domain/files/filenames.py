"""Names of files: what people gave, without what could do harm where it is saved."""

import re
import unicodedata
from urllib.parse import quote

from formwright.domain.files.media_types import ALL_TYPES

MAX_LENGTH = 200
_BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_NOT_PLAIN = re.compile(r"[^ !#$&+\-.^_`|~0-9A-Za-z()]")


def sanitize_filename(name: str, type_: str) -> str:
    """The name without folders and control characters, at most 200 letters, with an ending that its type has.

    So a text that calls itself `run.bat` is kept as `run.bat.txt`, whatever its letters look like.
    """
    base = re.split(r"[/\\]", without_bidi_controls(name))[-1]
    base = "".join(letter for letter in base if unicodedata.category(letter) != "Cc").strip(" .")
    suffixes = ALL_TYPES[type_].suffixes
    if not base.lower().endswith(suffixes):
        base = (base or "file") + suffixes[0]
    stem, dot, ending = base.rpartition(".")
    return (stem[: MAX_LENGTH - len(ending) - 1] or "file") + dot + ending


def without_bidi_controls(name: str) -> str:
    """The name without the characters that change the direction of text: they can hide how the name ends."""
    return _BIDI_CONTROLS.sub("", name)


def content_disposition(name: str) -> str:
    """The Content-Disposition (RFC 6266) with which it is saved."""
    seen = without_bidi_controls(name)
    plain = _NOT_PLAIN.sub("_", seen)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(seen, safe='')}"
