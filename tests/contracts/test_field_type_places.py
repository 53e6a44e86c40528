"""How many places name a concrete field type, outside the classes themselves. The numbers only fall.

What a field can do belongs to its class (`domain/forms/fields`), so that a new type is added in one place. When
you remove such a place, lower the number here.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from formwright.domain.forms.fields import AnyField

SOURCES = Path(__file__).resolve().parents[2] / "src" / "formwright"
MOST_IN_PYTHON, MOST_IN_SCRIPTS = 11, 0
GROUPS = {"NoteField", "SectionField", "RepeatField"}
"""Notes and groups are walked through, not asked about."""
CLASSES = {one.__name__ for one in get_args(AnyField)} - GROUPS
UNIONS = {"FilesField", "RowsField"}
NAMES = {str(one.__struct_config__.tag) for one in get_args(AnyField) if one.__name__ not in GROUPS}
_NAME = "|".join(sorted(NAMES, key=len, reverse=True))
_COMPARED = re.compile(rf'\b(?:type|kind)\b\)? *[!=]== *"(?:{_NAME})"')
_LISTED = re.compile(rf'\[(?: *"(?:{_NAME}|repeat|note|section)",?){{2,}} *\]')


def _places_in_python() -> Iterator[str]:
    for path in SOURCES.rglob("*.py"):
        if "fields" not in path.relative_to(SOURCES).parts:
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Name) and node.id in CLASSES | UNIONS:
                    yield path.relative_to(SOURCES).as_posix()


def _places_in_scripts() -> Iterator[str]:
    for path in (SOURCES / "web" / "static").rglob("*.js"):
        if not {"vendor", "fields"} & set(path.parts):
            text = path.read_text()
            count = len(_COMPARED.findall(text)) + sum(one.count(",") + 1 for one in _LISTED.findall(text))
            yield from [path.relative_to(SOURCES).as_posix()] * count


def _listed(places: Counter[str]) -> str:
    return "\n".join(f"{count:4} {path}" for path, count in places.most_common())


def test_no_more_places_in_python_name_a_field_type() -> None:
    places = Counter(_places_in_python())
    assert places.total() <= MOST_IN_PYTHON, f"{places.total()} places:\n{_listed(places)}"


def test_no_more_places_in_scripts_name_a_field_type() -> None:
    places = Counter(_places_in_scripts())
    assert places.total() <= MOST_IN_SCRIPTS, f"{places.total()} places:\n{_listed(places)}"
