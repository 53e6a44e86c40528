"""Fields whose answer is chosen from options, and yes or no."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

from formwright.core.errors import ValidationFault, pointer
from formwright.domain.forms.fields.answer_kinds import AnswerKind
from formwright.domain.forms.fields.base import MAX_KEY_LENGTH, Field, Json, Size, find_range_errors, omit_unset
from formwright.domain.forms.fields.display import DisplayContext, ReadTexts, option_reader
from formwright.domain.forms.fields.labels import label_text, label_texts
from formwright.domain.forms.fields.options import SCALE, Options, to_hundredths
from formwright.domain.forms.fields.properties import DEFAULT, Rule

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

    def value_labels(self, language: str) -> Mapping[str, str]:
        return {"true": "Yes", "false": "No"}

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return ("Yes" if value else "No") if isinstance(value, bool) else str(value)


_OPTION_FILTER = Meta(
    description="A CEL rule: an option is only offered while it is true. `option.value` is the value of the option, and"
    " `option.<column>` one of its `columns`.",
    examples=["option.country == country"],
)
_RANDOMIZE = Meta(
    description="Whether the page shows the options in random order, which stays the same while a form is filled in. "
    "Options that are `exclusive`, and one with the value `other`, keep their place."
)


class _OptionsField(Field, frozen=True, kw_only=True):
    """A field with options."""

    def own_errors(self) -> Iterator[ValidationFault]:
        seen: set[str] = set()
        for place, option in enumerate(self.options):
            if option.value in seen:
                detail = f"The value {option.value!r} occurs twice among the options."
                yield ValidationFault(pointer("options", place, "value"), "field.option.taken", detail)
            seen.add(option.value)
            if to_hundredths(option.points) / SCALE != option.points:
                detail = "Points can have at most two decimals."
                yield ValidationFault(pointer("options", place, "points"), "field.option.points", detail)

    @property
    def max_calculated_choices(self) -> int:
        """The most texts in a calculated answer, which need not be options."""
        return max(len(self.options), _MAX_CALCULATED_CHOICES)

    @property
    def max_items(self) -> int:
        return len(self.options) if self.calculate is UNSET else self.max_calculated_choices

    @property
    def max_values(self) -> int:
        return self.max_items + 1 if self.answer_kind is AnswerKind.CHOICES else 1

    def _value_bytes(self) -> list[int]:
        return [Size.of_text(len(option.value)).bytes for option in self.options]

    def _list_size(self) -> Size:
        """Return the largest size of a list of options."""
        if self.calculate is not UNSET:
            return Size.of_text(MAX_KEY_LENGTH).times(self.max_values)
        return Size(self.max_values, sum(self._value_bytes()))

    def value_labels(self, language: str) -> Mapping[str, str]:
        return {option.value: label_text(option.label, (language,)) for option in self.options}

    def format_value(self, value: Any, context: DisplayContext) -> str:
        labels = self.value_labels(context.language)
        return ", ".join(labels.get(one, str(one)) for one in (value if isinstance(value, list) else [value]))

    def text_reader(self) -> ReadTexts:
        return option_reader({option.value: "\n".join(label_texts(option.label)) for option in self.options})


class _ChosenOptionsField(_OptionsField, frozen=True, kw_only=True):
    """A field whose answer is some of the options."""

    is_choice: ClassVar[bool] = True

    @property
    def option_points(self) -> Mapping[str, int]:
        return {option.value: to_hundredths(option.points) for option in self.options if option.points}


class ChoiceField(_ChosenOptionsField, tag="choice", frozen=True, kw_only=True):
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
        return Size(1, max(self._value_bytes()))

    @property
    def max_score(self) -> int:
        return max([0, *self.option_points.values()])


class ChoicesField(_ChosenOptionsField, tag="choices", frozen=True, kw_only=True):
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
    def max_score(self) -> int:
        points = self.option_points
        alone = [points.get(option.value, 0) for option in self.options if option.exclusive]
        together = sorted(points.get(option.value, 0) for option in self.options if not option.exclusive)
        limit = len(together) if self.max_choices is UNSET else self.max_choices
        return max([0, sum(one for one in together[::-1][:limit] if one > 0), *alone])

    def own_errors(self) -> Iterator[ValidationFault]:
        yield from super().own_errors()
        if too_few := list(find_range_errors(self.min_choices, self.max_choices, "minChoices maxChoices")):
            yield from too_few
        elif self.min_choices is not UNSET and self.min_choices > sum(not one.exclusive for one in self.options):
            detail = "minChoices is greater than the number of options that can be chosen together."
            yield ValidationFault("/minChoices", "field.range", detail)

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
        return self._list_size()


class RankingField(_OptionsField, tag="ranking", frozen=True, kw_only=True):
    """Options that are put in order. The answer is the list of the values of all options, the first one first."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.CHOICES
    can_filter_rows: ClassVar[bool] = False
    options: Options
    randomize: Annotated[bool, _RANDOMIZE] = False

    def typed_schema(self) -> Json:
        values = [option.value for option in self.options]
        shape = {"type": "array", "items": {"type": "string", "enum": values}, "uniqueItems": True}
        return shape | {"minItems": len(values), "maxItems": len(values)}

    def calculated_schema(self) -> Json:
        several = {"items": _CALCULATED_CHOICE, "uniqueItems": False}
        return {"maxItems": self.max_calculated_choices, "type": "array"} | several

    def max_answer_size(self) -> Size:
        return self._list_size()
