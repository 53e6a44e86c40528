"""Reads from an .xlsx or .xlsm archive what calamine, which reads the cells, does not provide: formulas and errors."""

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree
from xml.parsers import expat

from formwright.core.workbooks.models import (
    Limits,
    Positions,
    Problem,
    WorkbookUnreadable,
    damaged,
    locked,
    unpacks_too_large,
)

_ERROR_CELL = re.compile(rb"""\st\s*=\s*["']e["']""")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
# A formula that an empty value or the end of its cell follows.
_MISSING_VALUE = re.compile(
    rb"(?:</(?:\w+:)?f>|<(?:\w+:)?f(?:\s[^<>]*)?/>)\s*(?:<(?:\w+:)?v\s*(?:/>|>\s*</)|</(?:\w+:)?c>)"
)
_ERROR_VALUE = re.compile(rb"""(\st\s*=\s*["']e["'][^>]*>(?:(?!</(?:\w+:)?c>).)*?<(?:\w+:)?v>)([^<]*)""", re.DOTALL)
_DIMENSION = re.compile(rb"<(?:\w+:)?dimension\b[^>]*>(?:\s*</(?:\w+:)?dimension\s*>)?")
"""The range of a sheet, which is only a hint. Calamine refuses a sheet if it consists of whole rows or columns."""
_KNOWN_ERRORS = (b"#DIV/0!", b"#N/A", b"#NAME?", b"#NULL!", b"#NUM!", b"#REF!", b"#VALUE!")
_DOCTYPE = b"<!DOCTYPE"  # No spreadsheet program writes one. Attacks use it to define entities.
_OVERLAP = 256
"""A match may begin in one piece and end in the next."""
_CHUNK = 2**20
_ALWAYS_READ = ("sharedStrings.xml", "styles.xml")


class OoxmlPackage:
    """The parts of a workbook by lower-case name, because spreadsheet programs compare names case-insensitively.

    `content` is the file.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, NotImplementedError, ValueError):
            raise damaged() from None
        self._parts = {part.filename.lower().lstrip("/"): part for part in self._archive.infolist()}
        self._check_kind()
        self._folder, self._sheets = self._find_sheets()

    def check(self, limits: Limits, sheets: list[int]) -> None:
        """Raise `WorkbookUnreadable` if the parts to read are too large when uncompressed, or declare entities."""
        names = [*((self._folder + name).lower() for name in _ALWAYS_READ), *(self._sheets[index] for index in sheets)]
        parts = [self._parts[name] for name in names if name in self._parts]
        if sum(part.file_size for part in parts) > limits.unpacked:
            raise unpacks_too_large(limits)
        if any(_DOCTYPE in next(self._chunks(part.filename), b"") for part in parts):
            raise damaged()

    def repair(self) -> bytes:
        """Return a copy of the workbook without what calamine cannot read: some error values, such as `#SPILL!`, and
        ranges of sheets.
        """
        copy = io.BytesIO()
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name in self._parts:
                if name.endswith((".xml", ".rels")):
                    content = self._read(name)
                    archive.writestr(name, _repair_sheet(content) if name in self._sheets else content)
        return copy.getvalue()

    def positions(self, sheet: int, *, formulas: bool) -> Positions:
        """Return the positions of formulas, if requested, error values and missing values in a sheet."""
        path = self._sheets[sheet]
        patterns = [_ERROR_CELL, _MISSING_VALUE, *([_FORMULA] if formulas else [])]
        if not any(self._contains(path, pattern) for pattern in patterns):
            return Positions()
        scanner = _PositionScanner()
        for chunk in self._chunks(path):
            scanner.feed(chunk)
        return scanner.found

    def _check_kind(self) -> None:
        if any(part.flag_bits & 1 for part in self._parts.values()):
            raise locked()
        if "mimetype" in self._parts and b"opendocument" in self._read("mimetype")[:100]:
            raise WorkbookUnreadable(Problem.DAMAGED, "This is an OpenDocument file (.ods). Save it as .xlsx.")
        if "xl/workbook.bin" in self._parts:
            raise WorkbookUnreadable(Problem.DAMAGED, "This is a binary workbook (.xlsb). Save it as .xlsx.")

    def _find_sheets(self) -> tuple[str, list[str]]:
        """Return the folder of the workbook part, and the paths of the sheets in the order of the workbook."""
        roots = [root for root in self._relationships("") if root.get("Type", "").endswith("/officeDocument")]
        if not roots:
            raise damaged()
        book = roots[-1].get("Target", "").lstrip("/")
        folder, _, _ = book.rpartition("/")
        targets = {relation.get("Id"): relation.get("Target", "") for relation in self._relationships(book)}
        sheets = [
            next((value for key, value in sheet.items() if key.rpartition("}")[2] == "id"), "")
            for sheet in self._parse(book).iterfind(".//{*}sheet")
        ]
        paths = [posixpath.normpath(posixpath.join("/", folder, targets.get(sheet, ""))) for sheet in sheets]
        return (f"{folder}/" if folder else ""), [path.lstrip("/").lower() for path in paths]

    def _relationships(self, part: str) -> list[ElementTree.Element]:
        folder, _, name = part.rpartition("/")
        return list(self._parse(posixpath.join(folder, "_rels", f"{name}.rels")).iterfind("{*}Relationship"))

    def _parse(self, name: str) -> ElementTree.Element:
        content = self._read(name)
        if _DOCTYPE in content:
            raise damaged()
        try:
            return ElementTree.fromstring(content)  # noqa: S314 - this process has limits and no secrets.
        except (ElementTree.ParseError, ValueError):
            raise damaged() from None

    def _read(self, name: str) -> bytes:
        return b"".join(self._chunks(name))

    def _chunks(self, name: str) -> Iterator[bytes]:
        part = self._parts.get(name.lower().lstrip("/"))
        if part is None:
            raise damaged()
        with self._archive.open(part) as stream:
            while chunk := stream.read(_CHUNK):
                yield chunk

    def _contains(self, name: str, pattern: re.Pattern[bytes]) -> bool:
        tail = b""
        for chunk in self._chunks(name):
            if pattern.search(tail + chunk):
                return True
            tail = chunk[-_OVERLAP:]
        return False


class _PositionScanner:
    """Finds the positions of formulas and errors in a worksheet part. Rows and cells may omit their position."""

    def __init__(self) -> None:
        self.found = Positions()
        self._row = self._column = 0
        self._type = ""
        self._has_formula = self._is_value = self._has_value = False
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text

    def feed(self, chunk: bytes) -> None:
        """Parse the next bytes of the part."""
        try:
            self._parser.Parse(chunk)
        except expat.ExpatError:
            raise damaged() from None

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        self._is_value = tag == "v"
        if tag == "c":
            self._start_cell(attributes)
        elif tag == "f":
            self._has_formula = True
            self.found.formulas.append((self._row, self._column))
        elif tag == "row":
            self._row, self._column = int(attributes.get("r", self._row + 1)), 0

    def _start_cell(self, attributes: Mapping[str, str]) -> None:
        self._column += 1
        if place := attributes.get("r"):
            letters = place.rstrip("0123456789")
            self._row, self._column = int(place[len(letters) :]), _column_number(letters)
        self._type = attributes.get("t", "n")
        self._has_formula = self._has_value = False
        if self._type == "e":
            self.found.errors.append((self._row, self._column))

    def _add_text(self, text: str) -> None:
        self._has_value = self._has_value or (self._is_value and bool(text.strip()))

    def _end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        self._is_value = False
        # The value of a formula whose result is a text may be empty.
        if tag == "c" and self._has_formula and not self._has_value and self._type not in ("str", "e"):
            self.found.missing.append((self._row, self._column))
        # Elements with the same names follow the cells, such as the formulas of conditional formats.
        if tag == "sheetData":
            self._parser.StartElementHandler = self._parser.EndElementHandler = None
            self._parser.CharacterDataHandler = None


def _repair_sheet(content: bytes) -> bytes:
    return _ERROR_VALUE.sub(_known_error, _DIMENSION.sub(b"", content, count=1))


def _known_error(match: re.Match[bytes]) -> bytes:
    return match[0] if match[2] in _KNOWN_ERRORS else match[1] + b"#VALUE!"


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number
