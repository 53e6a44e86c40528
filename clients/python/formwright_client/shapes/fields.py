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
    """The content of a barcode, scanned or typed."""

    type: Literal["barcode"]


class BooleanField(Field):
    """Yes or no."""

    type: Literal["boolean"]
    default: NotRequired[bool]


class ChoiceField(Field):
    """A single choice."""

    type: Literal["choice"]
    options: list[ChoiceOption]
    default: NotRequired[str]


class ChoiceOption(TypedDict):
    """An option of a choice."""

    value: str
    label: str | dict[str, str]


class ChoicesField(Field):
    """A multiple choice."""

    type: Literal["choices"]
    options: list[ChoiceOption]


class DateField(Field):
    """A date, such as `2026-03-29`."""

    type: Literal["date"]


class DatetimeField(Field):
    """A date and time with its offset, such as `2026-03-29T14:30:00+02:00`."""

    type: Literal["datetime"]


class DecimalField(Field):
    """A decimal number."""

    type: Literal["decimal"]
    min: NotRequired[float]
    max: NotRequired[float]
    default: NotRequired[float]


class EmailField(Field):
    """An email address."""

    type: Literal["email"]


class FileField(Field):
    """Files of any type."""

    type: Literal["file"]
    maxFiles: NotRequired[int]


class IntegerField(Field):
    """An integer between -2^53 and 2^53, which every JSON parser reads exactly."""

    type: Literal["integer"]
    min: NotRequired[int]
    max: NotRequired[int]
    default: NotRequired[int]


class LocationField(Field):
    """A position (WGS 84)."""

    type: Literal["location"]


class LookupField(Field):
    """A row of a data source."""

    type: Literal["lookup"]
    datasourceId: str
    display: NotRequired[list[str]]
    mapping: NotRequired[dict[str, str]]
    filter: NotRequired[dict[str, str]]


class NoteField(Field):
    """A text that is only displayed."""

    type: Literal["note"]


class PhoneField(Field):
    """A telephone number."""

    type: Literal["phone"]


class PhotoField(Field):
    """Photos from the camera or from files."""

    type: Literal["photo"]
    maxFiles: NotRequired[int]


class RatingField(Field):
    """A rating from 1 to `max` stars."""

    type: Literal["rating"]
    max: NotRequired[int]


class RepeatField(Field):
    """A group of fields that can be filled in several times."""

    type: Literal["repeat"]
    fields: list[AnyField]
    min: NotRequired[int]
    max: NotRequired[int]


class SectionField(Field):
    """A group of fields under a title."""

    type: Literal["section"]
    fields: list[AnyField]
    page: NotRequired[bool]


class SignatureField(Field):
    """A signature that is drawn on the screen."""

    type: Literal["signature"]


class SliderField(Field):
    """An integer that is chosen with a slider."""

    type: Literal["slider"]
    min: NotRequired[int]
    max: NotRequired[int]
    step: NotRequired[int]


class TextField(Field):
    """A line of text."""

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
    """A time of day, such as `14:30`."""

    type: Literal["time"]


class UrlField(Field):
    """A URL that begins with `http://` or `https://`."""

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
