"""The definition of a form: its fields and settings. Each version of a form has one.

Fields are a union tagged by `type`. They are msgspec structs, so that requests are parsed and validated, the OpenAPI
schemas are generated, and definitions are stored with the same types. Answers are keyed by field name in a flat
object, including those inside sections; the answer of a repeat is a list of rows, each keyed by field name.
"""

import msgspec

from formwright.domain.forms.fields.choices import BooleanField, ChoiceField, ChoicesField, OptionField, RankingField
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
from formwright.domain.forms.fields.places import AreaField, LineField, LocationField, PointsField
from formwright.domain.forms.fields.structure import (
    AnyField,
    NoteField,
    RepeatField,
    SectionField,
    flatten_sections,
    walk_fields,
)
from formwright.domain.forms.fields.text import BarcodeField, EmailField, PhoneField, TextareaField, TextField, UrlField
from formwright.domain.forms.form_settings import FormSettings

MAX_FIELDS = 1500


class Definition(msgspec.Struct, frozen=True):
    """The fields of a form version, in order, and its settings."""

    fields: list[AnyField]
    settings: FormSettings


__all__ = [
    "MAX_FIELDS",
    "MAX_LOOKUP_ROWS",
    "AnyField",
    "AreaField",
    "AudioField",
    "BarcodeField",
    "BooleanField",
    "ChoiceField",
    "ChoicesField",
    "DateField",
    "DatetimeField",
    "DecimalField",
    "Definition",
    "Drawing",
    "EmailField",
    "FileField",
    "FilesField",
    "IntegerField",
    "LineField",
    "LocationField",
    "LookupField",
    "LookupsField",
    "MaxFiles",
    "NoteField",
    "NpsField",
    "OptionField",
    "PhoneField",
    "PhotoField",
    "PointsField",
    "RankingField",
    "RatingField",
    "RepeatField",
    "RowsField",
    "SafeInteger",
    "SectionField",
    "SignatureField",
    "SliderField",
    "TextField",
    "TextareaField",
    "TimeField",
    "UrlField",
    "VideoField",
    "flatten_sections",
    "walk_fields",
]
