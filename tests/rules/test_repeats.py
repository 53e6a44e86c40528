"""Rules that concern the rows of repeats mean the same on the server and in the page."""

from typing import Any

import pytest

from rules import both_engines

PARTS = {"type": "text", "name": "part", "calculate": "'x'"}
COUNTED = both_engines.fields(
    {"type": "integer", "name": "n"},
    {"type": "repeat", "name": "rows", "max": 3, "countRule": "n / 2", "fields": [PARTS | {"label": "Part"}]},
)
FULL = {"part": "x"}


@pytest.mark.parametrize(
    ("answers", "broken"),
    [
        ({}, {}),
        ({"n": 0}, {}),
        ({"n": -8}, {}),
        ({"n": 2, "rows": [{}]}, {}),
        ({"n": 6, "rows": [{}, {}, {}]}, {}),
        ({"rows": [{}]}, {"rows": "rows"}),
        ({"n": 4}, {"rows": "rows"}),
        ({"n": 4, "rows": [{}]}, {"rows": "rows"}),
        ({"n": 4, "rows": [{}, {}, {}]}, {"rows": "rows"}),
        ({"n": "4", "rows": [{}]}, {"rows": "rows"}),
        ({"n": 8, "rows": [{}, {}, {}]}, {"rows": "limit"}),
        ({"n": 2 * 10**9, "rows": [{}]}, {"rows": "limit"}),
        ({"n": 2 * 10**9, "rows": "?"}, {"rows": "limit"}),
        ({"n": 2, "rows": "?"}, {}),
    ],
)
def test_the_number_of_rows(answers: dict[str, Any], broken: dict[str, str], page: both_engines.Page) -> None:
    found = both_engines.apply_on_server(COUNTED, answers)
    assert found == page.settled(COUNTED, answers)
    assert found["broken"] == broken
    if isinstance(answers.get("rows"), list):
        assert found["answers"]["rows"] == [FULL] * len(answers["rows"])


NUMBERED = both_engines.fields(
    {"type": "integer", "name": "first"},
    {
        "type": "repeat",
        "name": "rows",
        "fields": [
            {"type": "integer", "name": "number", "label": "N", "calculate": "position(rows) + ( first - 1 )"},
            {"type": "text", "name": "part", "label": "P", "requiredIf": "position( rows ) > 1"},
            {"type": "integer", "name": "count", "label": "C", "calculate": "rowCount( rows ) * 10 + position(rows)"},
            {"type": "text", "name": "last", "label": "L", "validIf": "position(rows) < 3", "visibleIf": "number > 2"},
        ],
    },
)


def test_the_number_of_the_current_row(page: both_engines.Page) -> None:
    answers = {"first": 2, "rows": [{"last": "gone"}, {"last": "ok"}, {"part": "x", "last": "wrong"}]}
    found = both_engines.apply_on_server(NUMBERED, answers)
    assert found == page.settled(NUMBERED, answers)
    assert found["answers"]["rows"] == [
        {"number": 2, "count": 31},
        {"last": "ok", "number": 3, "count": 32},
        {"part": "x", "last": "wrong", "number": 4, "count": 33},
    ]
    assert found["broken"] == {"rows/1/part": "required", "rows/2/last": "rule"}


ITEMS = {
    "type": "repeat",
    "name": "items",
    "label": "I",
    "countRule": "wanted",
    "fields": [
        {"type": "integer", "name": "price", "label": "P", "validIf": "price <= most - position(orders)"},
        {"type": "text", "name": "why", "label": "W", "visibleIf": "price > 1 && position(items) == 2"},
        {
            "type": "repeat",
            "name": "parts",
            "label": "T",
            "visibleIf": "shop == 'a'",
            "fields": [
                {"type": "text", "name": "where", "label": "E", "calculate": "shop + string(price) + string(most)"},
                {"type": "text", "name": "part", "label": "N", "requiredIf": "position(parts) > position(items)"},
            ],
        },
    ],
}
NESTED = both_engines.fields(
    {"type": "integer", "name": "most"},
    {
        "type": "repeat",
        "name": "orders",
        "fields": [
            {"type": "text", "name": "shop", "label": "S"},
            {"type": "integer", "name": "wanted", "label": "C"},
            ITEMS,
            {"type": "decimal", "name": "total", "label": "O", "calculate": "sum(items.map(i, i.price))"},
        ],
    },
    {"type": "decimal", "name": "sum", "calculate": "sum(orders.filter(o, has(o.total)).map(o, o.total))"},
    {"type": "integer", "name": "many", "calculate": "size(orders.filter(o, o.items.exists(i, i.price > 4)))"},
)


def test_rules_of_rows_in_rows_see_everything_around_them(page: both_engines.Page) -> None:
    orders = [
        {
            "shop": "a",
            "wanted": 2,
            "items": [{"price": 5, "why": "gone", "parts": [{}, {}]}, {"price": 2, "why": "ok"}],
        },
        {"shop": "b", "wanted": 1, "items": [{"price": 5, "parts": [{"part": "gone"}]}]},
        {"shop": "b", "wanted": 1},
        {"items": [{"price": "x"}]},
    ]
    found = both_engines.apply_on_server(NESTED, {"most": 6, "orders": orders})
    assert found == page.settled(NESTED, {"most": 6, "orders": orders})
    one, two, three, four = found["answers"]["orders"]
    assert one["items"] == [
        {"price": 5, "parts": [{"where": "a56"}, {"where": "a56"}]},
        {"price": 2, "why": "ok"},
    ]
    assert (one["total"], two["items"], three, "total" in four) == (7.0, [{"price": 5}], orders[2], False)
    assert found["answers"]["sum"] == 12.0
    assert found["broken"] == {
        "orders/0/items/0/parts/1/part": "required",
        "orders/1/items/0/price": "rule",
        "orders/2/items": "rows",
        "orders/3/items/0/price": "rule",
        "orders/3/items": "rows",
    }


TOTAL = "(answered.orders ? int(orders[position(orders) - 2].total) : start) + n"
LAST_PATH = "string(items[size(items) - 1].path)"
ORDERED = both_engines.fields(
    {"type": "integer", "name": "start"},
    {
        "type": "repeat",
        "name": "orders",
        "fields": [
            {"type": "integer", "name": "n", "label": "N", "validIf": "orders.exists_one(o, has(o.n) && o.n == n)"},
            {"type": "integer", "name": "total", "label": "T", "calculate": TOTAL},
            {"type": "text", "name": "why", "label": "W", "visibleIf": "n < int(orders[position(orders) - 2].n)"},
            {
                "type": "repeat",
                "name": "items",
                "label": "I",
                "fields": [
                    {"type": "text", "name": "t", "label": "T"},
                    {
                        "type": "text",
                        "name": "path",
                        "label": "P",
                        "calculate": f"string(size(orders)) + (answered.items ? {LAST_PATH} : '') + t",
                    },
                ],
            },
        ],
    },
)


def test_rows_read_the_rows_before_them(page: both_engines.Page) -> None:
    """Calculations and conditions see the earlier rows, with their own results; `validIf` sees all rows."""
    items = [{"t": "a"}, {"t": "b"}, {}]
    answers = {"start": 10, "orders": [{"n": 3, "why": "gone"}, {"n": 1, "items": items}, {"n": 3, "items": items}, {}]}
    found = both_engines.apply_on_server(ORDERED, answers)
    assert found == page.settled(ORDERED, answers)
    assert found["answers"]["orders"] == [
        {"n": 3, "total": 13},
        {"n": 1, "total": 14, "items": [{"t": "a", "path": "1a"}, {"t": "b", "path": "11ab"}, {}]},
        {"n": 3, "total": 17, "items": [{"t": "a", "path": "2a"}, {"t": "b", "path": "22ab"}, {}]},
        {},
    ]
    assert found["broken"] == {"orders/0/n": "rule", "orders/2/n": "rule"}
