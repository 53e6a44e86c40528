"""An uploaded .xlsx, unpacked within limits and looked through before the reader of cells sees it."""

import io
import posixpath
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from formwright.core.kernel.errors import Invalid
from formwright.domain.forms.xlsform import limits

_OLD = bytes.fromhex("d0cf11e0a1b11ae1")  # The compound file of .xls, and of any Office file under a password.
_CELL = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_ROW = re.compile(r"[0-9]{1,7}")


@dataclass(slots=True)
class _Seen:
    """What the look through one part found. `formulas` are rows and columns, such as 4 and `B`."""

    rows: int = 0
    columns: int = 0
    row: int = 0
    column: int = 0
    formulas: list[tuple[int, str]] = field(default_factory=list)
    sheets: dict[str, str] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A plain copy of the file, and the cells with formulas by the name of their sheet."""

    content: bytes
    formulas: Mapping[str, list[tuple[int, str]]]


def unpack(content: bytes) -> Unpacked:
    """The file with nothing in it that could exhaust us; `Invalid` says why it cannot be taken.

    The copy is what was measured: sizes that a file states of itself are not believed.
    """
    if len(content) > limits.MAX_FILE:
        raise _refused("too_large", f"The file is larger than {limits.MAX_FILE // 2**20} MB.")
    if content.startswith(_OLD):
        raise _refused("old_or_locked", "This is an old .xls file, or one under a password. Save it as .xlsx.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = _parts(archive)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        raise _refused("not_xlsx", "This is no .xlsx file, or it is damaged.") from None
    seen = {name: _look(part) for name, part in parts.items()}
    return Unpacked(_copy(parts), _formulas(seen))


def _parts(archive: zipfile.ZipFile) -> dict[str, bytes]:
    members = archive.infolist()
    if len(members) > limits.MAX_PARTS:
        raise _refused("bomb", f"The file has more than {limits.MAX_PARTS} parts.")
    if any(member.flag_bits & 1 for member in members):
        raise _refused("old_or_locked", "The file is under a password. Save it without one.")
    if sum(member.file_size for member in members) > limits.MAX_UNPACKED:
        raise _refused("bomb", f"The file unpacks to more than {limits.MAX_UNPACKED // 2**20} MB.")
    if any(_swollen(member) for member in members):
        raise _refused("bomb", "A part of the file unpacks to a size that no spreadsheet needs.")
    # Only these make up the cells; pictures and macros are left where they are.
    return {m.filename: archive.read(m) for m in members if m.filename.lower().endswith((".xml", ".rels"))}


def _swollen(member: zipfile.ZipInfo) -> bool:
    return member.file_size > max(limits.SMALL, limits.MAX_RATIO * member.compress_size)


def _copy(parts: Mapping[str, bytes]) -> bytes:
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return copy.getvalue()


def _look(part: bytes) -> _Seen:
    seen = _Seen()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda tag, given: _element(seen, tag.rpartition(" ")[2], given)
    parser.StartDoctypeDeclHandler = _no_doctype
    try:
        parser.Parse(part, True)
    except expat.ExpatError:
        raise _refused("not_xlsx", "The file is damaged: a part of it is no XML.") from None
    if seen.rows * seen.columns > limits.MAX_CELLS:
        raise _refused("bomb", f"A sheet spans more than {limits.MAX_CELLS} cells. Clear the empty rows and columns.")
    return seen


def _no_doctype(*_: object) -> None:
    # No spreadsheet has one; it is where entities that expand without end are declared.
    raise _refused("not_xlsx", "A part of the file declares a document type.")


def _element(seen: _Seen, tag: str, given: Mapping[str, str]) -> None:
    match tag:
        case "row":
            _at(seen, _whole(_ROW, given.get("r", str(seen.row + 1)))[0], 0)
        case "c" if "r" in given:
            letters, row = _whole(_CELL, given["r"]).groups()
            _at(seen, row, _number(letters))
        case "c":
            _at(seen, str(seen.row), seen.column + 1)
        case "f":
            seen.formulas.append((seen.row, _letters(seen.column)))
        case "sheet":
            seen.sheets[given.get("name", "")] = next((v for k, v in given.items() if k.endswith(" id")), "")
        case "Relationship":
            seen.targets[given.get("Id", "")] = given.get("Target", "")


def _at(seen: _Seen, row: str, column: int) -> None:
    """Where the reader of cells will put the next one: cells may leave out where they are."""
    seen.row, seen.column = int(row), column
    seen.rows, seen.columns = max(seen.rows, seen.row), max(seen.columns, column)


def _whole(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    if found := pattern.fullmatch(text):
        return found
    raise _refused("not_xlsx", "The file is damaged: a cell is nowhere.")


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def _formulas(seen: Mapping[str, _Seen]) -> dict[str, list[tuple[int, str]]]:
    sheets = seen.get("xl/workbook.xml", _Seen()).sheets
    targets = seen.get("xl/_rels/workbook.xml.rels", _Seen()).targets
    found = {}
    for name, relation in sheets.items():
        part = posixpath.normpath(posixpath.join("/xl", targets.get(relation, ""))).lstrip("/")
        found[name] = seen.get(part, _Seen()).formulas
    return found


def _refused(code: str, detail: str) -> Invalid:
    return Invalid.at("", f"xlsform.{code}", detail)
