"""CSV files: the dialects of many programs, and all kinds of errors."""

import codecs
import io
import json
import tempfile
import tracemalloc

import pytest
from unit.tables.dialects import PROGRAMS, TABLE
from unit.tables.reads import bad, lines, read, refused, table, workbook, written

from formwright.core.tables.base import Dialect
from formwright.core.tables.open import open_table


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_table_of_every_program_is_the_same(program: str) -> None:
    assert read(PROGRAMS[program]) == TABLE


@pytest.mark.parametrize("program", PROGRAMS)
def test_line_numbers_are_those_of_the_file(program: str) -> None:
    first = 3 if "first line" in program else 2
    assert lines(PROGRAMS[program]) == [first, first + 1, first + 3]


def test_rows_can_be_read_again_and_the_file_stays_open() -> None:
    with tempfile.SpooledTemporaryFile() as file:
        file.write(b"a,b\n1,2\n3,4\n")
        found = open_table(file, "csv")
        abandoned = found.rows()
        next(abandoned)
        assert list(found.rows()) == list(found.rows()) == [(2, ["1", "2"]), (3, ["3", "4"])]
        del abandoned
        assert not file.closed


def test_whitespace_around_cells_and_empty_rows_are_ignored() -> None:
    content = '\n , \n a , b \n\n 1,2 \n,\n   \n\u00a03 , "4, 5"\n'.encode()
    assert read(content) == [["a", "b"], ["1", "2"], ["3", "4, 5"]]
    assert lines(content) == [5, 8]


def test_one_column_has_no_delimiter() -> None:
    assert read(b"name\nMeier, Hans\na;b;c\nx|y\n") == [["name"], ["Meier, Hans"], ["a;b;c"], ["x|y"]]
    assert read(b'"na,me"\n"1"\n') == [["na,me"], ["1"]]
    assert read(b"only") == [["only"]]


def test_the_delimiter_is_the_one_that_agrees_with_the_header() -> None:
    assert read("Name, Vorname;Ort\nMeier, Hans;Köln\nUlf;Bonn\n".encode())[2] == ["Ulf", "Bonn"]
    assert read(b"id,note; more\n1,a\n2,b; c\n3,d\n")[3] == ["3", "d"]
    assert read(b"a;b;c\n1,5;2,5;3,5\n1,5;2,5;3,5\n")[1] == ["1,5", "2,5", "3,5"]
    assert read(b'a,b;c\n"x,1";"y"\n"x,2";"y"\n')[1] == ["x,1", "y"]


def test_a_requested_dialect_takes_precedence() -> None:
    assert read(b"a:b\n1,2:3\n", dialect=Dialect(delimiter=":")) == [["a", "b"], ["1,2", "3"]]
    assert read(b"sep=;\na,b\n1;2,3\n", dialect=Dialect(delimiter=",")) == [["a", "b"], ["1;2", "3"]]
    assert read("имя;n\nИван;1\n".encode("cp1251"), dialect=Dialect(encoding="windows-1251"))[1] == ["Иван", "1"]
    assert read("a,b\nü,1\n".encode("utf-16-le"), dialect=Dialect(encoding="UTF-16LE"))[1] == ["ü", "1"]


def test_a_byte_order_mark_takes_precedence_over_the_requested_encoding() -> None:
    for mark, encoding in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        content = mark + '"a",b\nü,1\n'.encode(encoding)
        assert read(content, dialect=Dialect(encoding="latin-1")) == [["a", "b"], ["ü", "1"]]
        assert read(content, dialect=Dialect(encoding=encoding)) == [["a", "b"], ["ü", "1"]]


@pytest.mark.parametrize(
    "encoding", ["", "klingon", "rot13", "base64", "idna", "punycode", "unicode_escape", "utf-7", "U7", "a\0b"]
)
def test_an_unknown_encoding_is_rejected(encoding: str) -> None:
    assert refused(b"a\n", dialect=Dialect(encoding=encoding)).code == "table.encoding.unknown"


@pytest.mark.parametrize("delimiter", ["ab", "x", '"', "\n", " ", "7", "ü"])
def test_an_invalid_delimiter_is_rejected(delimiter: str) -> None:
    assert refused(b"a\n", dialect=Dialect(delimiter=delimiter)).code == "table.delimiter"


def test_undecodable_bytes_are_reported_with_their_line() -> None:
    for end in (b"\n", b"\r\n", b"\r"):
        rows = end.join([b"a,b", *[b"1,2"] * 500_000, b"\xc3\xb0\x81,2", b"3,4"])
        error = refused(rows)
        assert (error.code, error.line) == ("table.encoding", 500_002)
    error = refused(b"a,b\n1,\xe4\n", dialect=Dialect(encoding="utf-8"))
    assert (error.code, error.line) == ("table.encoding", 2)
    assert refused(codecs.BOM_UTF16_LE + "a,b\n1".encode("utf-16-le")[:-1]).code == "table.encoding"
    assert "utf-16-le" in refused("a,b\n1,2\n".encode("utf-16-le")).detail


def test_bytes_at_the_end_decide_the_encoding() -> None:
    rows = [["a", "b"], *[["plain", "text"]] * 100_000]
    assert read(written([*rows, ["Müller", "1"]], "cp1252"))[-1] == ["Müller", "1"]
    assert read(written([*rows, ["ü", "1"]], "utf-8"))[-1] == ["ü", "1"]


def test_ragged_rows_are_invalid_and_the_others_are_not() -> None:
    content = b"a,b,c\n1,2\n1,2,3\n1,2,3,4\n1,2,3,,\n1\n"
    assert bad(content) == [(2, None, "row.ragged"), (4, None, "row.ragged"), (6, None, "row.ragged")]
    assert [row for row in table(content).rows() if isinstance(row, tuple)] == [
        (3, ["1", "2", "3"]),
        (5, ["1", "2", "3"]),
    ]
    first, *_ = table(content).rows()
    assert "2 cells and the header has 3" in str(first)


def test_trailing_columns_without_names_are_ignored_if_empty() -> None:
    content = b"a,b,,\n1,2,,\n1,2,3,\n1,2,,\n"
    assert table(content).header == ("a", "b")
    assert bad(content) == [(3, None, "row.ragged")]


def test_a_cell_that_is_too_long_is_reported() -> None:
    long = "x" * 10_001
    content = written(
        [["a", "b"], ["1", long], ["1", long[1:]], ["y" * 9_000, "y" * 9_000], [long * 100, "2"], ["1", "2"]]
    )
    assert bad(content) == [(2, "b", "cell.too_long"), (5, None, "cell.too_long")]
    assert lines(content) == [2, 3, 4, 5, 6]


def test_nul_characters_are_reported() -> None:
    assert bad(b"a,b\n1,2\n1,\0x\n") == [(3, "b", "cell.nul")]
    assert refused(b"a\0,b\n").code == "table.header.nul"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b'a,b\n1,2\n3,"4\n5,6\n', 3),
        (b'a,b\n1,"two\nlines"\n3,"4\n5,6\n', 4),
        (b'a,b\n1,"4\n' + b"5,6\n" * 100_000, 2),
        (b'a,b\n1,"4" inch\n', 2),
        (b'a,b\n1,2\n3,"4\n5,"6"\n', 3),
        (b'a,"b\n1,2\n', 1),
        (b'"a\n', 1),
    ],
)
def test_an_unclosed_quote_is_reported_where_it_begins(content: bytes, line: int) -> None:
    error = refused(content)
    assert (error.code, error.line) == ("table.quote", line)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "table.empty"),
        (b"\n , \n\n", "table.empty"),
        (b"sep=;", "table.empty"),
        (codecs.BOM_UTF8, "table.empty"),
        (b"a,,c\n", "table.header.blank"),
        (b",b\n", "table.header.blank"),
        (b"a,b, a\n", "table.header.taken"),
        (b"a," + b"x" * 201, "table.header.too_long"),
        (b"a," + b"x" * 200_000, "table.header.too_long"),
        (",".join(map(str, range(2_000))).encode(), "table.columns.too_many"),
        (b"a,b\n" + b"x" * 5_500_000, "table.line"),
    ],
)
def test_a_file_without_a_valid_header_is_rejected(content: bytes, code: str) -> None:
    assert refused(content).code == code


def test_the_position_in_the_header_is_reported() -> None:
    error = refused(b"\na,b,,d\n")
    assert error.line == 2
    assert "Column 3 (C)" in error.detail
    assert "Column 4 (D) has the same name as column 2 (B): 'b'" in refused(b"a,b,c,b\n").detail


def test_two_hundred_columns_are_accepted() -> None:
    names = [f"c{number}" for number in range(200)]
    assert read(written([names, names])) == [names, names]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"<!DOCTYPE html><html><body>Please sign in</body></html>", "table.html"),
        (b"\n\n  <html>\n", "table.html"),
        (codecs.BOM_UTF8 + b"<table><tr><td>1</td></tr></table>", "table.html"),
        (codecs.BOM_UTF16_LE + "<html>".encode("utf-16-le"), "table.html"),
        (b'<?xml version="1.0"?>\n<html xmlns="x">', "table.html"),
        (b'<?xml version="1.0"?><rows/>', "table.kind"),
        (json.dumps([{"a": 1}], indent=2).encode(), "table.kind"),
        (b'{"error": "no"}', "table.kind"),
        (b"%PDF-1.7\n", "table.kind"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 512, "table.kind"),
        (b"PK\x03\x04" + b"\0" * 30, "table.kind"),
        (workbook([["a"]]), "table.kind"),
    ],
)
def test_files_that_are_not_csv_are_rejected(content: bytes, code: str) -> None:
    assert refused(content).code == code


def test_the_detected_format_is_reported() -> None:
    assert "Send it as .xlsx" in refused(workbook([["a"]])).detail
    assert "a PDF" in refused(b"%PDF-1.7\n").detail


def test_rows_are_streamed() -> None:
    content = io.BytesIO(written([["key", "name"], *([f"k{n}", "x" * 90] for n in range(100_000))]))
    tracemalloc.start()
    count = sum(1 for _ in open_table(content, "csv").rows())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 100_000
    assert peak < 4 * 2**20  # The file has 10 MB.
