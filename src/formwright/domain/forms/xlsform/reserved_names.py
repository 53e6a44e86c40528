"""Names that XLSForm reserves, or that pyxform gives to nodes of its own. Exports give such fields another name."""

import re
from collections.abc import Iterator, Mapping, Sequence

from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.workbook_writer import Cells

NAME, TYPE, COUNT = ("name", ""), ("type", ""), ("repeat_count", "")
_REFERENCE = re.compile(r"\$\{(last-saved#)?(\w+)\}")
_METADATA, _ROOT = "meta", "data"


def rename_reserved(sheets: Mapping[str, tuple[list[str], list[Cells]]], report: Report) -> None:
    """Rename fields with such names in all sheets, also where expressions and texts refer to them, and report it."""
    survey = sheets["survey"][1]
    renamed = _find_new_names(survey)
    if not renamed:
        return
    for number, row in enumerate(survey, start=2):
        if (name := row.get(NAME, "")) in renamed:
            row[NAME] = renamed[name]
            if not row[TYPE].startswith("end "):
                detail = f"XLSForm reserves the name {name}: it was renamed to {renamed[name]}."
                report.add_change("survey", number, "name", "renamed", detail)
    for _, rows in sheets.values():
        for row in rows:
            row.update({key: _with_new_names(text, renamed) for key, text in row.items() if "${" in text})


def _find_new_names(survey: Sequence[Cells]) -> dict[str, str]:
    names = {row[NAME] for row in survey if row.get(NAME)}
    found = dict[str, str]()
    for name in sorted(names & set(_reserved(survey))):
        found[name] = next(new for number in range(2, len(names) + 3) if (new := f"{name}_{number}") not in names)
        names.add(found[name])
    return found


def _reserved(survey: Sequence[Cells]) -> Iterator[str]:
    yield _METADATA
    for row in survey:
        if row[TYPE] == "begin repeat":
            if row[NAME] == _ROOT:
                yield _ROOT
            # pyxform computes the count in a node of this name, unless it is the answer of a field.
            if (count := row.get(COUNT)) and not _REFERENCE.fullmatch(count):
                yield f"{row[NAME]}_count"


def _with_new_names(text: str, renamed: Mapping[str, str]) -> str:
    return _REFERENCE.sub(lambda one: f"${{{one[1] or ''}{renamed.get(one[2], one[2])}}}", text)
