"""Compares the answers of an imported form with those that JavaRosa computes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from unit.xlsform.odk import to_xform
from unit.xlsform.test_javarosa import fill_with_javarosa, same

from formwright.domain.forms.fields import AnyField, RepeatField, SectionField
from formwright.domain.forms.rules.device_time import device_time_at
from formwright.domain.forms.rules.program import compile_program
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform

Answers = Mapping[str, Any]
_RENAMED = re.compile(r"(\S+) was renamed to (\S+)\.")
_BOUND = re.compile(r'<bind [^>]*nodeset="/[^/"]+/([^"]+)"')


def find_differences(folder: Path, content: bytes, fillings: Sequence[Answers]) -> dict[str, Any]:
    """Return the answers that differ, by their path, with the filling, our value and that of JavaRosa.

    A filling has the structure of the form: `{"group": {"name": 1}, "repeat": [{"name": 2}]}`. A repeat without
    rows has an empty one, as in JavaRosa. Fields of the import that the workbook does not have are not compared.
    """
    form = import_xlsform(content)
    names = _names_of(form)
    program, bound = compile_program(form.definition_fields), set(_BOUND.findall(to_xform(content)))
    now = device_time_at(int(datetime.now(UTC).timestamp() * 1000))
    differences = dict[str, Any]()
    flat = [dict(_flatten(filling)) for filling in fillings]
    for filling, theirs in zip(fillings, fill_with_javarosa(folder, content, flat), strict=True):
        sent = _to_answers(form.definition_fields, filling, names)
        answers = program.evaluate(sent, device_time=now).answers
        ours = dict(_list_answers(form.definition_fields, answers, names))
        for path in ours.keys() | theirs.keys():
            is_compared = re.sub(r"/\d+/", "/", path) in bound and path != "meta/instanceID"
            if is_compared and not _are_same(ours.get(path), theirs.get(path)):
                differences[path] = filling, ours.get(path), theirs.get(path)
    return differences


def _are_same(ours: Any, theirs: str | None) -> bool:
    return same(" ".join(ours) if isinstance(ours, list) else ours, theirs)


def _names_of(form: ImportedForm) -> dict[str, str]:
    """Return the names in the workbook of the fields that were renamed."""
    found = (_RENAMED.fullmatch(note.detail) for note in form.report if note.code == "xlsform.renamed")
    return {match[2]: match[1] for match in found if match}


def _flatten(answers: Answers, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all answers with their path, in which a number follows each group and repeat."""
    for name, value in answers.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{path}{name}/0/")
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for number, row in enumerate(value):
                yield from _flatten(row, f"{path}{name}/{number}/")
        else:
            yield f"{path}{name}", value


def _to_answers(fields: Sequence[AnyField], filling: Answers, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the answers as a form has them: those in sections are beside the others."""
    answers = dict[str, Any]()
    for field in fields:
        value = filling.get(names.get(field.name, field.name))
        if isinstance(field, SectionField):
            answers |= _to_answers(field.fields, value or {}, names)
        elif isinstance(field, RepeatField):
            answers[field.name] = [_to_answers(field.fields, row, names) for row in value or [{}]]
        elif value not in (None, ""):
            answers[field.name] = value
    return answers


def _list_answers(
    fields: Sequence[AnyField], answers: Answers, names: Mapping[str, str], path: str = ""
) -> Iterator[tuple[str, Any]]:
    for field in fields:
        here = f"{path}{names.get(field.name, field.name)}"
        if isinstance(field, SectionField):
            yield from _list_answers(field.fields, answers, names, f"{here}/")
        elif isinstance(field, RepeatField):
            for number, row in enumerate(answers.get(field.name, [])):
                yield from _list_answers(field.fields, row, names, f"{here}/{number}/")
        else:
            yield here, answers.get(field.name)
