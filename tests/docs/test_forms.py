"""The form, the answers and the rules in docs/reference/forms.md work."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec

from formwright.api.v1_0.schemas.forms import FormCreate
from formwright.domain.forms import definition_validation
from formwright.domain.forms.answers.validation import validate
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.models import Version, VersionStatus
from formwright.domain.forms.rules.compiler import cel_types, compile_rule

PAGE = (Path(__file__).resolve().parents[2] / "docs/reference/forms.md").read_text(encoding="utf-8")
OPTIONS = [{"value": "complaint", "label": "Complaint"}]
ROW = [{"type": "text", "name": "verdict", "label": "?"}, {"type": "boolean", "name": "blocked", "label": "?"}]
ROW.append({"type": "decimal", "name": "price", "label": "?"})
OF_THE_KIND: dict[str, dict[str, Any]] = {
    "choice": {"options": OPTIONS},
    "choices": {"options": OPTIONS},
    "repeat": {"fields": ROW},
}
ASKED = (
    "people integer, contact text, kind choice, risks choices, day date, since time, until time, plate text, "
    "price decimal, points repeat, exits repeat, parts repeat, birth date, deadline datetime"
)
"""The fields used by the rules in the table."""


def _first_json(text: str) -> str:
    return text.partition("```json\n")[2].partition("```")[0]


def test_the_form_accepts_the_answers() -> None:
    form, answers = (_first_json(PAGE.partition(heading)[2]) for heading in ("\n## A definition\n", "\n## Answers\n"))
    draft = msgspec.json.decode(form, type=FormCreate).draft(None)
    assert not definition_validation.find_errors(draft.fields)
    definition = Definition(list(draft.fields), draft.settings)
    version = Version("ver_", "cus_", "frm_", 1, VersionStatus.FINAL, "", definition, 0, 0, 1)
    given = json.loads(answers)
    assert validate(version, given) == (given, [])


def test_every_kind_of_field_is_documented() -> None:
    table = PAGE.partition("\n### Field types\n")[2].partition("\n### ")[0]
    first = re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
    named = {name for cell in first for name in re.findall(r"`(\w+)`", cell)}
    assert named == {kind.__struct_config__.tag for kind in get_args(AnyField)}


def test_the_rules_compile() -> None:
    asked = [one.split() for one in ASKED.split(", ")]
    fields = [{"name": name, "type": kind, "label": "?"} | OF_THE_KIND.get(kind, {}) for name, kind in asked]
    types = cel_types(msgspec.convert(fields, list[AnyField]))
    table = PAGE.partition("\n| rule | says |\n")[2].partition("\n\n")[0]
    written = re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE)
    assert len(written) == table.count("\n")
    for rule in written:
        compile_rule(rule.replace("\\|", "|"), types)
