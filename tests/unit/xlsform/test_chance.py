"""Calculations with `random()` and `uuid()`, which JavaRosa evaluates when it opens the form or an answer changes."""

from typing import Any

import msgspec
import pytest
from unit.xlsform.workbooks import survey

from formwright.domain.forms.xlsform.importer import import_xlsform

COLUMNS = "type name label calculation"


def _import(*rows: list[str]) -> tuple[dict[str, Any], list[str]]:
    form = import_xlsform(survey(["integer", "n", "N", ""], *rows, columns=COLUMNS))
    fields = {field["name"]: field for field in msgspec.to_builtins(form.definition_fields)}
    return fields, [note.detail for note in form.report if note.code == "xlsform.rule_left_out"]


@pytest.mark.parametrize(
    ("xpath", "rule", "kind"),
    [
        ("uuid()", "uuid()", "text"),
        ("concat('uuid:', uuid())", "'uuid:' + uuid()", "text"),
        ("int(900*random())+100", "int(900.0 * random()) + 100", "integer"),
    ],
)
def test_a_calculation_that_reads_no_answer_is_an_initial_answer(xpath: str, rule: str, kind: str) -> None:
    fields, left_out = _import(["calculate", "c", "", xpath])
    assert left_out == []
    assert (fields["c"]["type"], fields["c"]["defaultRule"]) == (kind, rule)
    assert "calculate" not in fields["c"]
    assert "recalculateOn" not in fields["c"]


def test_a_calculation_that_reads_answers_is_evaluated_again_when_they_change() -> None:
    fields, left_out = _import(["calculate", "c", "", "if(${n} > 1, uuid(), '')"])
    assert left_out == []
    assert fields["c"]["recalculateOn"] == ["n"]
    assert "uuid()" in fields["c"]["defaultRule"]


def test_other_rules_with_chance_are_left_out() -> None:
    fields, left_out = _import(["calculate", "k", "", "${n} + 1"], ["calculate", "c", "", "${k} + random()"])
    assert "c" not in fields
    assert "random() and uuid() are not supported with calculated answers" in left_out[0]
