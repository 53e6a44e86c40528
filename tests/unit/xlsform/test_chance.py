"""Calculations with `random()` and `uuid()`, which JavaRosa evaluates when it opens the form or an answer changes."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fixtures.node import run_script
from unit.xlsform.filled_forms import ImportedFilling, read_state, write_actions
from unit.xlsform.odk import needs_java, run_java, to_xform
from unit.xlsform.random_forms import Author
from unit.xlsform.workbooks import survey

from formwright.domain.forms.rules.device_time import device_time_at
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


def test_chance_is_drawn_again_when_a_calculated_answer_changes() -> None:
    fields, left_out = _import(["calculate", "k", "", "${n} + 1"], ["calculate", "c", "", "${k} + random()"])
    assert left_out == []
    assert (fields["c"]["recalculateOn"], fields["c"]["defaultRule"]) == (["k"], "double(k) + random()")


def test_chance_with_answers_in_rows_is_left_out() -> None:
    repeat = [["begin repeat", "r", "R", ""], ["integer", "k", "K", ""], ["end repeat", "", "", ""]]
    fields, left_out = _import(*repeat, ["calculate", "c", "", "sum(${k}) + random()"])
    assert "c" not in fields
    assert "random(), uuid() and once() are not supported with answers in rows" in left_out[0]


def test_a_short_random_text_is_the_beginning_of_a_uuid() -> None:
    fields, left_out = _import(["calculate", "c", "", "concat('x-', uuid(5))"], ["calculate", "k", "", "uuid(40)"])
    assert fields["c"]["defaultRule"] == "'x-' + uuid().replace('-', '').substring(0, 5).upperAscii()"
    assert "uuid() needs a number of characters, at most 32" in left_out[0]


@pytest.mark.parametrize(
    ("cells", "rule", "triggers"),
    [
        (["once(now())", "", ""], "now()", []),
        (["format-date(once(now()), '%Y')", "", ""], "(now().substring(0, 4))", []),
        (["", "string(once(today()))", ""], "today()", []),
        (["if(${n} > 1, once(now()), '')", "", ""], "(answered.n && n > 1 ? (answered.c ? c : now()) : '')", ["n"]),
        (["once(now())", "", "${n}"], "(answered.c ? c : now())", ["n"]),
    ],
)
def test_once_keeps_the_answer(cells: list[str], rule: str, triggers: list[str]) -> None:
    kind = "calculate" if cells[0] else "text"
    columns = "type name label calculation default trigger"
    form = import_xlsform(survey(["integer", "n", "N", "", "", ""], [kind, "c", "C", *cells], columns=columns))
    field = msgspec.to_builtins(form.definition_fields)[1]
    assert (field["defaultRule"], field.get("recalculateOn", [])) == (rule, triggers)


@pytest.mark.slow
@needs_java
@pytest.mark.parametrize("calculation", ["if(${n} > 1, once(${t}), '')", "concat(once(substr(${t}, 0, 1)), '')"])
def test_people_see_the_answer_that_javarosa_keeps(tmp_path: Path, calculation: str) -> None:
    questions = [["integer", "n", "N", ""], ["text", "t", "T", ""], ["text", "c", "C", calculation]]
    content = survey(*questions, columns=COLUMNS)
    (tmp_path / "form.xml").write_text(to_xform(content), encoding="utf-8")
    changes = [(("n",), "2"), (("t",), "a"), (("t",), "b"), (("n",), "5"), (("n",), "1"), (("n",), "3"), (("t",), "d")]
    steps = [changes[:count] for count in range(1, len(changes) + 1)]
    lines = [write_actions(Author(random.Random()), str(tmp_path / "form.xml"), one) for one in steps]
    theirs = run_java(tmp_path, "FormState", "\n".join(lines) + "\n")
    with run_script(Path(__file__).with_name("page_form.mjs")) as page:
        filling = ImportedFilling(import_xlsform(content).definition_fields, page, device_time_at(0))
        ours = [filling.fill(one).get(("c", "value")) for one in steps]
    assert ours == [read_state(line, filling.by_name).get(("c", "value")) for line in theirs]
