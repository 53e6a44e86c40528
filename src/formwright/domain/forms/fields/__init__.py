"""The field types of forms: one class each, with what a field of the type can do and what its answers are.

A module per family of types. What a type can do is an attribute of its class, and what depends on the settings of a
field is a method. Nothing here knows rules, databases, pages or file formats.
"""

from formwright.domain.forms.fields.answer_kinds import AnswerKind, Shape
from formwright.domain.forms.fields.base import MAX_KEY_LENGTH, TRAITS, Field, Size
from formwright.domain.forms.fields.choices import BooleanField, ChoiceField, ChoicesField, RankingField
from formwright.domain.forms.fields.dates import DateField, DatetimeField, TimeField
from formwright.domain.forms.fields.files import (
    AudioField,
    Drawing,
    FileField,
    FilesField,
    MaxFiles,
    PhotoField,
    SignatureField,
    VideoField,
)
from formwright.domain.forms.fields.lookups import MAX_LOOKUP_ROWS, LookupField, LookupsField, RowsField
from formwright.domain.forms.fields.numbers import (
    DecimalField,
    IntegerField,
    NpsField,
    RatingField,
    SafeInteger,
    SliderField,
)
from formwright.domain.forms.fields.places import AreaField, LineField, LocationField
from formwright.domain.forms.fields.properties import DatasourceId, FieldMetadata, FileMetadata, LocationMetadata
from formwright.domain.forms.fields.structure import (
    FIELD_CLASSES,
    MAX_ROWS,
    AnyField,
    NoteField,
    RepeatField,
    SectionField,
    answerable_fields,
    flatten_sections,
    max_size,
    media_names,
    object_schema,
    replace_in_fields,
    scored_names,
    text_readers,
    walk_fields,
    walk_in_repeats,
)
from formwright.domain.forms.fields.text import BarcodeField, EmailField, PhoneField, TextareaField, TextField, UrlField

__all__ = [
    "FIELD_CLASSES",
    "MAX_KEY_LENGTH",
    "MAX_LOOKUP_ROWS",
    "MAX_ROWS",
    "TRAITS",
    "AnswerKind",
    "AnyField",
    "AreaField",
    "AudioField",
    "BarcodeField",
    "BooleanField",
    "ChoiceField",
    "ChoicesField",
    "DatasourceId",
    "DateField",
    "DatetimeField",
    "DecimalField",
    "Drawing",
    "EmailField",
    "Field",
    "FieldMetadata",
    "FileField",
    "FileMetadata",
    "FilesField",
    "IntegerField",
    "LineField",
    "LocationField",
    "LocationMetadata",
    "LookupField",
    "LookupsField",
    "MaxFiles",
    "NoteField",
    "NpsField",
    "PhoneField",
    "PhotoField",
    "RankingField",
    "RatingField",
    "RepeatField",
    "RowsField",
    "SafeInteger",
    "SectionField",
    "Shape",
    "SignatureField",
    "Size",
    "SliderField",
    "TextField",
    "TextareaField",
    "TimeField",
    "UrlField",
    "VideoField",
    "answerable_fields",
    "flatten_sections",
    "max_size",
    "media_names",
    "object_schema",
    "replace_in_fields",
    "scored_names",
    "text_readers",
    "walk_fields",
    "walk_in_repeats",
]
