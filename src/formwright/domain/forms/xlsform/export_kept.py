"""Writes the cells of an imported workbook that mean nothing here, unless they would make the export invalid."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import PurePath

from formwright.domain.forms.xlsform.kept_cells import ATTACHED
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.workbook_writer import Cells

_REFERENCE = re.compile(r"\$\{\s*([^}]*?)\s*\}")
_GEO = ("allow-mock-accuracy", "reference-geometry")
_PARAMETERS = {
    "text": ("rows",),
    "image": ("app", "max-pixels"),
    "audio": ("quality",),
    "range": ("end", "placeholder", "start", "step", "tick_interval", "tick_labelset"),
    "geopoint": (*_GEO, "capture-accuracy", "warning-accuracy"),
    "geotrace": (*_GEO, "incremental"),
    "geoshape": (*_GEO, "incremental"),
    **dict.fromkeys(("select_one", "select_multiple", "rank"), ("randomize", "seed")),
    **dict.fromkeys(("select_one_from_file", "select_multiple_from_file"), ("label", "randomize", "seed", "value")),
}
"""The parameters that pyxform accepts, for the types that it checks."""


def list_kept(
    kept: Mapping[str, str], names: Set[str], report: Report, place: tuple[str, int], type_: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the kept columns and their texts, without what a question of this type cannot have, and those that refer to
    questions that the form does not have.
    """
    for column, text in kept.items():
        if missing := _missing_name(text, names):
            detail = f"The {column} was left out, because there is no field named {missing}: {text[:100]}"
            report.add_drop(*place, column, "kept", detail)
            continue
        fitting, others = _split_parameters(type_, text) if column == "parameters" else (text, "")
        if others:
            detail = f"A question of this type cannot have these parameters, so they were left out: {others[:100]}"
            report.add_drop(*place, column, "kept", detail)
        if fitting:
            yield column, fitting


def _split_parameters(type_: str, text: str) -> tuple[str, str]:
    """Return the kept parameters that a question of this type can have, and the others."""
    accepted = _PARAMETERS.get(type_.split(" ")[0])
    words = [(word, accepted is None or word.partition("=")[0] in accepted) for word in text.split()]
    fitting, others = ([word for word, fits in words if fits is kind] for kind in (True, False))
    return " ".join(fitting), " ".join(others)


def _missing_name(text: str, names: Set[str]) -> str | None:
    """Return the name of a question that the text refers to and the form does not have, or None."""
    return min(set(_REFERENCE.findall(text)) - names, default=None)


def write_choices(rows: Sequence[Mapping[str, str]]) -> Iterator[Cells]:
    """Yield the rows of lists that only kept cells refer to."""
    for row in rows:
        cells: Cells = {}
        for written, text in row.items():
            column, _, tag = written.partition("::")
            cells[column, tag if column == "label" else ""] = text
        yield cells


def write_files(files: Sequence[str], names: Set[str], report: Report) -> Iterator[Cells]:
    """Yield the rows that attach files."""
    types = {ending: type_ for type_, ending in ATTACHED.items()}
    for file in files:
        path = PurePath(file)
        if path.stem in names or path.suffix not in types:
            detail = f"The row that attaches {file} was left out, because a field has its name."
            report.add_drop("survey", None, "type", "kept", detail)
        else:
            yield {("type", ""): types[path.suffix], ("name", ""): path.stem}
