"""Fields whose answer is chosen from options, and yes or no."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from formwright.domain.forms.fields.answer_kinds import AnswerKind
from formwright.domain.forms.fields.base import DEFAULT, MAX_KEY_LENGTH, Field, Json, Rule, Size, omit_unset
from formwright.domain.forms.fields.options import Options

_MAX_CALCULATED_CHOICES = 100
_CALCULATED_CHOICE: Json = {"type": "string", "maxLength": MAX_KEY_LENGTH}


class BooleanField(Field, tag="boolean", frozen=True, kw_only=True):
    """Yes or no."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.BOOLEAN
    is_searched: ClassVar[bool] = False
    agreement: Annotated[
        bool, Meta(description="Whether people agree by ticking a box. The only answer is true, as for a consent.")
    ] = False
    default: Annotated[bool, DEFAULT] | UnsetType = UNSET

    def typed_schema(self) -> Json:
        return {"type": "boolean", "enum": [True]} if self.agreement else {"type": "boolean"}

    def calculated_schema(self) -> Json:
        return {"type": "boolean"}


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
    default: Annotated[str, DEFAULT] | UnsetType = UNSET

    def typed_schema(self) -> Json:
        return {"type": "string", "enum": [option.value for option in self.options]}

    def calculated_schema(self) -> Json:
        return _CALCULATED_CHOICE

    def max_answer_size(self) -> Size:
        if self.calculate is not UNSET:
            return Size.of_text(MAX_KEY_LENGTH)
        return Size(1, max(_value_bytes(self.options)))


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
    default: Annotated[list[str], DEFAULT] | UnsetType = UNSET

    @property
    def max_calculated_choices(self) -> int:
        """The most texts in a calculated answer, which need not be options."""
        return _max_calculated_choices(self.options)

    def typed_schema(self) -> Json:
        values = {"type": "string", "enum": [option.value for option in self.options]}
        shape = omit_unset(type="array", items=values, uniqueItems=True, maxItems=self.max_choices)
        least = max(self.min_choices or 0, 1 if self.required else 0)
        exclusive = [option.value for option in self.options if option.exclusive]
        if not exclusive:
            return shape | ({"minItems": least} if least else {})
        # `json_schema_errors` recognises this condition by its place in the schema.
        alone = {"if": {"contains": {"enum": exclusive}}, "then": {"maxItems": 1}}
        return shape | {"allOf": [alone | ({"else": {"minItems": least}} if least else {})]}

    def calculated_schema(self) -> Json:
        several = {"items": _CALCULATED_CHOICE, "uniqueItems": False}
        return {"maxItems": self.max_calculated_choices} | self.typed_schema() | several

    def max_answer_size(self) -> Size:
        return _list_size(self.options, is_calculated=self.calculate is not UNSET)


class RankingField(Field, tag="ranking", frozen=True, kw_only=True):
    """Options that are put in order. The answer is the list of the values of all options, the first one first."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.CHOICES
    can_filter_rows: ClassVar[bool] = False
    options: Options
    randomize: Annotated[bool, _RANDOMIZE] = False

    @property
    def max_calculated_choices(self) -> int:
        """The most texts in a calculated answer, which need not be options."""
        return _max_calculated_choices(self.options)

    def typed_schema(self) -> Json:
        values = [option.value for option in self.options]
        shape = {"type": "array", "items": {"type": "string", "enum": values}, "uniqueItems": True}
        return shape | {"minItems": len(values), "maxItems": len(values)}

    def calculated_schema(self) -> Json:
        several = {"items": _CALCULATED_CHOICE, "uniqueItems": False}
        return {"maxItems": self.max_calculated_choices, "type": "array"} | several

    def max_answer_size(self) -> Size:
        return _list_size(self.options, is_calculated=self.calculate is not UNSET)


OptionField = ChoiceField | ChoicesField | RankingField
"""The fields with options."""


def _max_calculated_choices(options: Options) -> int:
    return max(len(options), _MAX_CALCULATED_CHOICES)


def _list_size(options: Options, *, is_calculated: bool) -> Size:
    if is_calculated:
        return Size.of_text(MAX_KEY_LENGTH).times(_max_calculated_choices(options) + 1)
    return Size(len(options) + 1, sum(_value_bytes(options)))


def _value_bytes(options: Options) -> list[int]:
    return [Size.of_text(len(option.value)).bytes for option in options]
