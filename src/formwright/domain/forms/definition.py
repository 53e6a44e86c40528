"""What a form asks: one typed document per version.

A field is a tagged union by `type`. The shapes are `msgspec` structs, so that the document is read, checked,
described in the OpenAPI document and stored from one model. Answers stand flat by field name, also those inside
sections; a repeat's answer is the list of its rows, each an object by field name.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

MAX_FIELDS = 500

FieldName = Annotated[
    str,
    Meta(
        # In Python `$` alone would let a last line feed through.
        pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$(?!\n)",
        description="The answer's key: a letter, then letters, digits and `_`, 64 at most.",
    ),
]
Text = Annotated[str, Meta(min_length=1, max_length=2000)]
Label = Annotated[
    Text | Annotated[dict[str, Text], Meta(min_length=1)],
    Meta(description='A text, or one for each language: `{"en": "Name", "de": "Name"}`.'),
]


DatasourceId = Annotated[str, Meta(pattern=r"^dat_[0-7][0-9a-hjkmnp-tv-z]{25}$", description="The id of a datasource.")]
Column = Annotated[str, Meta(min_length=1, max_length=200)]
Rule = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2000,
        description="A CEL expression over the other answers by name. `answered.<name>` tells whether one is there.",
        examples=["people > 10 && answered.contact"],
    ),
]


class Field(
    msgspec.Struct,
    forbid_unknown_fields=True,
    rename="camel",
    tag_field="type",
    omit_defaults=True,
    frozen=True,
    kw_only=True,
):
    """What every kind of field has."""

    name: FieldName
    label: Label
    hint: Label | UnsetType = UNSET
    visible_if: Annotated[Rule, Meta(description="Where it is false or fails, the field is not there.")] | UnsetType = (
        UNSET
    )
    required: bool = False
    read_only: bool = False
    indexed: Annotated[bool, Meta(description="Lists are often filtered by this answer.")] = False
    valid_if: Annotated[Rule, Meta(description="An answer is refused where it is false or fails.")] | UnsetType = UNSET
    message: Annotated[Label, Meta(description="What `validIf` says when it refuses.")] | UnsetType = UNSET
    calculate: Annotated[Rule, Meta(description="The answer is computed and not asked for.")] | UnsetType = UNSET


class TextField(Field, tag="text", frozen=True, kw_only=True):
    """One line of text."""

    min_length: Annotated[int, Meta(ge=0, le=10_000)] | UnsetType = UNSET
    max_length: Annotated[int, Meta(ge=1, le=10_000)] | UnsetType = UNSET
    pattern: Annotated[str, Meta(min_length=1, max_length=500, description="A regular expression that must match.")] | (
        UnsetType
    ) = UNSET
    default: Text | UnsetType = UNSET


class TextareaField(Field, tag="textarea", frozen=True, kw_only=True):
    """Several lines of text."""

    max_length: Annotated[int, Meta(ge=1, le=100_000)] | UnsetType = UNSET
    default: Text | UnsetType = UNSET


class EmailField(Field, tag="email", frozen=True, kw_only=True):
    """An e-mail address."""


class PhoneField(Field, tag="phone", frozen=True, kw_only=True):
    """A telephone number."""


class UrlField(Field, tag="url", frozen=True, kw_only=True):
    """The address of a web page."""


SafeInteger = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class IntegerField(Field, tag="integer", frozen=True, kw_only=True):
    """A whole number, at most 2^53 either way so that every reader keeps it exactly."""

    min: SafeInteger | UnsetType = UNSET
    max: SafeInteger | UnsetType = UNSET
    default: SafeInteger | UnsetType = UNSET


class DecimalField(Field, tag="decimal", frozen=True, kw_only=True):
    """A number with decimals."""

    min: float | UnsetType = UNSET
    max: float | UnsetType = UNSET
    default: float | UnsetType = UNSET


class BooleanField(Field, tag="boolean", frozen=True, kw_only=True):
    """Yes or no."""

    default: bool | UnsetType = UNSET


class DateField(Field, tag="date", frozen=True, kw_only=True):
    """A day, `2026-03-29`."""


class TimeField(Field, tag="time", frozen=True, kw_only=True):
    """A time of day, `14:30`."""


class DatetimeField(Field, tag="datetime", frozen=True, kw_only=True):
    """A moment with its offset, `2026-03-29T14:30:00+02:00`."""


class Option(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One of the answers to choose from."""

    value: Annotated[str, Meta(min_length=1, max_length=200)]
    label: Label


Options = Annotated[list[Option], Meta(min_length=1, max_length=1000)]


class ChoiceField(Field, tag="choice", frozen=True, kw_only=True):
    """One of several options; the answer is its value."""

    options: Options
    default: str | UnsetType = UNSET


class ChoicesField(Field, tag="choices", frozen=True, kw_only=True):
    """Any of several options; the answer is the list of their values."""

    options: Options


class RatingField(Field, tag="rating", frozen=True, kw_only=True):
    """Stars, from 1 to `max`."""

    max: Annotated[int, Meta(ge=2, le=10)] = 5


class SliderField(Field, tag="slider", frozen=True, kw_only=True):
    """A number chosen on a scale."""

    min: SafeInteger = 0
    max: SafeInteger = 100
    step: Annotated[int, Meta(ge=1, le=2**53)] = 1


class LookupField(Field, tag="lookup", frozen=True, kw_only=True):
    """A row of a datasource; the answer is its key."""

    datasource_id: DatasourceId
    display: Annotated[
        list[Column], Meta(max_length=10, description="Columns shown; the key column where none is named.")
    ] = []
    mapping: Annotated[
        dict[Column, FieldName], Meta(description="Which columns of the chosen row fill which other fields.")
    ] = {}
    filter: Annotated[
        dict[Column, FieldName], Meta(description="Only rows whose column equals another answer are offered.")
    ] = {}


class PhotoField(Field, tag="photo", frozen=True, kw_only=True):
    """Pictures, from the camera or a file; the answer is the list of their file ids."""

    max_files: Annotated[int, Meta(ge=1, le=20)] = 1


class SignatureField(Field, tag="signature", frozen=True, kw_only=True):
    """A signature drawn on the screen; the answer is the id of its picture."""


class FileField(Field, tag="file", frozen=True, kw_only=True):
    """Any file; the answer is the list of their file ids."""

    max_files: Annotated[int, Meta(ge=1, le=20)] = 1


class LocationField(Field, tag="location", frozen=True, kw_only=True):
    """Where one is: `{latitude, longitude, accuracy}` (WGS 84, degrees; metres)."""


class BarcodeField(Field, tag="barcode", frozen=True, kw_only=True):
    """What a barcode says, scanned or typed."""


class NoteField(Field, tag="note", frozen=True, kw_only=True):
    """A text that is only shown; it has no answer."""


class SectionField(Field, tag="section", frozen=True, kw_only=True):
    """A group of fields under a title, or a page of its own. It has no answer; those inside stand beside the others."""

    fields: Annotated[list["AnyField"], Meta(min_length=1)]
    page: bool = False


class RepeatField(Field, tag="repeat", frozen=True, kw_only=True):
    """A group that is filled any number of times; the answer is the list of its rows."""

    fields: Annotated[list["AnyField"], Meta(min_length=1)]
    min: Annotated[int, Meta(ge=0, le=200)] = 0
    max: Annotated[int, Meta(ge=1, le=200)] = 100


AnyField = (
    TextField
    | TextareaField
    | EmailField
    | PhoneField
    | UrlField
    | IntegerField
    | DecimalField
    | BooleanField
    | DateField
    | TimeField
    | DatetimeField
    | ChoiceField
    | ChoicesField
    | LookupField
    | RatingField
    | SliderField
    | PhotoField
    | SignatureField
    | FileField
    | LocationField
    | BarcodeField
    | NoteField
    | SectionField
    | RepeatField
)

Language = Annotated[
    str, Meta(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$(?!\n)", description="A language tag (BCP 47).")
]


class FormSettings(msgspec.Struct, forbid_unknown_fields=True, rename="camel", omit_defaults=True, frozen=True):
    """How the form is filled."""

    language: Language = "en"
    thanks: Label | UnsetType = UNSET


class Definition(msgspec.Struct, frozen=True):
    """The fields of a version in their order, and its settings."""

    fields: list[AnyField]
    settings: FormSettings


def flatten_sections(fields: Sequence[AnyField]) -> Iterator[AnyField]:
    """The fields with those inside sections, in reading order; rows of repeats stay inside."""
    for field in fields:
        yield field
        if isinstance(field, SectionField):
            yield from flatten_sections(field.fields)


def walk_fields(fields: Sequence[AnyField]) -> Iterator[AnyField]:
    """All fields, also those of repeats, in reading order."""
    for field in fields:
        yield field
        if isinstance(field, SectionField | RepeatField):
            yield from walk_fields(field.fields)


def label_text(label: "Label", languages: Sequence[str]) -> str:
    """The label in the first of the languages that it has, else the first it was written in."""
    if isinstance(label, str):
        return label
    return next((label[tag] for tag in languages if tag in label), next(iter(label.values()), ""))
