"""Forms with rules that would need all memory or hours, answers that trigger them, and the field in the error."""

from dataclasses import dataclass, field
from typing import Any

Kind = dict[str, Any]


@dataclass(frozen=True)
class Attack:
    """`named` is the location of the field in the error, below `/data`."""

    name: str
    kinds: list[Kind]
    named: str
    data: dict[str, Any] = field(default_factory=lambda: {"a0": "x" * 10_000})
    code: str = "value.rule.too_costly"


TEXT: Kind = {"type": "text", "name": "a0"}
COUNTED: Kind = {"type": "repeat", "name": "rows", "max": 200, "fields": [{"type": "integer", "name": "n"}]}
ROWS_AND_TEXT = {"a0": "x" * 10_000, "rows": [{}] * 200}


def _calculated_field(rule: str, kind: str = "integer", **more: Any) -> Kind:
    return {"type": kind, "name": "c", "calculate": rule, **more}


def _doubling_fields() -> list[Kind]:
    steps = [{"type": "textarea", "name": f"a{n}", "calculate": f"a{n - 1} + a{n - 1}"} for n in range(1, 60)]
    return [TEXT, *steps]


def _nested_loops(items: str, depth: int) -> str:
    """Nested loops over the same list."""
    inner = "0"
    for level in range(depth):
        inner = f"{items}.map(x{level}, {inner})"
    return f"{inner}.size()"


def _doubling_loops(times: int) -> str:
    """A loop over one item binds its value to a name, so that it can be doubled repeatedly."""
    rule = "a0"
    for level in range(times):
        rule = f"[{rule}].map(x{level}, x{level} + x{level} + x{level} + x{level})[0]"
    return f"size({rule})"


def _rows(count: int, members: int) -> list[dict[str, Any]]:
    return [{f"r{member}": f"{row}" for member in range(members)} for row in range(count)]


def _rows_compared_with_all_rows(rules: int) -> list[Kind]:
    """Several rules compare each row with all rows."""
    inner = [
        {"type": "text", "name": f"r{n}", "validIf": f"rows.exists_one(row, row.r{n} == r{n})"} for n in range(rules)
    ]
    return [{"type": "repeat", "name": "rows", "max": 200, "fields": inner}]


def _long_text_read_in_rows() -> list[Kind]:
    """A long text outside of the repeat that the rules of each row read."""
    inner = [{"type": "integer", "name": f"n{n}", "calculate": "a0 > 'x' ? 1 : 2"} for n in range(80)]
    return [{**TEXT, "maxLength": 10_000}, {"type": "repeat", "name": "rows", "max": 200, "fields": inner}]


ATTACKS = [
    Attack("texts doubled by field after field", _doubling_fields(), "a1", code="value.too_long"),
    Attack(
        "lists of long texts, one for each row",
        [TEXT, COUNTED, _calculated_field("rows.map(r, rows.map(s, a0 + a0 + string(s.n))).size()")],
        "c",
        {"a0": "x" * 10_000, "rows": [{"n": 1}] * 99},
    ),
    Attack(
        "loops in loops over rows",
        [COUNTED, _calculated_field(_nested_loops("rows", 3))],
        "c",
        {"rows": [{"n": 1}] * 30},
    ),
    Attack("rows compared with all rows", _rows_compared_with_all_rows(40), "rows/4/r36", {"rows": _rows(200, 40)}),
    Attack("a text searched for itself", [TEXT, _calculated_field("a0.contains(a0)", "boolean")], "c"),
    Attack("a text named again and again in a row", _long_text_read_in_rows(), "rows/175/n44", ROWS_AND_TEXT),
]

REFUSED = {
    "loops in loops": _nested_loops("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]", 5),
    "a text doubled by loops over one item": _doubling_loops(9),
    "an index into what was doubled": _doubling_loops(9).replace("size(", "(").replace("[0]", "[0 + 0]") + ".size()",
}
"""Rules that are rejected when the form is saved, because answers of typical size already exceed the limit."""
