"""In which encoding a file of text is, and whether all of it is."""

import codecs
import io
from dataclasses import dataclass
from email.message import Message
from typing import BinaryIO

from formwright.domain.datasources.tables.model import TableUnreadable

MAX_LINE = 4_000_000
"""Characters: 200 columns of 10,000, each of them a quote that is doubled."""

_CHUNK = 2**20
# UTF-32 first: its mark begins as that of UTF-16 does.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Python calls them text; they are ways to write names of hosts and of programs, and UTF-7 yields halves of characters.
_NO_TEXT = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "unicode_escape", "utf-7"}
_SAVE = "Save it as CSV UTF-8, or name its encoding."


@dataclass(frozen=True, slots=True)
class Text:
    """How the file is decoded, and whether there is a NUL anywhere in it."""

    encoding: str
    nul: bool


def named(content_type: str) -> str | None:
    """The encoding that the `charset` of a Content-Type names; None where it names none, or none that is known.

    UTF-8 is often named without a look at the file, and is found anyway.
    """
    said = Message()
    said["content-type"] = content_type or "text/csv"
    try:
        name = codecs.lookup(said.get_content_charset("")).name
    except LookupError:
        return None
    return None if name in ("utf-8", "ascii") else name


def text_of(file: BinaryIO, own: str | None) -> Text:
    """The encoding in which the whole file is text. A mark at its beginning counts for more than what was said."""
    file.seek(0)
    head = file.read(4096)
    marked = next((encoding for mark, encoding in _MARKS if head.startswith(mark)), None)
    if encoding := marked or _known(own):
        return _all(file, encoding)
    if head.count(0) > len(head) // 4:
        detail = "This looks like UTF-16 without a mark at its beginning. Name the encoding, utf-16-le or utf-16-be."
        raise TableUnreadable("table.encoding", detail, 1)
    try:
        return _all(file, "utf-8")
    except TableUnreadable as error:
        if error.code != "table.encoding":
            raise
        return _all(file, "cp1252")


def _known(own: str | None) -> str | None:
    if own is None:
        return None
    try:
        io.TextIOWrapper(io.BytesIO(), own)  # It takes encodings of text only.
        name = codecs.lookup(own).name
    except (LookupError, ValueError):
        name = ""
    if not name or name in _NO_TEXT:
        detail = f"There is no encoding {own!r} for text. Use utf-8, utf-16, windows-1252 or another that is known."
        raise TableUnreadable("table.encoding.unknown", detail)
    return name


def _all(file: BinaryIO, encoding: str) -> Text:
    """The file decoded once to its end, so that nothing is found undecodable when half of it is taken in."""
    decoder = codecs.getincrementaldecoder(encoding)()
    feeds = returns = length = 0
    nul = False
    file.seek(0)
    while True:
        chunk = file.read(_CHUNK)
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeError as error:
            before = _before(error, encoding)
            line = 1 + max(feeds + before.count("\n"), returns + before.count("\r"))
            raise TableUnreadable("table.encoding", _undecodable(encoding, line), line) from None
        if not chunk:
            return Text(encoding, nul)
        feeds, returns = feeds + text.count("\n"), returns + text.count("\r")
        nul = nul or "\0" in text
        end = max(text.rfind("\n"), text.rfind("\r"))
        length = length + len(text) if end < 0 else len(text) - end - 1
        if length > MAX_LINE:
            line = 1 + max(feeds, returns)
            detail = f"Line {line} has more than {MAX_LINE} characters. No row of a table is as long."
            raise TableUnreadable("table.line", detail, line)


def _before(error: UnicodeError, encoding: str) -> str:
    """What could be decoded of the chunk; not every codec says where it failed."""
    return error.object[: error.start].decode(encoding, "ignore") if isinstance(error, UnicodeDecodeError) else ""


def _undecodable(encoding: str, line: int) -> str:
    if encoding == "cp1252":
        return f"The file is neither UTF-8 nor Windows-1252: see line {line}. {_SAVE}"
    return f"Line {line} is not in {encoding}. {_SAVE}"
