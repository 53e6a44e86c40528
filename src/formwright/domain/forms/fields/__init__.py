"""The field types of forms: one class each, with what a field of the type can do and what its answers are.

A module per family of types, from which the few callers of a single type import it. What a type can do is an attribute
of its class, and what depends on the settings of a field is a method. Nothing here knows rules, databases, pages or
file formats.
"""

from formwright.domain.forms.fields.answer_kinds import AnswerKind, Shape
from formwright.domain.forms.fields.base import TRAITS, Field
from formwright.domain.forms.fields.choices import BooleanField, ChoiceField
from formwright.domain.forms.fields.files import Drawing, PhotoField
from formwright.domain.forms.fields.lookups import MAX_LOOKUP_ROWS
from formwright.domain.forms.fields.numbers import NpsField
from formwright.domain.forms.fields.structure import (
    FIELD_CLASSES,
    MAX_ROWS,
    AnyField,
    NoteField,
    RepeatField,
    SectionField,
    answerable_fields,
    flatten_sections,
    media_names,
    scored_names,
    walk_fields,
    walk_in_repeats,
)
from formwright.domain.forms.fields.text import TextField

__all__ = [
    "FIELD_CLASSES",
    "MAX_LOOKUP_ROWS",
    "MAX_ROWS",
    "TRAITS",
    "AnswerKind",
    "AnyField",
    "BooleanField",
    "ChoiceField",
    "Drawing",
    "Field",
    "NoteField",
    "NpsField",
    "PhotoField",
    "RepeatField",
    "SectionField",
    "Shape",
    "TextField",
    "answerable_fields",
    "flatten_sections",
    "media_names",
    "scored_names",
    "walk_fields",
    "walk_in_repeats",
]
