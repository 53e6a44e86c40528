"""The properties that all fields have, and the types of their values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.core.file_uses import FileUse
from formwright.domain.forms.fields.answer_kinds import AnswerKind, Shape
from formwright.domain.forms.fields.labels import TRANSLATED, Label
from formwright.domain.forms.fields.media import Media
from formwright.domain.forms.fields.options import Option

FieldName = Annotated[
    str,
    Meta(
        # In Python, `$` alone would also match before a final line feed.
        pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$(?!\n)",
        description="The key of the answer: a letter, then letters, digits and `_`, at most 64 characters.",
    ),
]
Unit = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=20,
        pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)",
        description="The unit or currency, such as “m²” or “€”, next to the number. The answer is the number only.",
    ),
]
DatasourceId = Annotated[
    str, Meta(pattern=r"^dat_[0-7][0-9a-hjkmnp-tv-z]{25}$", description="The id of a data source.")
]
BlockId = Annotated[
    str,
    Meta(
        pattern=r"^blk_[0-7][0-9a-hjkmnp-tv-z]{25}$",
        description="The id of a question block. It may have been deleted.",
    ),
]
Column = Annotated[str, Meta(min_length=1, max_length=200)]
Rule = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2000,
        description="A CEL expression that uses the other answers by name. `answered.<name>` is true if there is one.",
        examples=["people > 10 && answered.contact"],
    ),
]
KeptCells = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=100)], Annotated[str, Meta(min_length=1, max_length=2000)]],
    Meta(max_length=20),
]
"""Cells of a workbook by the names of their columns."""


DEFAULT = Meta(description="The initial answer.")


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


class BlockReference(
    msgspec.Struct, forbid_unknown_fields=True, rename="camel", omit_defaults=True, frozen=True, kw_only=True
):
    """The field of a question block that a field is a copy of. It has no effect on answers."""

    id: BlockId
    version: Annotated[int, Meta(ge=1, le=2**53, description="The version of the block.")]
    field: Annotated[FieldName, Meta(description="The name of the field in the block.")]
    copy: Annotated[
        int, Meta(ge=1, le=500, description="Tells several copies of the same block in a form from each other.")
    ] = 1


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

    @property
    def has_answer(self) -> bool:
        """Whether people or rules answer the field, unlike notes and sections."""
        return self.answer_kind is not AnswerKind.NONE

    @property
    def options(self) -> Sequence[Option]:
        """What people choose from."""
        return ()

    @property
    def datasource_id(self) -> str:
        """The data source whose rows people choose from; empty if they don't."""
        return ""

    @property
    def display(self) -> Sequence[Column]:
        """The columns of the data source that people see of a row, besides its key."""
        return ()

    @property
    def filter(self) -> Mapping[Column, FieldName]:
        """The names of fields by the columns that equal their answers in the rows that people choose from."""
        return {}

    @property
    def mapping(self) -> Mapping[Column, FieldName]:
        """The names of fields by the columns of the chosen row that fill them in."""
        return {}

    @property
    def max_text_length(self) -> int:
        """How many characters an answer may have."""
        return OTHER_MAX_LENGTH

    def answer_schema(self) -> Json:
        """Return the JSON Schema (2020-12) of the answer."""
        if self.calculate is not UNSET and (shape := self.calculated_schema()):
            return shape
        shape = self.typed_schema()
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


TRAITS = tuple(name for name, value in vars(Field).items() if isinstance(value, bool))
"""The names of what a field of a type can do."""


def omit_unset(**members: Any) -> Json:
    """Return the members that are set."""
    return {name: value for name, value in members.items() if value is not UNSET}


class FieldMetadata(StrEnum):
    """What the page fills in about the person and the device. `DEVICE_ID`: a random id that the browser keeps.
    `USER_NAME` and `EMAIL`: the person who was invited or assigned a task. The others are what XLSForm also knows:
    browsers do not reveal them, so they stay empty.
    """

    DEVICE_ID = "deviceId"
    USER_NAME = "userName"
    EMAIL = "email"
    PHONE_NUMBER = "phoneNumber"
    SIM_SERIAL = "simSerial"
    SUBSCRIBER_ID = "subscriberId"


class FileMetadata(StrEnum):
    """Which file the page attaches by itself. `AUDIT`: `audit.csv`, with the time that each question took."""

    AUDIT = "audit"


class LocationMetadata(StrEnum):
    """Which position the page fills in by itself. `START_LOCATION`: that of the device when the form is opened."""

    START_LOCATION = "startLocation"
