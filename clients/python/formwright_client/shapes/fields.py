"""The fields of a form.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict


class Field(TypedDict):
    """What every field has."""

    name: str
    label: str | dict[str, str]
    hint: NotRequired[str | dict[str, str]]
    visibleIf: NotRequired[str]
    required: NotRequired[bool]
    readOnly: NotRequired[bool]
    indexed: NotRequired[bool]
    validIf: NotRequired[str]
    message: NotRequired[str | dict[str, str]]
    calculate: NotRequired[str]


class BarcodeField(Field):
    """What a barcode says, scanned or typed."""

    type: Literal["barcode"]


class BooleanField(Field):
    """Yes or no."""

    type: Literal["boolean"]
    default: NotRequired[bool]


class ChoiceField(Field):
    """One of several options."""

    type: Literal["choice"]
    options: list[ChoiceOption]
    default: NotRequired[str]


class ChoiceOption(TypedDict):
    """One of the answers to choose from."""

    value: str
    label: str | dict[str, str]


class ChoicesField(Field):
    """Any of several options."""

    type: Literal["choices"]
    options: list[ChoiceOption]


class DateField(Field):
    """A day, `2026-03-29`."""

    type: Literal["date"]


class DatetimeField(Field):
    """A moment with its offset, `2026-03-29T14:30:00+02:00`."""

    type: Literal["datetime"]


class DecimalField(Field):
    """A number with decimals."""

    type: Literal["decimal"]
    min: NotRequired[float]
    max: NotRequired[float]
    default: NotRequired[float]


class EmailField(Field):
    """An e-mail address."""

    type: Literal["email"]


class FileField(Field):
    """Any file."""

    type: Literal["file"]
    maxFiles: NotRequired[int]


class IntegerField(Field):
    """A whole number, at most 2^53 either way so that every reader keeps it exactly."""

    type: Literal["integer"]
    min: NotRequired[int]
    max: NotRequired[int]
    default: NotRequired[int]


class LocationField(Field):
    """Where one is."""

    type: Literal["location"]


class LookupField(Field):
    """A row of a datasource."""

    type: Literal["lookup"]
    datasourceId: str
    display: NotRequired[list[str]]
    mapping: NotRequired[dict[str, str]]
    filter: NotRequired[dict[str, str]]


class NoteField(Field):
    """A text that is only shown."""

    type: Literal["note"]


class PhoneField(Field):
    """A telephone number."""

    type: Literal["phone"]


class PhotoField(Field):
    """Pictures, from the camera or a file."""

    type: Literal["photo"]
    maxFiles: NotRequired[int]


class RatingField(Field):
    """Stars, from 1 to `max`."""

    type: Literal["rating"]
    max: NotRequired[int]


class RepeatField(Field):
    """A group that is filled any number of times."""

    type: Literal["repeat"]
    fields: list[AnyField]
    min: NotRequired[int]
    max: NotRequired[int]


class SectionField(Field):
    """A group of fields under a title, or a page of its own."""

    type: Literal["section"]
    fields: list[AnyField]
    page: NotRequired[bool]


class SignatureField(Field):
    """A signature drawn on the screen."""

    type: Literal["signature"]


class SliderField(Field):
    """A number chosen on a scale."""

    type: Literal["slider"]
    min: NotRequired[int]
    max: NotRequired[int]
    step: NotRequired[int]


class TextField(Field):
    """One line of text."""

    type: Literal["text"]
    minLength: NotRequired[int]
    maxLength: NotRequired[int]
    pattern: NotRequired[str]
    default: NotRequired[str]


class TextareaField(Field):
    """Several lines of text."""

    type: Literal["textarea"]
    maxLength: NotRequired[int]
    default: NotRequired[str]


class TimeField(Field):
    """A time of day, `14:30`."""

    type: Literal["time"]


class UrlField(Field):
    """The address of a web page."""

    type: Literal["url"]


AnyField: TypeAlias = (
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
