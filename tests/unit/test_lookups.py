"""Answers from lookups, and no reads for forms without lookups."""

from typing import Any

import pytest
from factories.definitions import fields, version

from formwright.core.auth import actor as actors
from formwright.domain.forms.lookups import find_lookups, parse_cell

LOOKUP = {"type": "lookup", "name": "client", "datasourceId": "dat_" + "0" * 26}
NOBODY: Any = None
"""A transaction that fails when it is used."""


@pytest.mark.parametrize(
    ("kinds", "data"),
    [
        ([{"type": "text", "name": "client"}], {"client": "C-1"}),
        ([LOOKUP], {}),
        ([LOOKUP], {"client": ""}),
        ([LOOKUP], {"client": None}),
        ([LOOKUP], {"client": ["C-1"]}),
        ([{"type": "repeat", "name": "visits", "fields": [LOOKUP]}], {"visits": [{}, 7, {"client": 1}]}),
        ([{"type": "repeat", "name": "visits", "fields": [LOOKUP]}], {"visits": {"client": "C-1"}, "client": "C-1"}),
    ],
)
async def test_forms_without_lookups_do_not_read_the_database(kinds: list[Any], data: dict[str, Any]) -> None:
    assert await find_lookups(NOBODY, actors.system("cus_1"), version(*kinds), data) == []


OPTIONS = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]
CELLS: list[tuple[dict[str, Any], str, Any]] = [
    ({"type": "text"}, "Quay 1", "Quay 1"),
    ({"type": "text"}, "", None),
    ({"type": "integer"}, "12", 12),
    ({"type": "integer"}, "12.5", 12.5),
    ({"type": "integer"}, "a dozen", None),
    ({"type": "integer"}, "1_000", None),
    ({"type": "decimal"}, "4.50", 4.5),
    ({"type": "decimal"}, "nan", None),
    ({"type": "decimal"}, "1e999", None),
    ({"type": "decimal"}, " 1e3 ", 1000),
    ({"type": "decimal"}, "0.12345678901234567890", None),
    ({"type": "decimal"}, "12345678901234567890", None),
    ({"type": "integer"}, "9007199254740993", None),
    ({"type": "integer"}, "0x10", None),
    ({"type": "integer"}, "１٢", None),
    ({"type": "boolean"}, "TRUE", True),
    ({"type": "boolean"}, "no", False),
    ({"type": "boolean"}, "perhaps", None),
    ({"type": "choices", "options": OPTIONS}, "a; b,c", ["a", "b", "c"]),
    ({"type": "date"}, "2026-03-29", "2026-03-29"),
]


@pytest.mark.parametrize(("kind", "cell", "answer"), CELLS)
def test_cells_become_answers_if_possible(kind: dict[str, Any], cell: str, answer: Any) -> None:
    [field] = fields(kind | {"name": "it"})
    assert parse_cell(field, cell) == answer
