"""Small files that would exhaust memory or time are rejected by a process with limits."""

import io
import resource
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest
from unit.tables.reads import workbook
from unit.workbooks.samples import BOOK, SHEET, UTF_16_PART, part, with_parts

from formwright.core.workbooks.models import (
    Limits,
    Selection,
    WorkbookUnreadable,
    column_letters,
    pack_positions,
    unpack_positions,
)
from formwright.core.workbooks.reader import Worksheet, read_workbook

MIB = 2**20
LIMITS = Limits(file=8 * MIB, unpacked=1024 * MIB, cells=300_000, text=5_000_000, memory=256 * MIB, seconds=5)
FIRST = Selection(fallback="first")
PLAIN = workbook([["a", "b"], ["c", "d"]])
TEXTS = "xl/sharedStrings.xml"


def sheet_of(content: bytes, limits: Limits = LIMITS) -> Worksheet:
    return read_workbook(io.BytesIO(content), FIRST, limits).selected[0]


def refused(content: bytes, limits: Limits = LIMITS) -> WorkbookUnreadable:
    with pytest.raises(WorkbookUnreadable) as caught:
        read_workbook(io.BytesIO(content), FIRST, limits)
    assert caught.value.detail.endswith(".")
    return caught.value


def with_cells(cells: str, texts: str = "") -> bytes:
    """Return a sheet with these cells and shared strings."""
    sheet = f"<worksheet><sheetData><row>{cells}</row></sheetData></worksheet>"
    return with_parts(PLAIN, {SHEET: sheet, TEXTS: f"<sst>{texts}</sst>"})


def compound(fat: list[int], directory_start: int = 1) -> bytes:
    """Return an .xls container of three sectors with this allocation table."""
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(10)
    header += struct.pack("<IIIIIIIII", 1, directory_start, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0, 0)
    header += b"\xff" * (512 - len(header))
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(512, b"\xff")
    entry = "Workbook".encode("utf-16-le").ljust(64, b"\0") + struct.pack("<HBB", 18, 2, 1) + b"\xff" * 12 + bytes(36)
    entry += struct.pack("<IQ", 2, 2**31 - 1)
    return header + table + entry.ljust(512, b"\0") + bytes(512)


def large_text() -> bytes:
    content = io.BytesIO(with_parts(PLAIN, {}, lambda name: name.replace("sharedStrings", "unused")))
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as archive, archive.open(TEXTS, "w") as stream:
        stream.write(b"<sst><si><t>")
        for _ in range(300):
            stream.write(b"x" * MIB)
        stream.write(b"</t></si></sst>")
    return content.getvalue()


ATTACKS = {
    "two cells in opposite corners": lambda: with_cells('<c r="A1"><v>1</v></c><c r="XFD1048576"><v>1</v></c>'),
    "one long text in many cells": lambda: with_cells(
        '<c t="s"><v>0</v></c>' * 10_000, f"<si><t>{'x' * 100_000}</t></si>"
    ),
    "a count of texts that isn't true": lambda: with_parts(
        PLAIN, {TEXTS: '<sst uniqueCount="99999999999"><si><t>x</t></si></sst>'}
    ),
    "a text of 300 MiB": large_text,
    "more cells than are read": lambda: with_cells("<c><v>1</v></c>" * 300_001),
    "a row that isn't there": lambda: with_cells('<c r="A99999999999999999999"><v>1</v></c><c r="A1"><v>1</v></c>'),
    "sectors in a circle": lambda: compound([0xFFFFFFFD, 1, 2]),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_rejected_without_using_memory_of_the_server(attack: str) -> None:
    content = ATTACKS[attack]()
    assert len(content) < 2 * MIB
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert refused(content).code in ("bomb", "not_xlsx")
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert now.ru_utime + now.ru_stime - spent.ru_utime - spent.ru_stime < LIMITS.seconds + 1
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < 64 * MIB


def test_a_reader_that_takes_too_long_is_killed() -> None:
    far = with_cells('<c r="A1"><v>1</v></c><c r="AD1048576"><v>1</v></c>')
    assert refused(far, msgspec.structs.replace(LIMITS, seconds=1, memory=4096 * MIB)).code == "bomb"


def test_the_server_survives_with_little_memory(tmp_path: Path) -> None:
    """A sheet with cells in opposite corners, read in a process with as much memory as a small container."""
    (tmp_path / "bomb.xlsx").write_bytes(ATTACKS["two cells in opposite corners"]())
    code = (
        f"import resource, sys; sys.path[:] = {sys.path!r}; resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))\n"
        "from formwright.core.errors import Invalid\n"
        "from formwright.domain.forms.xlsform.importer import import_xlsform\n"
        f"try: import_xlsform(open({str(tmp_path / 'bomb.xlsx')!r}, 'rb').read())\n"
        "except Invalid as error: print(error.faults[0].code)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert (done.stdout.strip(), done.returncode) == ("xlsform.bomb", 0), done.stderr


def test_large_parts_are_rejected_if_they_are_read() -> None:
    tight = msgspec.structs.replace(LIMITS, unpacked=MIB)
    spaces = b" " * (2 * MIB)
    assert refused(with_parts(PLAIN, {SHEET: part(PLAIN, SHEET).encode() + spaces}), tight).code == "bomb"
    assert list(
        sheet_of(with_parts(PLAIN, {"xl/media/picture.emf": spaces, "customXml/item1.xml": UTF_16_PART}), tight).rows()
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (BOOK, '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><workbook>&d;</workbook>'),
        (
            SHEET,
            '<!DOCTYPE a [<!ENTITY b "1">]><worksheet><sheetData><row><c><v>&b;</v></c></row></sheetData></worksheet>',
        ),
        (TEXTS, '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><sst><si><t>&b;</t></si></sst>'),
        (SHEET, "<worksheet><sheetData><row><c><v>1</v>"),
        (
            "xl/_rels/workbook.xml.rels",
            '<Relationships><Relationship Id="rId1" Target="../../../etc/passwd"/></Relationships>',
        ),
    ],
)
def test_entities_and_broken_parts_are_rejected(name: str, content: str) -> None:
    assert refused(with_parts(PLAIN, {name: content})).code == "not_xlsx"


def test_damaged_and_encrypted_archives_are_rejected() -> None:
    flipped = bytearray(PLAIN)
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as archive:
        start = archive.getinfo(SHEET).header_offset + 30 + len(SHEET)
    flipped[start : start + 40] = b"\xff" * 40
    assert refused(bytes(flipped)).code == "not_xlsx"
    locked = bytearray(PLAIN)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.find(signature) + offset] |= 1
    assert refused(bytes(locked)).code == "old_or_locked"
    for content in (b"", b"PK\x03\x04", PLAIN[:-300], b"\0" * 1000, bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)):
        assert refused(content).code == "not_xlsx"


@pytest.mark.parametrize("error", ["#SPILL!", "#GETTING_DATA", "#ERROR!", "Err:502", "#N/A"])
def test_all_error_values_are_detected(error: str) -> None:
    """Including newer error values of Excel and those of other programs."""
    sheet = sheet_of(with_cells(f'<c><v>1</v></c><c t="e"><f>X()</f><v>{error}</v></c><c t="str"><v>#SPILL!</v></c>'))
    assert (list(sheet.rows()), sheet.first_errors()) == ([(1, [1, "", "#SPILL!"])], {1: 2})


@pytest.mark.parametrize("reference", ["1:63", "A:C", "", "B2:A1", "nonsense"])
def test_ranges_of_sheets_are_only_hints(reference: str) -> None:
    """Such as those of whole rows, which some programs write."""
    cells = '<sheetData><row r="2"><c r="B2"><v>7</v></c></row></sheetData>'
    sheet = f'<worksheet><dimension ref="{reference}"/>{cells}</worksheet>'
    assert [row for _, row in sheet_of(with_parts(PLAIN, {SHEET: sheet})).rows()] == [[7]]


def test_positions_are_found_and_packed() -> None:
    cells = '<c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c><c t="e"><v>#N/A</v></c><c r="AA7"><f>1</f><v>1</v></c>'
    selection = Selection(fallback="first", formulas=True)
    sheet = read_workbook(io.BytesIO(with_cells(cells)), selection, LIMITS).selected[0]
    assert sheet.first_errors() == {3: 2}
    assert [(row, column_letters(column)) for row, column in sheet.formula_positions()] == [(3, "B"), (7, "AA")]
    assert list(unpack_positions(pack_positions([(1_048_576, 16_384)]))) == [(1_048_576, 16_384)]
