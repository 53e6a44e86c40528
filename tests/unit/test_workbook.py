"""A spreadsheet that is small, and would not be once it is laid out."""

import io
import zipfile
from collections.abc import Mapping

import pytest
from unit.tables.reads import workbook

from formwright.core.kernel.workbook import SMALL, Limits, Unpacked, unpack
from formwright.core.kernel.workbook_part import Unusable, letters

LIMITS = Limits(file=2**20, unpacked=2**23, cells=50_000, text=100_000)
SHEET, TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
PLAIN = workbook([["a", "b"], ["c", "d"]])


def with_parts(parts: Mapping[str, str | bytes], content: bytes = PLAIN) -> bytes:
    """The file with some parts in others' places, and those that are new behind them."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in dict.fromkeys([*old.namelist(), *parts]):
            new.writestr(name, parts[name] if name in parts else old.read(name))
    return changed.getvalue()


def part(name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as archive:
        return archive.read(name).decode()


def unpacked(content: bytes) -> Unpacked:
    return unpack(io.BytesIO(content), LIMITS)


def refused(content: bytes) -> str:
    with pytest.raises(Unusable) as caught:
        unpacked(content)
    return caught.value.code


def naming(cells: str) -> bytes:
    """A sheet with these cells, and two texts to name."""
    return with_parts({SHEET: f"<worksheet><sheetData><row>{cells}</row></sheetData></worksheet>", TEXTS: texts(2)})


def texts(count: int, length: int = 1) -> str:
    return "<sst>" + f"<si><t>{'x' * length}</t></si>" * count + "</sst>"


def test_one_long_text_that_many_cells_name_is_refused() -> None:
    """Each cell gets a copy of its own: a file of 20 KB would take gigabytes."""
    cells = '<c t="s"><v>0</v></c>' * 1_000
    content = with_parts({SHEET: f"<worksheet><row>{cells}</row></worksheet>", TEXTS: texts(1, 101)})
    assert len(content) < 20_000
    assert refused(content) == "bomb"
    assert unpacked(with_parts({SHEET: f"<worksheet><row>{cells}</row></worksheet>", TEXTS: texts(1, 100)}))


@pytest.mark.parametrize(
    "cell",
    [
        '<c t="s"><v>2</v></c>',
        '<c t="s"><v>0<!-- -->1</v></c>',
        '<c t="s"><v>0<![CDATA[1]]></v></c>',
        '<c t="s"><v>0</v>1</c>',
        '<c t="s"><v>-1</v></c>',
        f'<c t="s"><v>{"0" * 200_000}1</v></c>',
    ],
)
def test_a_cell_that_two_readers_could_read_in_two_ways_is_refused(cell: str) -> None:
    assert refused(naming(cell)) == "not_xlsx"


def test_white_space_between_elements_is_no_fault() -> None:
    assert unpacked(naming('\n <c t="s">\n <f>Z1</f> <v>1</v>\n </c>\n <c t="s"><v/></c><c><v> 99 </v></c>'))


def test_a_part_is_utf_8_whatever_it_says() -> None:
    assert unpacked(with_parts({"xl/more.xml": '<?xml version="1.0" encoding="none"?><a/>'}))
    for encoding in ("utf-16", "cp037"):
        part = f'<?xml version="1.0" encoding="{encoding}"?><a/>'.encode(encoding)
        assert refused(with_parts({"xl/more.xml": part})) == "not_xlsx"


def test_shared_texts_in_two_places_are_refused() -> None:
    assert refused(with_parts({"xl/worksheets/SharedStrings.xml": texts(9)})) == "not_xlsx"
    assert refused(with_parts({"xl/other.xml": texts(9)})) == "not_xlsx"


def test_a_number_at_the_end_of_a_chunk_is_not_cut_in_two() -> None:
    cells = "".join(f'<c t="s"><v>{number}</v></c>' for number in range(40_000))
    sheet = f"<worksheet><row>{cells}</row></worksheet>"
    assert unpacked(with_parts({SHEET: sheet, TEXTS: texts(40_000)}))


def test_what_is_packed_in_another_way_or_named_twice_is_refused() -> None:
    for packing in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        content = io.BytesIO(PLAIN)
        with zipfile.ZipFile(content, "a", packing) as archive:
            archive.writestr("xl/more.xml", "<a/>")
        assert refused(content.getvalue()) == "not_xlsx"
    content = io.BytesIO(PLAIN)
    with zipfile.ZipFile(content, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(SHEET, part(SHEET))
    assert refused(content.getvalue()) == "not_xlsx"


def test_a_part_whose_packed_bytes_are_damaged_is_refused() -> None:
    content = bytearray(PLAIN)
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as archive:
        start = archive.getinfo(SHEET).header_offset + 30 + len(SHEET)
    content[start : start + 40] = b"\xff" * 40
    assert refused(bytes(content)) == "not_xlsx"


def test_a_large_part_is_packed_again() -> None:
    large = "<a>" + "".join(f"<b>some words and {number}</b>" for number in range(60_000)) + "</a>"
    copy = unpacked(with_parts({"xl/large.xml": large})).content
    assert len(copy) < SMALL < len(large)
    with zipfile.ZipFile(io.BytesIO(copy)) as archive:
        assert archive.read("xl/large.xml").decode() == large


def test_formulas_and_errors_are_found_by_sheet() -> None:
    cells = '<c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c><c t="e"><v>#N/A</v></c><c r="AA7"><f>1</f></c>'
    found = unpacked(naming(cells))
    assert list(found.errors["Sheet1"]) == [(3, 2), (3, 3)]
    assert found.errors["Sheet1"].first_by_row() == {3: 2}
    assert [(row, letters(column)) for row, column in found.formulas["Sheet1"]] == [(3, "B"), (7, "AA")]
