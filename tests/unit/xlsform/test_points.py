"""Points of choices in XLSForm files, in both directions."""

import io
from typing import Any

import msgspec
from pyxform.xls2xform import convert
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform


def options(**points: float) -> list[dict[str, Any]]:
    return [
        {"value": value, "label": value.upper()} | ({"points": one} if one else {}) for value, one in points.items()
    ]


def field(kind: str, name: str, **members: Any) -> dict[str, Any]:
    return {"type": kind, "name": name, "label": name.upper(), **members}


def form(*fields: dict[str, Any], **settings: Any) -> Definition:
    return msgspec.convert({"fields": fields, "settings": {"language": "en", **settings}}, Definition)


def export(definition: Definition) -> tuple[bytes, list[str]]:
    content, notes = export_xlsform("A form", definition)
    convert(io.BytesIO(content), file_type=".xlsx", validate=False)
    return content, [note.detail for note in notes]


ONE = field("choice", "one", options=options(a=2, b=0, c=-0.25))
MANY = field("choices", "many", options=options(a=1, b=1.5))
TOTAL = field("decimal", "total", hidden=True, calculate="score()")
MOST = field("decimal", "most", hidden=True, calculate="maxScore()")


def test_points_and_scores_survive_an_export_and_its_import() -> None:
    again = field("text", "why", visibleIf="points(one) > 1.0 && total < 3.5")
    definition = form(ONE, MANY, again, TOTAL, field("decimal", "half", hidden=True, calculate="points(many) / 2.0"))
    content, lost = export(definition)
    assert lost == []
    found = import_xlsform(content)
    assert [note for note in found.report if note.code != "xlsform.form_id_taken"] == []
    assert found.definition_fields == definition.fields


def test_what_xpath_cannot_add_up_is_reported() -> None:
    rows = field("repeat", "rows", fields=[field("choice", "each", options=options(a=1, b=0))])
    maybe = field("choice", "maybe", options=options(a=1, b=0), visibleIf="one == 'a'")
    for definition, reasons in [
        (form(ONE, rows, TOTAL), ["the score adds up rows of repeats"]),
        (form(ONE, maybe, TOTAL, MOST), ["the most that can be reached depends on the questions that are shown"]),
        (form(ONE, MANY, MOST), []),
    ]:
        _, lost = export(definition)
        assert [detail.partition("left out: ")[2].partition(".")[0] for detail in lost] == reasons
    _, [lost_setting] = export(form(ONE, score={"show": "score"}))
    assert lost_setting == "XLSForm does not show the score after submitting."


def test_a_hidden_choice_has_points_without_choices() -> None:
    right = field("choice", "right", hidden=True, calculate="n == 12 ? 'r' : 'w'", options=options(r=2, w=0))
    content, lost = export(form(field("integer", "n"), right, TOTAL))
    assert lost == []
    rules = {one.name: one.calculate for one in import_xlsform(content).definition_fields}
    assert rules["total"] == "(answered.right && 'r' in right.words() ? 2 : 0)"


def test_a_column_that_contains_no_numbers_is_no_points() -> None:
    for cells, points, codes in [
        (["1", "-2.50"], [1.0, -2.5], []),
        (["1", "many"], [0.0, 0.0], ["xlsform.column_dropped"]),
        (["0.125", ""], [0.0, 0.0], ["xlsform.column_dropped"]),
        (["", "0"], [0.0, 0.0], ["xlsform.column_dropped"]),
    ]:
        choices = [["list_name", "name", "label", "points"], ["l", "a", "A", cells[0]], ["l", "b", "B", cells[1]]]
        found = import_xlsform(survey(["select_one l", "q", "Q"], choices=choices))
        [question] = found.definition_fields
        assert [option.points for option in question.options] == points
        assert [note.code for note in found.report] == codes
