"""What a chosen row means for the answers, and what it costs where nothing is looked up."""

from typing import Any

import pytest
from factories.definitions import fields, version

from formwright.core.auth import actor as actors
from formwright.domain.forms.lookups import find_lookups
from formwright.domain.forms.prefill import parse_cell

LOOKUP = {"type": "lookup", "name": "client", "datasourceId": "dat_" + "0" * 26}
NOBODY: Any = None
"""A transaction that cannot be asked anything."""


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
async def test_where_nothing_is_looked_up_the_database_is_not_asked(kinds: list[Any], data: dict[str, Any]) -> None:
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
    ({"type": "boolean"}, "TRUE", True),
    ({"type": "boolean"}, "no", False),
    ({"type": "boolean"}, "perhaps", None),
    ({"type": "choices", "options": OPTIONS}, "a; b,c", ["a", "b", "c"]),
    ({"type": "date"}, "2026-03-29", "2026-03-29"),
]


@pytest.mark.parametrize(("kind", "cell", "answer"), CELLS)
def test_a_cell_becomes_an_answer_where_it_can(kind: dict[str, Any], cell: str, answer: Any) -> None:
    [field] = fields(kind | {"name": "it"})
    assert parse_cell(field, cell) == answer
