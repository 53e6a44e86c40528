"""Rules that imports of XLSForm write have the same results on the server and in the page."""

from typing import Any

import pytest
from unit.xlsform.test_javarosa import CHOICES, ORDERS, build, draw_fillings, draw_orders
from unit.xlsform.workbooks import survey

from formwright.domain.forms.xlsform.importer import import_xlsform
from rules import both_engines

CONTENTS = {
    "expressions": (build, draw_fillings(12, seed=5)),
    "rows": (
        lambda: survey(*ORDERS, columns="type name label calculation relevant", choices=CHOICES),
        draw_orders(12, seed=6),
    ),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_both_sides_compute_the_same(name: str, page: both_engines.Page) -> None:
    workbook, fillings = CONTENTS[name]
    fields = import_xlsform(workbook()).definition_fields
    for sent in fillings:
        assert page.settled(fields, sent) == both_engines.apply_on_server(fields, sent)


def test_texts_with_the_words_of_lists_in_rows(page: both_engines.Page) -> None:
    fields = both_engines.fields(
        {"type": "repeat", "name": "rows", "fields": [
            {"type": "choices", "name": "tags", "label": "Tags", "options": [
                {"value": "a", "label": "A"}, {"value": "b", "label": "B"}]}]},
    )  # fmt: skip
    case: tuple[str, dict[str, Any]] = (
        "rows.map(r, has(r.tags) ? r.tags.join(' ') : '').join('|')",
        {"rows": [{"tags": ["a", "b"]}, {}, {"tags": ["b"]}]},
    )
    assert both_engines.evaluate_on_server(fields, case) == page.value(fields, case) == "a b||b"
