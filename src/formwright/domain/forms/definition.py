"""The definition of a form: its fields and settings. Each version of a form has one.

Fields are a union tagged by `type`. They are msgspec structs, so that requests are parsed and validated, the OpenAPI
schemas are generated, and definitions are stored with the same types. Answers are keyed by field name in a flat
object, including those inside sections; the answer of a repeat is a list of rows, each keyed by field name.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.domain.forms.answer_kinds import AnswerKind
from formwright.domain.forms.field import (
    Column,
    DatasourceId,
    Field,
    FieldMetadata,
    FieldName,
    FileMetadata,
    LocationMetadata,
    Rule,
    Unit,
)
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.labels import TRANSLATED, Label, Text
from formwright.domain.forms.options import Options

MAX_FIELDS = 1500

_DEFAULT = Meta(description="The initial answer.")


class TextField(Field, tag="text", frozen=True, kw_only=True):
    """A line of text."""

    min_length: Annotated[int, Meta(ge=0, le=10_000, description="The minimum number of characters.")] | UnsetType = (
        UNSET
    )
    max_length: Annotated[int, Meta(ge=1, le=10_000, description="The maximum number of characters.")] | UnsetType = (
        UNSET
    )
    pattern: (
        Annotated[
            str,
            Meta(min_length=1, max_length=500, description="A regular expression that the answer must match anywhere."),
        ]
        | UnsetType
    ) = UNSET
    default: Annotated[Text, _DEFAULT] | UnsetType = UNSET
    metadata: (
        Annotated[FieldMetadata, Meta(description="What the page fills in, for a hidden field without a default.")]
        | UnsetType
    ) = UNSET


class TextareaField(Field, tag="textarea", frozen=True, kw_only=True):
    """Several lines of text."""

    max_length: Annotated[int, Meta(ge=1, le=100_000, description="The maximum number of characters.")] | UnsetType = (
        UNSET
    )
    default: Annotated[Text, _DEFAULT] | UnsetType = UNSET


class EmailField(Field, tag="email", frozen=True, kw_only=True):
    """An email address."""

    default: Annotated[Text, _DEFAULT] | UnsetType = UNSET


class PhoneField(Field, tag="phone", frozen=True, kw_only=True):
    """A telephone number."""

    default: Annotated[Text, _DEFAULT] | UnsetType = UNSET


class UrlField(Field, tag="url", frozen=True, kw_only=True):
    """A URL that begins with `http://` or `https://`."""

    default: Annotated[Annotated[str, Meta(min_length=1, max_length=2048)], _DEFAULT] | UnsetType = UNSET


SafeInteger = Annotated[int, Meta(ge=-(2**53), le=2**53)]
_MIN = Meta(description="The smallest valid number.")
_MAX = Meta(description="The largest valid number.")


class IntegerField(Field, tag="integer", frozen=True, kw_only=True):
    """An integer between -2^53 and 2^53, which every JSON parser reads exactly."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.INTEGER
    min: Annotated[SafeInteger, _MIN] | UnsetType = UNSET
    max: Annotated[SafeInteger, _MAX] | UnsetType = UNSET
    default: Annotated[SafeInteger, _DEFAULT] | UnsetType = UNSET
    unit: Unit | UnsetType = UNSET


class DecimalField(Field, tag="decimal", frozen=True, kw_only=True):
    """A decimal number."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.DECIMAL
    min: Annotated[float, _MIN] | UnsetType = UNSET
    max: Annotated[float, _MAX] | UnsetType = UNSET
    default: Annotated[float, _DEFAULT] | UnsetType = UNSET
    unit: Unit | UnsetType = UNSET


class BooleanField(Field, tag="boolean", frozen=True, kw_only=True):
    """Yes or no."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.BOOLEAN
    is_searched: ClassVar[bool] = False
    agreement: Annotated[
        bool, Meta(description="Whether people agree by ticking a box. The only answer is true, as for a consent.")
    ] = False
    default: Annotated[bool, _DEFAULT] | UnsetType = UNSET


class DateField(Field, tag="date", frozen=True, kw_only=True):
    """A date, such as `2026-03-29`."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.DATE
    default: Annotated[Text, _DEFAULT] | UnsetType = UNSET


class TimeField(Field, tag="time", frozen=True, kw_only=True):
    """A time of day, such as `14:30`."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.TIME
    default: Annotated[Text, _DEFAULT] | UnsetType = UNSET


class DatetimeField(Field, tag="datetime", frozen=True, kw_only=True):
    """A date and time with its offset, such as `2026-03-29T14:30:00+02:00`."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.DATETIME
    default: Annotated[Text, _DEFAULT] | UnsetType = UNSET


_OPTION_FILTER = Meta(
    description="A CEL rule: an option is only offered while it is true. `option.value` is the value of the option, and"
    " `option.<column>` one of its `columns`.",
    examples=["option.country == country"],
)
_RANDOMIZE = Meta(
    description="Whether the page shows the options in random order, which stays the same while a form is filled in. "
    "Options that are `exclusive`, and one with the value `other`, keep their place."
)


class ChoiceField(Field, tag="choice", frozen=True, kw_only=True):
    """A single choice. The answer is the value of the chosen option."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.CHOICE
    likert: Annotated[bool, Meta(description="Whether wide screens show the options in one row, as a scale.")] = False
    options: Options
    option_filter: Annotated[Rule, _OPTION_FILTER] | UnsetType = UNSET
    randomize: Annotated[bool, _RANDOMIZE] = False
    default: Annotated[str, _DEFAULT] | UnsetType = UNSET


class ChoicesField(Field, tag="choices", frozen=True, kw_only=True):
    """A multiple choice. The answer is the list of the values of the chosen options."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.CHOICES
    options: Options
    option_filter: Annotated[Rule, _OPTION_FILTER] | UnsetType = UNSET
    randomize: Annotated[bool, _RANDOMIZE] = False
    min_choices: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=1000,
                description="The minimum number of options of an answer. An exclusive option is enough on its own.",
            ),
        ]
        | UnsetType
    ) = UNSET
    max_choices: (
        Annotated[int, Meta(ge=1, le=1000, description="The maximum number of options of an answer.")] | UnsetType
    ) = UNSET
    default: Annotated[list[str], _DEFAULT] | UnsetType = UNSET


class RankingField(Field, tag="ranking", frozen=True, kw_only=True):
    """Options that are put in order. The answer is the list of the values of all options, the first one first."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.CHOICES
    can_filter_rows: ClassVar[bool] = False
    options: Options
    randomize: Annotated[bool, _RANDOMIZE] = False


OptionField = ChoiceField | ChoicesField | RankingField
"""The fields with options."""


class NpsField(Field, tag="nps", frozen=True, kw_only=True):
    """How likely people are to recommend something, from 0 to 10 (net promoter score)."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.INTEGER
    low_label: (
        Annotated[Label, Meta(description=f"A text next to 0, such as “Not at all likely”. {TRANSLATED}")] | UnsetType
    ) = UNSET
    high_label: (
        Annotated[Label, Meta(description=f"A text next to 10, such as “Very likely”. {TRANSLATED}")] | UnsetType
    ) = UNSET
    default: Annotated[int, _DEFAULT] | UnsetType = UNSET


class RatingField(Field, tag="rating", frozen=True, kw_only=True):
    """A rating from 1 to `max` stars."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.INTEGER
    max: Annotated[int, Meta(ge=2, le=10, description="The number of stars.")] = 5
    default: Annotated[int, _DEFAULT] | UnsetType = UNSET


class SliderField(Field, tag="slider", frozen=True, kw_only=True):
    """An integer that is chosen with a slider."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.INTEGER
    min: Annotated[SafeInteger, _MIN] = 0
    max: Annotated[SafeInteger, _MAX] = 100
    step: Annotated[int, Meta(ge=1, le=2**53, description="The difference between neighbouring values.")] = 1
    default: Annotated[SafeInteger, _DEFAULT] | UnsetType = UNSET


class _RowsField(Field, frozen=True, kw_only=True):
    """The properties of fields that offer the rows of a data source."""

    accepts_default_rule: ClassVar[bool] = False
    datasource_id: DatasourceId
    display: Annotated[
        list[Column], Meta(max_length=10, description="The columns to display. Default: the key column.")
    ] = msgspec.field(default_factory=list)
    filter: Annotated[
        dict[Column, FieldName],
        Meta(description="Offer only rows whose columns equal other answers: field names by column."),
    ] = msgspec.field(default_factory=dict)


class LookupField(_RowsField, tag="lookup", frozen=True, kw_only=True):
    """A row of a data source. The answer is the key of the row."""

    mapping: Annotated[
        dict[Column, FieldName],
        Meta(description="Columns of the chosen row that fill in other fields: field names by column."),
    ] = msgspec.field(default_factory=dict)


MAX_LOOKUP_ROWS = 100
"""The most rows of a data source that an answer can name."""


class LookupsField(_RowsField, tag="lookups", frozen=True, kw_only=True):
    """Several rows of a data source. The answer is the list of their keys."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.CHOICES
    min_choices: (
        Annotated[int, Meta(ge=1, le=MAX_LOOKUP_ROWS, description="The minimum number of rows of an answer.")]
        | UnsetType
    ) = UNSET
    max_choices: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=MAX_LOOKUP_ROWS,
                description=f"The maximum number of rows of an answer. Default: {MAX_LOOKUP_ROWS}.",
            ),
        ]
        | UnsetType
    ) = UNSET

    @property
    def mapping(self) -> dict[Column, FieldName]:
        """Always empty: several rows cannot fill in one field."""
        return {}

    @property
    def most(self) -> int:
        """The maximum number of rows of an answer."""
        return MAX_LOOKUP_ROWS if self.max_choices is UNSET else self.max_choices


RowsField = LookupField | LookupsField
"""The fields whose answers are keys of rows of a data source."""


class _UploadField(Field, frozen=True, kw_only=True):
    """A field whose answer names files. Rules, cells and texts contain none."""

    accepts_default_rule: ClassVar[bool] = False
    accepts_calculation: ClassVar[bool] = False
    can_be_title: ClassVar[bool] = False
    can_filter_rows: ClassVar[bool] = False
    fits_in_cell: ClassVar[bool] = False
    fits_in_text: ClassVar[bool] = False
    is_remembered: ClassVar[bool] = False


MaxFiles = Annotated[int, Meta(ge=1, le=20, description="The maximum number of files.")]


class Drawing(StrEnum):
    """What people draw on: the photos that they have added, or an empty sheet."""

    PHOTO = "photo"
    SHEET = "sheet"


class PhotoField(_UploadField, tag="photo", frozen=True, kw_only=True):
    """Photos from the camera or from files, or drawings. The answer is the list of their file ids."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.FILES
    max_files: MaxFiles = 1
    drawing: (
        Annotated[
            Drawing,
            Meta(
                description="`photo`: people can draw on the photos on the page. `sheet`: they draw pictures instead of"
                " taking photos."
            ),
        ]
        | UnsetType
    ) = UNSET


class AudioField(_UploadField, tag="audio", frozen=True, kw_only=True):
    """Sound from the microphone or from files. The answer is the list of their file ids."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.FILES
    max_files: MaxFiles = 1


class VideoField(_UploadField, tag="video", frozen=True, kw_only=True):
    """Videos from the camera or from files. The answer is the list of their file ids."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.FILES
    max_files: MaxFiles = 1


class SignatureField(_UploadField, tag="signature", frozen=True, kw_only=True):
    """A signature that is drawn on the screen. The answer is the file id of a PNG image."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.FILE
    is_searched: ClassVar[bool] = False


class FileField(_UploadField, tag="file", frozen=True, kw_only=True):
    """Files of any type. The answer is the list of their file ids."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.FILES
    max_files: MaxFiles = 1
    metadata: (
        Annotated[FileMetadata, Meta(description="The file that the page attaches, for a hidden field.")] | UnsetType
    ) = UNSET


FilesField = PhotoField | AudioField | VideoField | FileField
"""The fields whose answer is a list of files."""


class _PlaceField(Field, frozen=True, kw_only=True):
    """A field whose answer is a position or several. None of them is a text or a cell."""

    can_be_title: ClassVar[bool] = False
    can_filter_rows: ClassVar[bool] = False
    fits_in_cell: ClassVar[bool] = False
    fits_in_text: ClassVar[bool] = False
    is_searched: ClassVar[bool] = False


class LocationField(_PlaceField, tag="location", frozen=True, kw_only=True):
    """A position (WGS 84): an object with `latitude` and `longitude` in degrees, and `accuracy` in metres."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.POSITION
    default: Annotated[dict[str, float], _DEFAULT] | UnsetType = UNSET
    metadata: (
        Annotated[
            LocationMetadata,
            Meta(description="The position that the page fills in, for a hidden field without a default."),
        ]
        | UnsetType
    ) = UNSET


class LineField(_PlaceField, tag="line", frozen=True, kw_only=True):
    """A line on the map: the list of its 2 to 1,000 points, each like the answer of a `location`."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.POSITIONS
    is_filterable: ClassVar[bool] = False
    default: Annotated[list[dict[str, float]], _DEFAULT] | UnsetType = UNSET


class AreaField(_PlaceField, tag="area", frozen=True, kw_only=True):
    """An area on the map: the list of its 3 to 1,000 corners, each like the answer of a `location`. The first corner is
    not repeated at the end."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.POSITIONS
    is_filterable: ClassVar[bool] = False
    default: Annotated[list[dict[str, float]], _DEFAULT] | UnsetType = UNSET


PointsField = LineField | AreaField
"""The fields whose answer is a list of points."""


class BarcodeField(Field, tag="barcode", frozen=True, kw_only=True):
    """The content of a barcode, scanned or typed."""

    default: Annotated[Text, _DEFAULT] | UnsetType = UNSET


class _GroupField(Field, frozen=True, kw_only=True):
    """A field without an answer of its own, or with rows of answers to the fields in it."""

    accepts_default_rule: ClassVar[bool] = False
    accepts_calculation: ClassVar[bool] = False
    can_be_title: ClassVar[bool] = False
    can_be_hidden: ClassVar[bool] = False
    is_filterable: ClassVar[bool] = False
    can_filter_rows: ClassVar[bool] = False
    fits_in_cell: ClassVar[bool] = False
    fits_in_text: ClassVar[bool] = False
    is_remembered: ClassVar[bool] = False


class NoteField(_GroupField, tag="note", frozen=True, kw_only=True):
    """A text that is only displayed. It has no answer."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.NONE
    has_answer: ClassVar[bool] = False
    is_searched: ClassVar[bool] = False


class SectionField(_GroupField, tag="section", frozen=True, kw_only=True):
    """A group of fields under a title. It has no answer; the answers of its fields are on the level of the others."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.NONE
    has_answer: ClassVar[bool] = False
    is_searched: ClassVar[bool] = False
    fields: Annotated[list["AnyField"], Meta(min_length=1, description="The fields in the section.")]
    page: Annotated[bool, Meta(description="Whether the section is a separate page of the form.")] = False
    table: Annotated[
        bool,
        Meta(
            description="Whether wide screens show the fields as a table with a row per field and a column per option. "
            "All fields must be single choices, or all multiple choices, with the same 2 to 12 options."
        ),
    ] = False


class RepeatField(_GroupField, tag="repeat", frozen=True, kw_only=True):
    """A group of fields that can be filled in several times. The answer is the list of its rows."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.ROWS
    fields: Annotated[list["AnyField"], Meta(min_length=1, description="The fields of each row.")]
    min: Annotated[int, Meta(ge=0, le=200, description="The minimum number of rows.")] = 0
    max: Annotated[int, Meta(ge=1, le=200, description="The maximum number of rows.")] = 100
    row_label: (
        Annotated[
            Label,
            Meta(description="The title of each row, such as `{{name}}` for an answer in it. " + TRANSLATED),
        ]
        | UnsetType
    ) = UNSET
    rows_from: (
        Annotated[
            FieldName,
            Meta(
                description="The name of a lookup among the fields. The page begins with a row for each row of the data"
                " source that the lookup offers."
            ),
        ]
        | UnsetType
    ) = UNSET
    count_rule: (
        Annotated[
            Rule,
            Meta(
                description="A CEL rule that computes the number of rows, a whole number. The page adds and removes"
                " rows accordingly. There are none while the rule has no value."
            ),
        ]
        | UnsetType
    ) = UNSET


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
    | RankingField
    | LookupField
    | LookupsField
    | NpsField
    | RatingField
    | SliderField
    | PhotoField
    | AudioField
    | VideoField
    | SignatureField
    | FileField
    | LocationField
    | LineField
    | AreaField
    | BarcodeField
    | NoteField
    | SectionField
    | RepeatField
)


class Definition(msgspec.Struct, frozen=True):
    """The fields of a form version, in order, and its settings."""

    fields: list[AnyField]
    settings: FormSettings


def flatten_sections(fields: Sequence[AnyField]) -> Iterator[AnyField]:
    """Yield the fields, including those inside sections, in reading order. Fields of repeats are not included."""
    for field in fields:
        yield field
        if isinstance(field, SectionField):
            yield from flatten_sections(field.fields)


def walk_fields(fields: Sequence[AnyField]) -> Iterator[AnyField]:
    """Yield all fields, including those inside sections and repeats, in reading order."""
    for field in fields:
        yield field
        if isinstance(field, SectionField | RepeatField):
            yield from walk_fields(field.fields)
