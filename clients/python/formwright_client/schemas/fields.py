"""The fields of a form."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict, final


class Field(TypedDict):
    """What every field has."""

    name: str
    """The key of the answer: a letter, then letters, digits and `_`, at most 64 characters."""
    label: str | dict[str, str]
    """The label of the field. A text, or a text for each language: `{"en": "Name", "de": "Name"}`.
    `{{name}}` shows an answer.
    """
    hint: NotRequired[str | dict[str, str]]
    """A text below the label. A text, or a text for each language: `{"en": "Name", "de": "Name"}`.
    `{{name}}` shows an answer.
    """
    guidance: NotRequired[str | dict[str, str]]
    """A longer text, which people can show and hide. A text, or a text for each language: `{"en": "Name",
    "de": "Name"}`. `{{name}}` shows an answer.
    """
    media: NotRequired[Media]
    """Media below the label and the hint."""
    visibleIf: NotRequired[str]
    """A CEL rule: the field only exists while it is true."""
    required: NotRequired[bool]
    """Whether an answer is required while the field is shown."""
    requiredIf: NotRequired[str]
    """A CEL rule: an answer is required while it is true and the field is shown."""
    requiredMessage: NotRequired[str | dict[str, str]]
    """The error message if a required answer is missing. A text, or a text for each language: `{"en":
    "Name", "de": "Name"}`. `{{name}}` shows an answer.
    """
    readOnly: NotRequired[bool]
    """Whether the page shows the field without letting people edit it."""
    readOnlyIf: NotRequired[str]
    """A CEL rule: while it is true, people cannot edit the field on the page."""
    hidden: NotRequired[bool]
    """Whether the page does not show the field, which is calculated or prefilled."""
    indexed: NotRequired[bool]
    """Whether to index the answers, for fields that are often filtered."""
    validIf: NotRequired[str]
    """A CEL rule: an answer is rejected unless it is true."""
    message: NotRequired[str | dict[str, str]]
    """The error message of `validIf`. A text, or a text for each language: `{"en": "Name", "de": "Name"}`.
    `{{name}}` shows an answer.
    """
    calculate: NotRequired[str]
    """A CEL rule that computes the answer, instead of asking for it."""
    defaultRule: NotRequired[str]
    """A CEL rule that computes the initial answer: once, as soon as the field is shown and the rule has a
    value. The page never replaces an answer that somebody has entered.
    """
    recalculateOn: NotRequired[list[str]]
    """Names of fields. Whenever one of their answers changes, the page sets the answer to the value of
    `defaultRule`, instead of computing it once, or removes it if there is no such rule.
    """
    xlsformColumns: NotRequired[dict[str, str]]
    """Columns of an XLSForm row that have no effect here, such as an `appearance`. Exports write them again."""
    block: NotRequired[BlockReference]
    """The question block that the field was inserted from."""


@final
class AreaField(Field):
    """An area on the map."""

    type: Literal["area"]
    default: NotRequired[list[dict[str, float]]]
    """The initial answer."""


@final
class AudioField(Field):
    """Sound from the microphone or from files."""

    type: Literal["audio"]
    maxFiles: NotRequired[int]
    """The maximum number of files."""


@final
class BarcodeField(Field):
    """The content of a barcode, scanned or typed."""

    type: Literal["barcode"]
    default: NotRequired[str]
    """The initial answer."""


@final
class BlockReference(TypedDict):
    """The field of a question block that a field is a copy of."""

    id: str
    """The id of a question block. It may have been deleted."""
    version: int
    """The version of the block."""
    field: str
    """The name of the field in the block."""
    copy: NotRequired[int]
    """Tells several copies of the same block in a form from each other."""


@final
class BooleanField(Field):
    """Yes or no."""

    type: Literal["boolean"]
    agreement: NotRequired[bool]
    """Whether people agree by ticking a box. The only answer is true, as for a consent."""
    default: NotRequired[bool]
    """The initial answer."""


@final
class ChoiceField(Field):
    """A single choice."""

    type: Literal["choice"]
    likert: NotRequired[bool]
    """Whether wide screens show the options in one row, as a scale."""
    options: list[ChoiceOption]
    """The options to choose from."""
    optionFilter: NotRequired[str]
    """A CEL rule: an option is only offered while it is true. `option.value` is the value of the option, and
    `option.<column>` one of its `columns`.
    """
    randomize: NotRequired[bool]
    """Whether the page shows the options in random order, which stays the same while a form is filled in.
    Options that are `exclusive`, and one with the value `other`, keep their place.
    """
    default: NotRequired[str]
    """The initial answer."""


@final
class ChoiceOption(TypedDict):
    """An option of a choice."""

    value: str
    """The value of the option in the answer."""
    label: str | dict[str, str]
    """A text, or a text for each language: `{"en": "Name", "de": "Name"}`. `{{name}}` shows an answer."""
    columns: NotRequired[dict[str, str]]
    """What `optionFilter` knows about the option, by the name of the column."""
    media: NotRequired[Media]
    """Media below the label."""
    exclusive: NotRequired[bool]
    """Whether a multiple choice has no other options beside it, as in “None of the above”. A single choice
    ignores it.
    """
    points: NotRequired[float]
    """What the option counts in `points()` and `score()` of rules, with up to two decimals. A ranking
    ignores it.
    """


@final
class ChoicesField(Field):
    """A multiple choice."""

    type: Literal["choices"]
    options: list[ChoiceOption]
    """The options to choose from."""
    optionFilter: NotRequired[str]
    """A CEL rule: an option is only offered while it is true. `option.value` is the value of the option, and
    `option.<column>` one of its `columns`.
    """
    randomize: NotRequired[bool]
    """Whether the page shows the options in random order, which stays the same while a form is filled in.
    Options that are `exclusive`, and one with the value `other`, keep their place.
    """
    minChoices: NotRequired[int]
    """The minimum number of options of an answer. An exclusive option is enough on its own."""
    maxChoices: NotRequired[int]
    """The maximum number of options of an answer."""
    default: NotRequired[list[str]]
    """The initial answer."""


@final
class DateField(Field):
    """A date, such as `2026-03-29`."""

    type: Literal["date"]
    default: NotRequired[str]
    """The initial answer."""


@final
class DatetimeField(Field):
    """A date and time with its offset, such as `2026-03-29T14:30:00+02:00`."""

    type: Literal["datetime"]
    default: NotRequired[str]
    """The initial answer."""


@final
class DecimalField(Field):
    """A decimal number."""

    type: Literal["decimal"]
    min: NotRequired[float]
    """The smallest valid number."""
    max: NotRequired[float]
    """The largest valid number."""
    default: NotRequired[float]
    """The initial answer."""
    unit: NotRequired[str]
    """The unit or currency, such as “m²” or “€”, next to the number. The answer is the number only."""


Drawing: TypeAlias = Literal["photo", "sheet"]
"""What people draw on: the photos that they have added, or an empty sheet."""


@final
class DurationField(Field):
    """A length of time, such as 1 h 30 min."""

    type: Literal["duration"]
    min: NotRequired[int]
    """The shortest valid duration in seconds."""
    max: NotRequired[int]
    """The longest valid duration in seconds."""
    default: NotRequired[int]
    """The initial answer."""


@final
class EmailField(Field):
    """An email address."""

    type: Literal["email"]
    default: NotRequired[str]
    """The initial answer."""


FieldMetadata: TypeAlias = Literal["deviceId", "email", "phoneNumber", "simSerial", "subscriberId", "userName"]
"""What the page fills in about the person and the device. `DEVICE_ID`: a random id that the browser
keeps. `USER_NAME` and `EMAIL`: the person who was invited or assigned a task. The others are what
XLSForm also knows: browsers do not reveal them, so they stay empty.
"""


@final
class FileField(Field):
    """Files of any type."""

    type: Literal["file"]
    maxFiles: NotRequired[int]
    """The maximum number of files."""
    metadata: NotRequired[FileMetadata]
    """The file that the page attaches, for a hidden field."""


FileMetadata: TypeAlias = Literal["audit"]
"""Which file the page attaches by itself. `AUDIT`: `audit.csv`, with the time that each question took."""


@final
class IntegerField(Field):
    """An integer between -2^53 and 2^53, which every JSON parser reads exactly."""

    type: Literal["integer"]
    min: NotRequired[int]
    """The smallest valid number."""
    max: NotRequired[int]
    """The largest valid number."""
    default: NotRequired[int]
    """The initial answer."""
    unit: NotRequired[str]
    """The unit or currency, such as “m²” or “€”, next to the number. The answer is the number only."""


@final
class LineField(Field):
    """A line on the map."""

    type: Literal["line"]
    default: NotRequired[list[dict[str, float]]]
    """The initial answer."""


@final
class LocationField(Field):
    """A position (WGS 84)."""

    type: Literal["location"]
    default: NotRequired[dict[str, float]]
    """The initial answer."""
    metadata: NotRequired[LocationMetadata]
    """The position that the page fills in, for a hidden field without a default."""


LocationMetadata: TypeAlias = Literal["startLocation"]
"""Which position the page fills in by itself. `START_LOCATION`: that of the device when the form is
opened.
"""


@final
class LookupField(Field):
    """A row of a data source."""

    type: Literal["lookup"]
    datasourceId: str
    """The id of a data source."""
    display: NotRequired[list[str]]
    """The columns to display. Default: the key column."""
    filter: NotRequired[dict[str, str]]
    """Offer only rows whose columns equal other answers: field names by column."""
    mapping: NotRequired[dict[str, str]]
    """Columns of the chosen row that fill in other fields: field names by column."""


@final
class LookupsField(Field):
    """Several rows of a data source."""

    type: Literal["lookups"]
    datasourceId: str
    """The id of a data source."""
    display: NotRequired[list[str]]
    """The columns to display. Default: the key column."""
    filter: NotRequired[dict[str, str]]
    """Offer only rows whose columns equal other answers: field names by column."""
    minChoices: NotRequired[int]
    """The minimum number of rows of an answer."""
    maxChoices: NotRequired[int]
    """The maximum number of rows of an answer. Default: 100."""


@final
class Media(TypedDict):
    """An image, a sound and a video beside a question or an option."""

    image: NotRequired[str | dict[str, str]]
    """A file name, or a file name for each language: `{"en": "map.png", "de": "karte.png"}`."""
    bigImage: NotRequired[str | dict[str, str]]
    """A file name, or a file name for each language: `{"en": "map.png", "de": "karte.png"}`."""
    audio: NotRequired[str | dict[str, str]]
    """A file name, or a file name for each language: `{"en": "map.png", "de": "karte.png"}`."""
    video: NotRequired[str | dict[str, str]]
    """A file name, or a file name for each language: `{"en": "map.png", "de": "karte.png"}`."""
    alt: NotRequired[str | dict[str, str]]
    """What the media are about, for people who do not see or hear them. A text, or a text for each language:
    `{"en": "Name", "de": "Name"}`. `{{name}}` shows an answer.
    """


@final
class NoteField(Field):
    """A text that is only displayed."""

    type: Literal["note"]


@final
class NpsField(Field):
    """How likely people are to recommend something, from 0 to 10 (net promoter score)."""

    type: Literal["nps"]
    lowLabel: NotRequired[str | dict[str, str]]
    """A text next to 0, such as “Not at all likely”. A text, or a text for each language: `{"en": "Name",
    "de": "Name"}`. `{{name}}` shows an answer.
    """
    highLabel: NotRequired[str | dict[str, str]]
    """A text next to 10, such as “Very likely”. A text, or a text for each language: `{"en": "Name", "de":
    "Name"}`. `{{name}}` shows an answer.
    """
    default: NotRequired[int]
    """The initial answer."""


@final
class PhoneField(Field):
    """A telephone number."""

    type: Literal["phone"]
    default: NotRequired[str]
    """The initial answer."""


@final
class PhotoField(Field):
    """Photos from the camera or from files, or drawings."""

    type: Literal["photo"]
    maxFiles: NotRequired[int]
    """The maximum number of files."""
    drawing: NotRequired[Drawing]
    """`photo`: people can draw on the photos on the page. `sheet`: they draw pictures instead of taking
    photos.
    """


@final
class RankingField(Field):
    """Options that are put in order."""

    type: Literal["ranking"]
    options: list[ChoiceOption]
    """The options to choose from."""
    randomize: NotRequired[bool]
    """Whether the page shows the options in random order, which stays the same while a form is filled in.
    Options that are `exclusive`, and one with the value `other`, keep their place.
    """


@final
class RatingField(Field):
    """A rating from 1 to `max` stars."""

    type: Literal["rating"]
    max: NotRequired[int]
    """The number of stars."""
    default: NotRequired[int]
    """The initial answer."""


@final
class RepeatField(Field):
    """A group of fields that can be filled in several times."""

    type: Literal["repeat"]
    fields: list[AnyField]
    """The fields of each row."""
    min: NotRequired[int]
    """The minimum number of rows."""
    max: NotRequired[int]
    """The maximum number of rows."""
    rowLabel: NotRequired[str | dict[str, str]]
    """The title of each row, such as `{{name}}` for an answer in it. A text, or a text for each language:
    `{"en": "Name", "de": "Name"}`. `{{name}}` shows an answer.
    """
    rowsFrom: NotRequired[str]
    """The name of a lookup among the fields. The page begins with a row for each row of the data source that
    the lookup offers.
    """
    countRule: NotRequired[str]
    """A CEL rule that computes the number of rows, a whole number. The page adds and removes rows
    accordingly. There are none while the rule has no value.
    """


@final
class SectionField(Field):
    """A group of fields under a title."""

    type: Literal["section"]
    fields: list[AnyField]
    """The fields in the section."""
    page: NotRequired[bool]
    """Whether the section is a separate page of the form."""
    table: NotRequired[bool]
    """Whether wide screens show the fields as a table with a row per field and a column per option. All
    fields must be single choices, or all multiple choices, with the same 2 to 12 options.
    """


@final
class SignatureField(Field):
    """A signature that is drawn on the screen."""

    type: Literal["signature"]


@final
class SliderField(Field):
    """An integer that is chosen with a slider."""

    type: Literal["slider"]
    min: NotRequired[int]
    """The smallest valid number."""
    max: NotRequired[int]
    """The largest valid number."""
    step: NotRequired[int]
    """The difference between neighbouring values."""
    default: NotRequired[int]
    """The initial answer."""


@final
class TextField(Field):
    """A line of text."""

    type: Literal["text"]
    minLength: NotRequired[int]
    """The minimum number of characters."""
    maxLength: NotRequired[int]
    """The maximum number of characters."""
    pattern: NotRequired[str]
    """A regular expression that the answer must match anywhere."""
    default: NotRequired[str]
    """The initial answer."""
    metadata: NotRequired[FieldMetadata]
    """What the page fills in, for a hidden field without a default."""


@final
class TextareaField(Field):
    """Several lines of text."""

    type: Literal["textarea"]
    maxLength: NotRequired[int]
    """The maximum number of characters."""
    default: NotRequired[str]
    """The initial answer."""


@final
class TimeField(Field):
    """A time of day, such as `14:30`."""

    type: Literal["time"]
    default: NotRequired[str]
    """The initial answer."""


@final
class UrlField(Field):
    """A URL that begins with `http://` or `https://`."""

    type: Literal["url"]
    default: NotRequired[str]
    """The initial answer."""


@final
class VideoField(Field):
    """Videos from the camera or from files."""

    type: Literal["video"]
    maxFiles: NotRequired[int]
    """The maximum number of files."""


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
    | DurationField
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
