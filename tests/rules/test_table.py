"""The table of awkward cases, by the server and by the page."""

from typing import Any

import pytest

from formwright.domain.forms.cel.compiler import cel_types, compile_rule
from rules import both_engines
from rules import cases as table

ASKED = both_engines.fields(*table.FIELDS)


def case(row: tuple[Any, ...]) -> both_engines.Case:
    return row[0], table.ANSWERS | row[1]


ACCEPTED = [row for row in table.TABLE if row[2] != both_engines.REFUSED]


def named(row: tuple[Any, ...]) -> str:
    return f"{row[0]:.60} {row[1] or ''}"


@pytest.mark.parametrize("row", table.TABLE, ids=named)
def test_the_server(row: table.Row) -> None:
    found = both_engines.by_server(ASKED, case(row))
    assert found == row[2]
    assert type(found) is type(row[2])


@pytest.mark.parametrize("row", ACCEPTED, ids=named)
def test_the_page(row: table.Row, page: both_engines.Page) -> None:
    """What the server refuses never gets there."""
    found = page.value(ASKED, case(row))
    assert found == row[2]
    assert isinstance(found, bool) is isinstance(row[2], bool)


@pytest.mark.parametrize("row", ACCEPTED, ids=named)
def test_both_find_the_same_names(row: table.Row, page: both_engines.Page) -> None:
    rule = compile_rule(row[0], cel_types(ASKED))
    assert page.names(ASKED, row[0]) == sorted({*rule.names, *rule.answered_names})


def test_the_table_is_long_and_no_row_stands_twice() -> None:
    rows = [(text, repr(answers)) for text, answers, _ in table.TABLE]
    assert len(set(rows)) == len(rows) > 250


@pytest.mark.parametrize("row", table.KNOWN, ids=named)
def test_the_known_differences_are_still_these(row: tuple[Any, ...], page: both_engines.Page) -> None:
    """One that has gone must leave the table and the decision."""
    assert (both_engines.by_server(ASKED, case(row)), page.value(ASKED, case(row))) == (row[2], row[3])
