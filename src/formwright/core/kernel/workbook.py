"""A stranger's .xlsx, unpacked within limits and looked through before a reader of cells sees it."""

import io
import posixpath
import zipfile
import zlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from formwright.core.kernel.workbook_part import Part, Places, Unusable

MAX_PARTS = 1_000
MAX_RATIO = 200
"""Unpacked to packed, of a part above `SMALL`; spreadsheets of people stay under 50."""

SMALL = 1024 * 1024
_OLD = bytes.fromhex("d0cf11e0a1b11ae1")  # The compound file of .xls, and of any Office file under a password.
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,  # The zip reader's own: packed or encrypted in a way that it does not know.
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of the file and of its parts; of one sheet, the cells of its rectangle from A1, and their characters.

    The reader of cells lays out all of it, and a text as often as cells name it.
    """

    file: int
    unpacked: int
    cells: int
    text: int


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A plain copy of the file; by the name of the sheet, where its formulas and its errors such as `#REF!` are."""

    content: bytes
    formulas: Mapping[str, Places]
    errors: Mapping[str, Places]


def unpack(file: BinaryIO, limits: Limits) -> Unpacked:
    """The file with nothing in it that could exhaust us; `Unusable` says why it cannot be taken.

    The copy is what was measured: sizes that a file states of itself are not believed.
    """
    if file.seek(0, io.SEEK_END) > limits.file:
        raise Unusable("too_large", f"The file is larger than {limits.file // 2**20} MiB.")
    file.seek(0)
    if file.read(len(_OLD)) == _OLD:
        raise Unusable("old_or_locked", "This is an old .xls file, or one under a password. Save it as .xlsx.")
    copy = io.BytesIO()
    try:
        with zipfile.ZipFile(file) as archive, zipfile.ZipFile(copy, "w") as plain:
            parts = dict(_looked_through(archive, plain, limits))
    except _DAMAGED:
        raise Unusable("not_xlsx", "This is no .xlsx file, or it is damaged.") from None
    return Unpacked(copy.getvalue(), *_places(parts))


def _looked_through(archive: zipfile.ZipFile, plain: zipfile.ZipFile, limits: Limits) -> Iterator[tuple[str, Part]]:
    texts = array("L")
    for member in _members(archive, limits):
        part = Part(limits.cells, limits.text, texts)
        # A large part is packed again: the copy stays in memory.
        packing = zipfile.ZIP_DEFLATED if member.file_size > SMALL else zipfile.ZIP_STORED
        entry = zipfile.ZipInfo(member.filename)
        entry.compress_type, entry._compresslevel = packing, 1  # type: ignore[attr-defined]
        with archive.open(member) as packed, plain.open(entry, "w") as unpacked:
            while chunk := packed.read(65536):
                part.feed(chunk)
                unpacked.write(chunk)
        part.end()
        yield member.filename, part


def _members(archive: zipfile.ZipFile, limits: Limits) -> list[zipfile.ZipInfo]:
    """The parts that make up the cells, the shared texts first; pictures and macros are left where they are."""
    members = archive.infolist()
    if len(members) > MAX_PARTS:
        raise Unusable("bomb", f"The file has more than {MAX_PARTS} parts.")
    if any(member.flag_bits & 1 for member in members):
        raise Unusable("old_or_locked", "The file is under a password. Save it without one.")
    if sum(member.file_size for member in members) > limits.unpacked:
        raise Unusable("bomb", f"The file unpacks to more than {limits.unpacked // 2**20} MiB.")
    if any(_swollen(member) for member in members):
        raise Unusable("bomb", "A part of the file unpacks to a size that no spreadsheet needs.")
    if len({member.filename for member in members}) < len(members) or any(
        member.compress_type not in _PACKINGS for member in members
    ):
        raise Unusable("not_xlsx", "The file is damaged: its parts are not packed as those of a spreadsheet.")
    kept = [member for member in members if member.filename.lower().endswith((".xml", ".rels"))]
    return sorted(kept, key=lambda member: "sharedstrings" not in member.filename.lower())


def _swollen(member: zipfile.ZipInfo) -> bool:
    return member.file_size > max(SMALL, MAX_RATIO * member.compress_size)


def _places(parts: Mapping[str, Part]) -> tuple[dict[str, Places], dict[str, Places]]:
    """Where the formulas and the errors are, by the name of the sheet."""
    book, relations = parts.get("xl/workbook.xml"), parts.get("xl/_rels/workbook.xml.rels")
    formulas, errors = {}, {}
    for name, relation in book.sheets.items() if book else ():
        target = relations.targets.get(relation, "") if relations else ""
        path = posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")
        if part := parts.get(path):
            formulas[name], errors[name] = part.formulas, part.errors
    return formulas, errors
