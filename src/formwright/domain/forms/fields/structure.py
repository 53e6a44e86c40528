"""Notes, sections and repeats, the union of all fields, and how to walk through them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.core.errors import ValidationFault, pointer
from formwright.domain.forms.fields.answer_kinds import AnswerKind
from formwright.domain.forms.fields.base import CompoundField, Json, Size, find_range_errors, omit_unset
from formwright.domain.forms.fields.choices import BooleanField, ChoiceField, ChoicesField, RankingField
from formwright.domain.forms.fields.dates import DateField, DatetimeField, TimeField
from formwright.domain.forms.fields.display import DisplayContext, ReadTexts, format_count, row_reader
from formwright.domain.forms.fields.durations import DurationField
from formwright.domain.forms.fields.files import AudioField, FileField, PhotoField, SignatureField, VideoField
from formwright.domain.forms.fields.labels import TRANSLATED, Label
from formwright.domain.forms.fields.lookups import LookupField, LookupsField
from formwright.domain.forms.fields.numbers import DecimalField, IntegerField, NpsField, RatingField, SliderField
from formwright.domain.forms.fields.places import AreaField, LineField, LocationField
from formwright.domain.forms.fields.properties import FieldName, Rule
from formwright.domain.forms.fields.text import BarcodeField, EmailField, PhoneField, TextareaField, TextField, UrlField

MAX_ROWS = 200
"""The most rows of any repeat."""
MAX_TABLE_COLUMNS = 12


class _GroupField(CompoundField, frozen=True, kw_only=True):
    """A field without an answer of its own, or with rows of answers to the fields in it."""

    accepts_default_rule: ClassVar[bool] = False
    accepts_calculation: ClassVar[bool] = False
    can_be_hidden: ClassVar[bool] = False
    is_filterable: ClassVar[bool] = False
    is_remembered: ClassVar[bool] = False


class NoteField(_GroupField, tag="note", frozen=True, kw_only=True):
    """A text that is only displayed. It has no answer."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.NONE
    is_searched: ClassVar[bool] = False


class SectionField(_GroupField, tag="section", frozen=True, kw_only=True):
    """A group of fields under a title. It has no answer; the answers of its fields are on the level of the others."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.NONE
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

    def own_errors(self) -> Iterator[ValidationFault]:
        """Yield an error if the columns of a table would not be the options of all of its rows."""
        options = {tuple((option.value, str(option.label)) for option in field.options) for field in self.fields}
        if not self.table:
            return
        if not all(field.is_choice for field in self.fields) or len({*map(type, self.fields)}) > 1:
            detail = "In a table, all fields must be single choices, or all multiple choices."
        elif len(options) > 1 or not 2 <= len(self.fields[0].options) <= MAX_TABLE_COLUMNS:
            detail = f"In a table, all fields must have the same 2 to {MAX_TABLE_COLUMNS} options."
        elif any(field.option_filter is not UNSET or field.randomize for field in self.fields):
            detail = "In a table, options can be neither filtered nor in random order."
        else:
            return
        yield ValidationFault("/table", "field.table", detail)


class RepeatField(_GroupField, tag="repeat", frozen=True, kw_only=True):
    """A group of fields that can be filled in several times. The answer is the list of its rows."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.ROWS
    fields: Annotated[list["AnyField"], Meta(min_length=1, description="The fields of each row.")]
    min: Annotated[int, Meta(ge=0, le=MAX_ROWS, description="The minimum number of rows.")] = 0
    max: Annotated[int, Meta(ge=1, le=MAX_ROWS, description="The maximum number of rows.")] = 100
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

    def typed_schema(self) -> Json:
        low = max(self.min, 1 if self.required else 0)
        return {"type": "array", "items": object_schema(self.fields), "minItems": low, "maxItems": self.max}

    def max_answer_size(self) -> Size:
        return max_size(self.fields).times(self.max)

    @property
    def max_values(self) -> int:
        return MAX_ROWS

    def rules(self) -> Iterator[tuple[str, str]]:
        yield from super().rules()
        yield from omit_unset(countRule=self.count_rule).items()

    def texts(self) -> Iterator[tuple[str, Label]]:
        yield from super().texts()
        yield from omit_unset(rowLabel=self.row_label).items()

    def own_errors(self) -> Iterator[ValidationFault]:
        member = "min" if self.min else "required"
        if self.min > self.max:
            yield from find_range_errors(self.min, self.max, "min max")
        elif self.rows_from is not UNSET:
            yield from self._rows_from_errors(self.rows_from)
        elif self.count_rule is not UNSET and (self.min or self.required):
            detail = f"countRule computes the number of rows, so {member} has no effect. Remove one of them."
            yield ValidationFault(pointer(member), "field.rule", detail)

    def _rows_from_errors(self, name: str) -> Iterator[ValidationFault]:
        """Yield an error unless the page can fill in the rows before there are any."""
        inside = {field.name: field for field in flatten_sections(self.fields)}
        lookup = inside.get(name)
        if lookup is None or not lookup.can_fill_fields or lookup.hidden:
            detail = f"There is no lookup named {name} among the fields of the repeat, or it is hidden."
            yield ValidationFault("/rowsFrom", "field.unknown", detail)
        elif within := inside.keys() & set(lookup.filter.values()):
            detail = f"{lookup.name} is filtered by {min(within)}, which has no answer before there are rows."
            yield ValidationFault("/rowsFrom", "field.rows_from", detail)
        elif self.count_rule is not UNSET:
            detail = "The data source decides how many rows there are. Remove rowsFrom or countRule."
            yield ValidationFault("/rowsFrom", "field.rows_from", detail)

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return format_count(len(value), "row") if isinstance(value, list) else str(value)

    def text_reader(self) -> ReadTexts:
        return row_reader(text_readers(self.fields))


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


FIELD_CLASSES: Mapping[str, type[AnyField]] = {str(one.__struct_config__.tag): one for one in get_args(AnyField)}
"""The classes of fields by their types, in the order of the API."""


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


def walk_in_repeats(fields: Sequence[AnyField], repeat: str = "") -> Iterator[tuple[str, AnyField]]:
    """Yield all fields in reading order, each after the names of the repeats around it, such as `orders/items`."""
    for field in flatten_sections(fields):
        yield repeat, field
        if isinstance(field, RepeatField):
            yield from walk_in_repeats(field.fields, f"{repeat}/{field.name}".lstrip("/"))


def replace_in_fields(fields: Sequence[AnyField], change: Callable[[AnyField], Mapping[str, Any]]) -> list[AnyField]:
    """Return the fields with other values of the properties that `change` returns, also inside sections and repeats."""
    changed: list[AnyField] = []
    for field in fields:
        properties = change(field)
        if isinstance(field, SectionField | RepeatField):
            properties = {**properties, "fields": replace_in_fields(field.fields, change)}
        changed.append(msgspec.structs.replace(field, **properties) if properties else field)
    return changed


def answerable_fields(fields: Sequence[AnyField]) -> dict[str, AnyField]:
    """Return the fields that have answers by their names, including those inside sections, but not those of repeats."""
    return {field.name: field for field in flatten_sections(fields) if field.has_answer}


def object_schema(fields: Sequence[AnyField]) -> Json:
    """Return the schema of an object with the answers to these fields."""
    return {
        "type": "object",
        "properties": {name: field.answer_schema() for name, field in answerable_fields(fields).items()},
        "required": list(_always_required(fields)),
        "additionalProperties": False,
    }


def _always_required(fields: Sequence[AnyField]) -> Iterator[str]:
    for field in fields:
        if field.visible_if is not UNSET:
            continue
        if isinstance(field, SectionField):
            yield from _always_required(field.fields)
        elif field.required and field.calculate is UNSET and field.has_answer:
            yield field.name


def max_size(fields: Sequence[AnyField]) -> Size:
    """Return the maximum size of the answers to these fields, including the versions of the rows chosen in lookups."""
    total = Size(1, 2)
    for name, field in answerable_fields(fields).items():
        total += field.max_answer_size() + Size(0, len(name) + 4)
    return total


def scored_names(fields: Sequence[AnyField]) -> set[str]:
    """Return the names of the fields on this level on which the score depends, and of the groups that contain some."""
    return {field.name for field in flatten_sections(fields) if any(one.option_points for one in walk_fields([field]))}


def media_names(fields: Sequence[AnyField]) -> set[str]:
    """Return the names of the files of the media of all fields and of their options, in all languages."""
    return {name for field in walk_fields(fields) for name in field.media_names()}


def text_readers(fields: Sequence[AnyField]) -> Mapping[str, ReadTexts]:
    """Return the functions that return the texts by which the search finds an answer, by the name of the field."""
    return {field.name: field.text_reader() for field in flatten_sections(fields) if field.is_searched}
