"""The table of edge cases, on the server and in the page."""

from typing import Any

import pytest

from formwright.domain.forms.rules.compiler import cel_types, compile_rule
from rules import both_engines
from rules import cases as table

ASKED = both_engines.fields(*table.FIELDS)


def case(row: tuple[Any, ...]) -> both_engines.Case:
    return row[0], table.ANSWERS | row[1]


ACCEPTED = [row for row in table.TABLE if row[2] != both_engines.REFUSED]


def case_id(row: tuple[Any, ...]) -> str:
    return f"{row[0]:.60} {row[1] or ''}"


@pytest.mark.parametrize("row", table.TABLE, ids=case_id)
def test_the_server(row: table.Row) -> None:
    found = both_engines.evaluate_on_server(ASKED, case(row))
    assert found == row[2]
    assert type(found) is type(row[2])


@pytest.mark.parametrize("row", ACCEPTED, ids=case_id)
def test_the_page(row: table.Row, page: both_engines.Page) -> None:
    """Rules that the server rejects never reach the page."""
    found = page.value(ASKED, case(row))
    assert found == row[2]
    assert isinstance(found, bool) is isinstance(row[2], bool)


@pytest.mark.parametrize("row", ACCEPTED, ids=case_id)
def test_server_and_page_find_the_same_names(row: table.Row, page: both_engines.Page) -> None:
    rule = compile_rule(row[0], cel_types(ASKED))
    assert page.names(ASKED, row[0]) == sorted({*rule.names, *rule.answered_names})


def test_the_table_is_long_and_has_no_duplicates() -> None:
    rows = [(text, repr(answers)) for text, answers, _ in table.TABLE]
    assert len(set(rows)) == len(rows) > 250


@pytest.mark.parametrize("row", table.KNOWN, ids=case_id)
def test_known_differences_still_exist(row: tuple[Any, ...], page: both_engines.Page) -> None:
    """A difference that no longer exists must be removed from the table and from the decision."""
    assert (both_engines.evaluate_on_server(ASKED, case(row)), page.value(ASKED, case(row))) == (row[2], row[3])
