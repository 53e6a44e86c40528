"""What the first bytes of a file look like, whatever it is sent as."""

import re

HEAD = 4096
"""Bytes that are enough to tell."""

WORKBOOK = "xlsx"
"""The answer for every workbook that may be read, an .xls too."""

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_MAGICS = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", WORKBOOK),  # An .xls, or any Office file with a password.
    (b"%PDF-", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "a document in RTF"),
)
_HTML = re.compile(rb"<(!doctype\s+html|html|head|body|table|script|meta|!--)|<\?xml.*<html", re.DOTALL)
_JSON = re.compile(rb'[\[{]\s*(["\[{\]}]|$)')
_MARKS = b"\xef\xbb\xbf\xff\xfe \t\r\n"


def looks_like(head: bytes) -> str:
    """What it is: `html`, `xlsx` (or .xls), a noun with its article, or nothing where it may be a table of text."""
    if head.startswith(_ZIP):
        return _zip(head)
    for magic, what in _MAGICS:
        if head.startswith(magic):
            return what
    # Without NUL and marks, UTF-16 looks as UTF-8 does.
    text = head.replace(b"\0", b"").lstrip(_MARKS).lower()
    if _HTML.match(text):
        return "html"
    if text.startswith(b"<?xml"):
        return "XML"
    return "JSON" if _JSON.match(text) else ""


def _zip(head: bytes) -> str:
    if b"opendocument.spreadsheet" in head[:200]:
        return "an OpenDocument spreadsheet (.ods)"
    if b"Index/" in head[:200]:
        return "a Numbers spreadsheet"
    office = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/")
    return WORKBOOK if head[30:60].startswith(office) else "a ZIP archive"
