"""The fields of a form.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict


class BarcodeField(TypedDict):
    """What a barcode says, scanned or typed."""

    type: Literal["barcode"]
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


class BooleanField(TypedDict):
    """Yes or no."""

    type: Literal["boolean"]
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
    default: NotRequired[bool]


class ChoiceField(TypedDict):
    """One of several options."""

    type: Literal["choice"]
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
    options: list[Option]
    default: NotRequired[str]


class ChoicesField(TypedDict):
    """Any of several options."""

    type: Literal["choices"]
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
    options: list[Option]


class DateField(TypedDict):
    """A day, `2026-03-29`."""

    type: Literal["date"]
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


class DatetimeField(TypedDict):
    """A moment with its offset, `2026-03-29T14:30:00+02:00`."""

    type: Literal["datetime"]
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


class DecimalField(TypedDict):
    """A number with decimals."""

    type: Literal["decimal"]
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
    min: NotRequired[float]
    max: NotRequired[float]
    default: NotRequired[float]


class EmailField(TypedDict):
    """An e-mail address."""

    type: Literal["email"]
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


class FileField(TypedDict):
    """Any file."""

    type: Literal["file"]
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
    maxFiles: NotRequired[int]


class IntegerField(TypedDict):
    """A whole number, at most 2^53 either way so that every reader keeps it exactly."""

    type: Literal["integer"]
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
    min: NotRequired[int]
    max: NotRequired[int]
    default: NotRequired[int]


class LocationField(TypedDict):
    """Where one is."""

    type: Literal["location"]
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


class LookupField(TypedDict):
    """A row of a datasource."""

    type: Literal["lookup"]
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
    datasourceId: str
    display: NotRequired[list[str]]
    mapping: NotRequired[dict[str, str]]
    filter: NotRequired[dict[str, str]]


class NoteField(TypedDict):
    """A text that is only shown."""

    type: Literal["note"]
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


class Option(TypedDict):
    """One of the answers to choose from."""

    value: str
    label: str | dict[str, str]


class PhoneField(TypedDict):
    """A telephone number."""

    type: Literal["phone"]
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


class PhotoField(TypedDict):
    """Pictures, from the camera or a file."""

    type: Literal["photo"]
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
    maxFiles: NotRequired[int]


class RatingField(TypedDict):
    """Stars, from 1 to `max`."""

    type: Literal["rating"]
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
    max: NotRequired[int]


class RepeatField(TypedDict):
    """A group that is filled any number of times."""

    type: Literal["repeat"]
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
    fields: list[AnyField]
    min: NotRequired[int]
    max: NotRequired[int]


class SectionField(TypedDict):
    """A group of fields under a title, or a page of its own."""

    type: Literal["section"]
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
    fields: list[AnyField]
    page: NotRequired[bool]


class SignatureField(TypedDict):
    """A signature drawn on the screen."""

    type: Literal["signature"]
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


class SliderField(TypedDict):
    """A number chosen on a scale."""

    type: Literal["slider"]
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
    min: NotRequired[int]
    max: NotRequired[int]
    step: NotRequired[int]


class TextField(TypedDict):
    """One line of text."""

    type: Literal["text"]
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
    minLength: NotRequired[int]
    maxLength: NotRequired[int]
    pattern: NotRequired[str]
    default: NotRequired[str]


class TextareaField(TypedDict):
    """Several lines of text."""

    type: Literal["textarea"]
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
    maxLength: NotRequired[int]
    default: NotRequired[str]


class TimeField(TypedDict):
    """A time of day, `14:30`."""

    type: Literal["time"]
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


class UrlField(TypedDict):
    """The address of a web page."""

    type: Literal["url"]
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
