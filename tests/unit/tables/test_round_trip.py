"""Any table of text that Python's csv module writes is read back unchanged."""

import csv
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from unit.tables.reads import Rows, read, written

from formwright.core.tables.base import Dialect

ANY = st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")
LATIN = st.characters(codec="cp1252", exclude_characters="\0")
# The writer does not quote a line ending in a cell if it differs from its own line ending.
WAYS = st.sampled_from([(csv.QUOTE_MINIMAL, "\r\n"), *((csv.QUOTE_ALL, end) for end in ("\n", "\r\n", "\r"))])
HOW = st.builds(
    lambda delimiter, way: {"delimiter": delimiter, "quoting": way[0], "lineterminator": way[1]},
    st.sampled_from(",;\t|"),
    WAYS,
)


def tables(characters: st.SearchStrategy[str], width: int = 5) -> st.SearchStrategy[list[list[str]]]:
    """Generate a header of distinct names, and rows that are not empty, without whitespace around cells."""
    cell = st.text(characters, max_size=12).map(str.strip)
    # A line like `sep=;` is not a header, and files that look like JSON or HTML are rejected.
    name = cell.filter(lambda name: name and name[:4].lower() != "sep=" and name[0] not in "{[<")
    names = st.lists(name, min_size=1, max_size=width, unique=True)

    def with_rows(header: list[str]) -> st.SearchStrategy[list[list[str]]]:
        row = st.lists(cell, min_size=len(header), max_size=len(header)).filter(any)
        return st.lists(row, max_size=8).map(lambda rows: [header, *rows])

    return names.flatmap(with_rows)


@settings(max_examples=100)
@given(tables(ANY), HOW, st.sampled_from(["utf-8-sig", "utf-16"]))
def test_with_a_byte_order_mark_and_a_requested_delimiter(rows: Rows, how: dict[str, Any], encoding: str) -> None:
    assert read(written(rows, encoding, **how), dialect=Dialect(delimiter=how["delimiter"])) == rows


@settings(max_examples=100)
@given(tables(LATIN), HOW)
def test_with_a_requested_encoding(rows: Rows, how: dict[str, Any]) -> None:
    dialect = Dialect("windows-1252", how["delimiter"])
    assert read(written(rows, "cp1252", **how), dialect=dialect) == rows


@settings(max_examples=100)
@given(tables(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff,;\t|{[<")), HOW)
def test_with_everything_detected(rows: Rows, how: dict[str, Any]) -> None:
    """What could be a delimiter stands between cells only: two may fit the same file otherwise. Nor does it look like
    JSON or HTML, which is refused."""
    assert read(written(rows, "utf-8-sig", **how)) == rows


@settings(max_examples=100)
@given(tables(ANY), st.sampled_from(",;\t|"))
def test_a_quoted_delimiter_is_text(rows: Rows, delimiter: str) -> None:
    assert read(written(rows, "utf-8-sig", delimiter=delimiter, quoting=csv.QUOTE_ALL)) == rows
