"""Answers of drafts, which may be any JSON value: every type shows, searches and exports them without an error."""

from typing import Any

import pytest

from formwright.domain.exports.cells import answer_cell, answer_column
from formwright.domain.forms.fields import FIELD_CLASSES, AnyField
from formwright.domain.forms.fields.display import DisplayContext, SearchContext, read_texts
from formwright.domain.forms.fields.structure import text_readers
from formwright.domain.submissions.answer_text import answer_blocks
from formwright.domain.submissions.attachments import find_file_references
from formwright.domain.submissions.imports.cells import encode_cell
from scripts.field_types import ANSWERS, make_field

CONTEXT = DisplayContext("en", "Europe/Berlin")
VALUES = [
    *ANSWERS.values(),
    *(False, 0, -1.5, 1e300, 10**30, "", "no date", "9999-12-31T23:59:59Z", "2026-02-30", "\0"),
    *([], [None], [[]], [{}], [1, "a"], {}, {"latitude": 1}, {"latitude": "x", "longitude": None}, {"a": {"b": []}}),
    [{"latitude": 91, "longitude": 0}, "x"],
]


@pytest.mark.parametrize("kind", FIELD_CLASSES)
def test_any_value_can_be_shown_searched_and_exported(kind: str) -> None:
    field = make_field(kind)
    for value in [None, *VALUES]:
        blocks = answer_blocks([field], {field.name: value}, CONTEXT, lambda _: None)
        shown = [one["text"] for block in blocks for one in block.get("answers", ())]
        assert shown in ([field.format_answer(value, CONTEXT)], [])
        assert all(isinstance(one, str) for one in [*shown, *_searched_texts(field, value)])
        assert answer_column(field, [value, None], CONTEXT) == [answer_cell(field, value, CONTEXT), None]
        assert isinstance(encode_cell(field, value), str | int | float | None)
        assert all(one.field == field.name for one in find_file_references([field], {field.name: value}))


def _searched_texts(field: AnyField, value: Any) -> list[str]:
    return list(read_texts(text_readers([field]), {field.name: value}, SearchContext()))


def test_a_value_of_another_type_is_shown_as_it_is() -> None:
    for kind in ("date", "datetime", "location", "line", "area", "boolean", "signature"):
        assert make_field(kind).format_answer({"a": 1}, CONTEXT) == "{'a': 1}"
