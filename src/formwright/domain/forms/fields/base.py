"""What all fields have: their common properties, and what a field of a type can do unless its class says otherwise."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.core.errors import ValidationFault, pointer
from formwright.core.file_uses import FileUse
from formwright.domain.forms.fields.answer_kinds import AnswerKind, Shape
from formwright.domain.forms.fields.display import DisplayContext, ReadTexts, read_plain_texts
from formwright.domain.forms.fields.labels import TRANSLATED, Label
from formwright.domain.forms.fields.media import Media, file_names
from formwright.domain.forms.fields.options import Option
from formwright.domain.forms.fields.patterns import pattern_error
from formwright.domain.forms.fields.properties import BlockReference, FieldName, KeptCells, Metadata, Rule

MAX_KEY_LENGTH = 500
"""The most characters of the key of a row, of a barcode, and of a calculated choice."""
_MAX_CHARACTER_BYTES = 6
"""JSON escapes a control character with six bytes; UTF-8 has at most four per character."""
OTHER_MAX_LENGTH = 600
"""The most characters of answers without a limit of their own, such as numbers, dates, ids and barcodes."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a JSON document: the number of values, including arrays and objects, and bytes."""

    values: int
    bytes: int

    def __add__(self, other: "Size") -> "Size":
        return Size(self.values + other.values, self.bytes + other.bytes)

    def times(self, count: int) -> "Size":
        """Return the size of several such values."""
        return Size(self.values * count, self.bytes * count)

    @classmethod
    def of_text(cls, characters: int) -> "Size":
        """Return the largest size of a text with so many characters."""
        return cls(1, characters * _MAX_CHARACTER_BYTES + 3)


class Scale(NamedTuple):
    """The smallest and the largest number of a scale, and the difference between neighbouring numbers."""

    first: int
    last: int
    step: int = 1


class Field(
    msgspec.Struct,
    forbid_unknown_fields=True,
    rename="camel",
    tag_field="type",
    omit_defaults=True,
    frozen=True,
    kw_only=True,
):
    """The common properties of all field types, and what a field of a type can do unless its class says otherwise."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.TEXT
    accepts_default_rule: ClassVar[bool] = True
    accepts_calculation: ClassVar[bool] = True
    can_be_title: ClassVar[bool] = True
    """Whether the answer can be the title of a submission."""
    can_be_hidden: ClassVar[bool] = True
    is_filterable: ClassVar[bool] = True
    """Whether submissions can be filtered by the answer or, for a location, its parts. Such a field can be indexed."""
    is_searched: ClassVar[bool] = True
    """Whether the text search finds submissions by the answer."""
    can_filter_rows: ClassVar[bool] = True
    """Whether a cell of a data source can equal the answer, so that lookups can offer only such rows."""
    fits_in_cell: ClassVar[bool] = True
    """Whether a cell of a data source can be the answer, so that lookups can fill in the field."""
    fits_in_text: ClassVar[bool] = True
    """Whether labels and messages can show the answer."""
    is_remembered: ClassVar[bool] = True
    """Whether the page keeps the answer for `lastSaved` in rules."""
    is_listed: ClassVar[bool] = True
    """Whether lists of submissions show the answer unless people choose other columns."""
    can_be_address: ClassVar[bool] = False
    """Whether the answer can be the address to which a receipt is sent."""
    file_use: ClassVar[FileUse | None] = None
    """What the files of the answer are for."""
    is_choice: ClassVar[bool] = False
    """Whether people choose some of the options, so that rules can filter them and count their points."""
    can_fill_fields: ClassVar[bool] = False
    """Whether the answer is a row of a data source whose columns can fill in other fields."""
    shape: ClassVar[Shape | None] = None
    """What the answer is on a map."""

    name: FieldName
    label: Annotated[Label, Meta(description=f"The label of the field. {TRANSLATED}")]
    hint: Annotated[Label, Meta(description=f"A text below the label. {TRANSLATED}")] | UnsetType = UNSET
    guidance: (
        Annotated[Label, Meta(description=f"A longer text, which people can show and hide. {TRANSLATED}")] | UnsetType
    ) = UNSET
    media: Annotated[Media, Meta(description="Media below the label and the hint.")] | UnsetType = UNSET
    visible_if: Annotated[Rule, Meta(description="A CEL rule: the field only exists while it is true.")] | UnsetType = (
        UNSET
    )
    required: Annotated[bool, Meta(description="Whether an answer is required while the field is shown.")] = False
    required_if: (
        Annotated[Rule, Meta(description="A CEL rule: an answer is required while it is true and the field is shown.")]
        | UnsetType
    ) = UNSET
    required_message: (
        Annotated[Label, Meta(description=f"The error message if a required answer is missing. {TRANSLATED}")]
        | UnsetType
    ) = UNSET
    read_only: Annotated[bool, Meta(description="Whether the page shows the field without letting people edit it.")] = (
        False
    )
    read_only_if: (
        Annotated[Rule, Meta(description="A CEL rule: while it is true, people cannot edit the field on the page.")]
        | UnsetType
    ) = UNSET
    hidden: Annotated[
        bool, Meta(description="Whether the page does not show the field, which is calculated or prefilled.")
    ] = False
    indexed: Annotated[bool, Meta(description="Whether to index the answers, for fields that are often filtered.")] = (
        False
    )
    valid_if: Annotated[Rule, Meta(description="A CEL rule: an answer is rejected unless it is true.")] | UnsetType = (
        UNSET
    )
    message: Annotated[Label, Meta(description=f"The error message of `validIf`. {TRANSLATED}")] | UnsetType = UNSET
    calculate: (
        Annotated[Rule, Meta(description="A CEL rule that computes the answer, instead of asking for it.")] | UnsetType
    ) = UNSET
    default_rule: (
        Annotated[
            Rule,
            Meta(
                description="A CEL rule that computes the initial answer: once, as soon as the field is shown and the"
                " rule has a value. The page never replaces an answer that somebody has entered."
            ),
        ]
        | UnsetType
    ) = UNSET
    recalculate_on: Annotated[
        list[FieldName],
        Meta(
            max_length=20,
            description="Names of fields. Whenever one of their answers changes, the page sets the answer to the value"
            " of `defaultRule`, instead of computing it once, or removes it if there is no such rule.",
        ),
    ] = []
    xlsform_columns: Annotated[
        KeptCells,
        Meta(
            description="Columns of an XLSForm row that have no effect here, such as an `appearance`. Exports write"
            " them again."
        ),
    ] = {}
    block: (
        Annotated[BlockReference, Meta(description="The question block that the field was inserted from.")] | UnsetType
    ) = UNSET

    @classmethod
    def can_have(cls, name: str, value: Any) -> bool:
        """Whether the property with this name in the API can have this value."""
        types = {one.encode_name: one.type for one in msgspec.structs.fields(cls)}
        try:
            msgspec.convert(value, types[name])
        except msgspec.ValidationError:
            return False
        return True

    @property
    def default(self) -> Any:
        """The initial answer, or UNSET."""
        return UNSET

    @property
    def options(self) -> Sequence[Option]:
        """The options to choose from."""
        return ()

    @property
    def option_filter(self) -> str | UnsetType:
        """The rule that decides which options are offered."""
        return UNSET

    @property
    def randomize(self) -> bool:
        """Whether the page shows the options in random order."""
        return False

    @property
    def option_points(self) -> Mapping[str, int]:
        """What the options count that have points, in hundredths, by their values."""
        return {}

    @property
    def max_score(self) -> int:
        """The most points that an answer can bring, in hundredths: at least 0, which is what no answer counts."""
        return 0

    @property
    def pattern(self) -> str | UnsetType:
        """The regular expression of the form that answers must match."""
        return UNSET

    @property
    def metadata(self) -> Metadata | UnsetType:
        """What the page fills in, or UNSET if it asks for the answer."""
        return UNSET

    @property
    def scale(self) -> Scale | None:
        """The numbers to choose from, or None if there is no scale."""
        return None

    @property
    def unit(self) -> str | UnsetType:
        """The unit or currency next to the number."""
        return UNSET

    @property
    def datasource_id(self) -> str:
        """The data source whose rows people choose, or empty."""
        return ""

    @property
    def display(self) -> Sequence[str]:
        """The columns of rows to display."""
        return ()

    @property
    def filter(self) -> Mapping[str, str]:
        """The fields that the columns of offered rows equal, by column."""
        return {}

    @property
    def mapping(self) -> Mapping[str, str]:
        """The fields that the columns of the chosen row fill in, by column."""
        return {}

    @property
    def type(self) -> str:
        """The name of the type in the API."""
        return str(self.__struct_config__.tag)

    @property
    def has_answer(self) -> bool:
        """Whether people or rules answer the field, unlike notes and sections."""
        return self.answer_kind is not AnswerKind.NONE

    @property
    def max_text_length(self) -> int:
        """How many characters an answer may have."""
        return OTHER_MAX_LENGTH

    @property
    def max_values(self) -> int:
        """How many values an answer may have, including lists and objects."""
        return self.max_answer_size().values

    @property
    def max_items(self) -> int:
        """How many items an answer may have that is a list."""
        return int(self.answer_schema()["maxItems"])

    def rules(self) -> Iterator[tuple[str, str]]:
        """Yield the rules with the names of their properties in the API."""
        yield from omit_unset(
            visibleIf=self.visible_if,
            requiredIf=self.required_if,
            readOnlyIf=self.read_only_if,
            validIf=self.valid_if,
            calculate=self.calculate,
            defaultRule=self.default_rule,
            optionFilter=self.option_filter,
        ).items()

    def texts(self) -> Iterator[tuple[str, Label]]:
        """Yield the texts that can contain answers, with the names of their properties in the API."""
        yield from omit_unset(
            label=self.label,
            hint=self.hint,
            guidance=self.guidance,
            requiredMessage=self.required_message,
            message=self.message,
        ).items()
        if self.media is not UNSET and self.media.alt is not UNSET:
            yield "media/alt", self.media.alt
        for place, option in enumerate(self.options):
            yield f"options/{place}/label", option.label

    def media_names(self) -> Iterator[str]:
        """Yield the names of the files of the media of the field and of its options, in all languages."""
        yield from file_names(self.media)
        for option in self.options:
            yield from file_names(option.media)

    def row_keys(self, answer: Any) -> Iterator[tuple[tuple[int, ...], str]]:
        """Yield the keys of rows in an answer, each with its place in it."""
        yield from ()

    def find_errors(self) -> Iterator[ValidationFault]:
        """Yield the errors of the properties that do not depend on other fields and on rules.

        Their pointers begin at the field.
        """
        yield from self.own_errors()
        if self.hidden and not self.can_be_hidden:
            detail = "Only a field with a single answer can be hidden. Hide a group with visibleIf."
            yield ValidationFault("/hidden", "field.hidden", detail)
        if self.pattern is not UNSET and (reason := pattern_error(self.pattern)):
            yield ValidationFault("/pattern", "field.pattern", reason)

    def own_errors(self) -> Iterator[ValidationFault]:
        """Yield the errors of the properties that fields of other types do not have."""
        yield from ()

    def answer_schema(self) -> Json:
        """Return the JSON Schema (2020-12) of the answer."""
        if self.calculate is not UNSET and (shape := self.calculated_schema()):
            return shape
        shape = self.typed_schema()
        # An empty text is no answer, but JSON Schema only requires that the property exists.
        if self.required and shape.get("type") == "string":
            shape = shape | {"minLength": shape.get("minLength", 1)}
        return shape

    def typed_schema(self) -> Json:
        """Return the schema of an answer that people give. Nothing fits that of a field without answers."""
        return {"not": {}}

    def calculated_schema(self) -> Json | None:
        """Return the schema of a calculated answer, without what people choose from: nobody could correct the answer.

        Bounds that a form states, such as `max` of a number and `maxLength` of a text, apply. None if all apply.
        """
        return None

    def max_answer_size(self) -> Size:
        """Return the largest size of an answer."""
        return Size.of_text(self.max_text_length)

    def format_answer(self, value: Any, context: DisplayContext) -> str:
        """Return an answer in one line. Values that don't fit the field, as in drafts, are returned unformatted."""
        try:
            return "" if value is None else self.format_value(value, context)
        except (TypeError, ValueError, KeyError, AttributeError, ArithmeticError):
            return str(value)

    def format_value(self, value: Any, context: DisplayContext) -> str:
        """Return an answer in one line. For other values, raise an error or return them unformatted."""
        return str(value)

    def parse_text(self, text: str) -> Any | None:
        """Return the answer that a text is in the notation of people, such as `1:30`; None if it is none.

        Imports read other texts by the kind of answers.
        """
        return None

    def value_labels(self, language: str) -> Mapping[str, str]:
        """Return the labels of the values of filters, by value; empty if they have none."""
        return {}

    def text_reader(self) -> ReadTexts:
        """Return the function that returns the texts by which the search finds an answer."""
        return read_plain_texts


class CompoundField(Field, frozen=True, kw_only=True):
    """A field whose answer is no single text, number or choice, so that it fits in no title, cell or text."""

    can_be_title: ClassVar[bool] = False
    can_filter_rows: ClassVar[bool] = False
    fits_in_cell: ClassVar[bool] = False
    fits_in_text: ClassVar[bool] = False
    is_listed: ClassVar[bool] = False


TRAITS = tuple(name for name, value in vars(Field).items() if isinstance(value, bool))
"""The names of what a field of a type can do."""


def omit_unset(**members: Any) -> Json:
    """Return the members that are set."""
    return {name: value for name, value in members.items() if value is not UNSET}


def find_range_errors(low: float | UnsetType, high: float | UnsetType, names: str) -> Iterator[ValidationFault]:
    """Yield an error if no answer could be between these values of two properties, `names`."""
    if low is not UNSET and high is not UNSET and low > high:
        smallest, largest = names.split()
        detail = f"{smallest} is greater than {largest}, so no answer could be valid."
        yield ValidationFault(pointer(smallest), "field.range", detail)
