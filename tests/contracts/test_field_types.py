"""What each field type can do does not change by accident: `make field-types` writes the tables after a decision."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from fixtures.node import run_script

from formwright.domain.exports import parquet
from formwright.domain.forms import translations
from formwright.domain.forms.fields import FIELD_CLASSES, AnswerKind, AnyField
from formwright.domain.forms.fields.labels import Label
from formwright.domain.forms.fields.properties import Rule
from formwright.domain.forms.indexing import indexed_fields
from formwright.domain.forms.rules import compiler, inputs
from formwright.domain.submissions import typed_answers
from formwright.domain.submissions.imports import cells
from formwright.domain.summaries import fields as summary_fields
from formwright.odata import columns as odata_columns
from formwright.web.fields import DESIGNER_ENTRIES
from scripts import field_types

KINDS = list(FIELD_CLASSES)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_field_type_can_do_is_as_recorded(kind: str) -> None:
    assert field_types.describe(kind) == json.loads(field_types.SNAPSHOT.read_text())[kind]


def test_the_page_has_the_current_tables() -> None:
    page, recorded = field_types.PAGE.read_text(), json.loads(field_types.SNAPSHOT.read_text())
    assert list(recorded) == KINDS
    assert page == field_types.with_tables(page, recorded)


_OF_REPEATS = dict.fromkeys((AnswerKind.ROWS, AnswerKind.NONE))
"""Rows have tables of their own."""
# A position is filtered by its parts.
_UNFILTERED = dict.fromkeys((AnswerKind.POSITION, AnswerKind.POSITIONS, AnswerKind.ROWS, AnswerKind.NONE))
# `parse_cell` reads these itself, some with the options or the shape of the field.
_PARSED_WITH_FIELD = dict.fromkeys(
    (AnswerKind.TEXT, AnswerKind.FILE, AnswerKind.CHOICE, AnswerKind.CHOICES, AnswerKind.POSITIONS, AnswerKind.NONE)
)
TABLES: dict[str, Mapping[AnswerKind, object]] = {
    "types in rules": compiler._TYPES,
    "inputs of rules": {**inputs._CONVERTERS, AnswerKind.ROWS: None},
    "values in filters": {**indexed_fields._VALUE_TYPES, **_UNFILTERED},
    "summaries": summary_fields._KINDS,
    "cells of imports": {**cells._PARSERS, **_PARSED_WITH_FIELD},
    "typed values": {**typed_answers._CONVERTERS, **_OF_REPEATS},
    "JSON types for Parquet": {**parquet._JSON_TYPES, **_OF_REPEATS},
    "Parquet": {**parquet._COLUMN_TYPES, **_OF_REPEATS},
    "OData": {**odata_columns._COLUMN_TYPES, **_OF_REPEATS},
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_every_kind_of_answer(name: str) -> None:
    """A field type with a new kind of answers fails here, and not when somebody uses it."""
    assert set(TABLES[name]) == set(AnswerKind)


@pytest.fixture(scope="module")
def page_types() -> dict[str, list[str]]:
    """The names of what the pages have for each type in `static/fields`."""
    with run_script(Path(__file__).with_name("field_modules.mjs")) as node:
        found: dict[str, list[str]] = node.ask([])
    return found


def test_the_pages_know_every_field_type(page_types: dict[str, list[str]]) -> None:
    assert set(page_types) == set(FIELD_CLASSES)


PAGE_TRAITS: dict[str, Callable[[type[AnyField]], bool]] = {
    "parseCell": lambda one: one.fits_in_cell,
    "isWellFormed": lambda one: one.answer_kind in (AnswerKind.DATE, AnswerKind.TIME, AnswerKind.DATETIME),
    "upload": lambda one: one.answer_kind is AnswerKind.FILES,
    # The page makes the answer to a signature itself.
    "check": lambda one: one.answer_kind not in (AnswerKind.NONE, AnswerKind.FILE),
}


@pytest.mark.parametrize("name", PAGE_TRAITS)
def test_the_pages_have_what_a_field_type_requires(page_types: dict[str, list[str]], name: str) -> None:
    wanted = {kind for kind, one in FIELD_CLASSES.items() if PAGE_TRAITS[name](one)}
    assert {kind for kind, parts in page_types.items() if name in parts} == wanted


def test_the_designer_presents_every_type() -> None:
    assert set(DESIGNER_ENTRIES) == set(KINDS)


def _declared(kind: str, annotation: object) -> dict[str, str]:
    """Return the properties of a type that are declared as rules, or as texts: names in Python by those in the API."""
    hints = get_type_hints(FIELD_CLASSES[kind], include_extras=True)
    marker = annotation.__metadata__[0]  # type: ignore[attr-defined]
    return {
        one.encode_name: one.name
        for one in msgspec.structs.fields(FIELD_CLASSES[kind])
        if any(marker in getattr(part, "__metadata__", ()) for part in (hints[one.name], *get_args(hints[one.name])))
    }


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_yields_all_of_its_rules(kind: str) -> None:
    """A rule that a field does not yield is neither checked nor compiled."""
    field: Any = field_types.make_field(kind)
    for name, attribute in _declared(kind, Rule).items():
        assert (name, "true") in list(msgspec.structs.replace(field, **{attribute: "true"}).rules())


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_yields_all_of_its_texts(kind: str) -> None:
    """The answers in a text that a field does not yield are not found, and nobody can translate it."""
    field: Any = field_types.make_field(kind)
    for name, attribute in _declared(kind, Label).items():
        assert (name, "Hello") in list(msgspec.structs.replace(field, **{attribute: "Hello"}).texts())
        assert name in translations.TEXT_PROPERTIES
