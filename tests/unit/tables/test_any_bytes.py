"""Any bytes are either read as a table or rejected with a reason."""

import contextlib
import io
import zipfile

from hypothesis import given, settings
from hypothesis import strategies as st
from unit.tables.dialects import PROGRAMS
from unit.tables.reads import workbook

from formwright.core.tables.base import TableUnreadable
from formwright.core.tables.open import Kind, open_table

BOOK = workbook([["a", "b"], [1, "x"], [True, 0.5]])
PARTS = ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"]
PIECE = st.text('0123456789rstebnAZ<>/"= &;.-', min_size=1, max_size=4).map(str.encode) | st.binary(
    min_size=1, max_size=4
)
DAMAGE = st.lists(st.tuples(st.integers(0, 2**16), PIECE), min_size=1, max_size=4)


def attempt(content: bytes, kind: Kind) -> None:
    with contextlib.suppress(TableUnreadable):
        found = open_table(io.BytesIO(content), kind)
        assert found.header
        assert all(len(row[1]) == len(found.header) for row in found.rows() if isinstance(row, tuple))


def damaged(content: bytes, damage: list[tuple[int, bytes]]) -> bytes:
    spoilt = bytearray(content)
    for place, piece in damage:
        place %= len(spoilt)
        spoilt[place : place + len(piece)] = piece
    return bytes(spoilt)


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    attempt(content, "csv")


# Each example starts a process.
@settings(max_examples=10)
@given(st.sampled_from([b"PK\x03\x04", bytes.fromhex("d0cf11e0a1b11ae1")]), st.binary(max_size=900))
def test_any_bytes_of_a_workbook(magic: bytes, content: bytes) -> None:
    attempt(magic + content, "xlsx")


@settings(max_examples=100)
@given(st.sampled_from(list(PROGRAMS.values())), DAMAGE)
def test_a_damaged_csv(content: bytes, damage: list[tuple[int, bytes]]) -> None:
    attempt(damaged(content, damage), "csv")


@settings(max_examples=15)
@given(DAMAGE)
def test_a_damaged_archive(damage: list[tuple[int, bytes]]) -> None:
    attempt(damaged(BOOK, damage), "xlsx")


@settings(max_examples=15)
@given(st.sampled_from(PARTS), DAMAGE)
def test_a_damaged_part(name: str, damage: list[tuple[int, bytes]]) -> None:
    """The archive is packed again, so that the parsers of XML and of cells see the damage."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(BOOK)) as old, zipfile.ZipFile(content, "w") as new:
        for part in old.namelist():
            new.writestr(part, damaged(old.read(part), damage) if part == name else old.read(part))
    attempt(content.getvalue(), "xlsx")
