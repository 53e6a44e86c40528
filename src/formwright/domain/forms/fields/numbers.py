"""Fields whose answer is a number."""

import sys
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

from formwright.core.errors import ValidationFault
from formwright.domain.forms.fields.answer_kinds import AnswerKind
from formwright.domain.forms.fields.base import Field, Json, Scale, find_range_errors, omit_unset
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.labels import TRANSLATED, Label
from formwright.domain.forms.fields.properties import DEFAULT, Unit

_MAX_SAFE_INTEGER = 2**53  # Exact in every JSON parser (RFC 8259, section 6).
MAX_FLOAT = sys.float_info.max
"""The greatest number that JSON parsers and databases accept."""
SafeInteger = Annotated[int, Meta(ge=-_MAX_SAFE_INTEGER, le=_MAX_SAFE_INTEGER)]
_MIN = Meta(description="The smallest valid number.")
_MAX = Meta(description="The largest valid number.")


class IntegerField(Field, tag="integer", frozen=True, kw_only=True):
    """An integer between -2^53 and 2^53, which every JSON parser reads exactly."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.INTEGER
    min: Annotated[SafeInteger, _MIN] | UnsetType = UNSET
    max: Annotated[SafeInteger, _MAX] | UnsetType = UNSET
    default: Annotated[SafeInteger, DEFAULT] | UnsetType = UNSET
    unit: Unit | UnsetType = UNSET

    def typed_schema(self) -> Json:
        return integer_schema(self.min, self.max)

    def own_errors(self) -> Iterator[ValidationFault]:
        yield from find_range_errors(self.min, self.max, "min max")

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return _format_number(value, self.unit)


class DecimalField(Field, tag="decimal", frozen=True, kw_only=True):
    """A decimal number."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.DECIMAL
    min: Annotated[float, _MIN] | UnsetType = UNSET
    max: Annotated[float, _MAX] | UnsetType = UNSET
    default: Annotated[float, DEFAULT] | UnsetType = UNSET
    unit: Unit | UnsetType = UNSET

    def typed_schema(self) -> Json:
        low = -MAX_FLOAT if self.min is UNSET else self.min
        high = MAX_FLOAT if self.max is UNSET else self.max
        return {"type": "number", "minimum": low, "maximum": high}

    def own_errors(self) -> Iterator[ValidationFault]:
        yield from find_range_errors(self.min, self.max, "min max")

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return _format_number(value, self.unit)


class NpsField(Field, tag="nps", frozen=True, kw_only=True):
    """How likely people are to recommend something, from 0 to 10 (net promoter score)."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.INTEGER
    low_label: (
        Annotated[Label, Meta(description=f"A text next to 0, such as “Not at all likely”. {TRANSLATED}")] | UnsetType
    ) = UNSET
    high_label: (
        Annotated[Label, Meta(description=f"A text next to 10, such as “Very likely”. {TRANSLATED}")] | UnsetType
    ) = UNSET
    default: Annotated[int, DEFAULT] | UnsetType = UNSET

    @property
    def scale(self) -> Scale:
        return Scale(0, 10)

    def typed_schema(self) -> Json:
        return {"type": "integer", "minimum": 0, "maximum": 10}

    def calculated_schema(self) -> Json:
        return integer_schema()

    def texts(self) -> Iterator[tuple[str, Label]]:
        yield from super().texts()
        yield from omit_unset(lowLabel=self.low_label, highLabel=self.high_label).items()


class RatingField(Field, tag="rating", frozen=True, kw_only=True):
    """A rating from 1 to `max` stars."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.INTEGER
    max: Annotated[int, Meta(ge=2, le=10, description="The number of stars.")] = 5
    default: Annotated[int, DEFAULT] | UnsetType = UNSET

    @property
    def scale(self) -> Scale:
        return Scale(1, self.max)

    def typed_schema(self) -> Json:
        return {"type": "integer", "minimum": 1, "maximum": self.max}

    def calculated_schema(self) -> Json:
        return integer_schema()


class SliderField(Field, tag="slider", frozen=True, kw_only=True):
    """An integer that is chosen with a slider."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.INTEGER
    min: Annotated[SafeInteger, _MIN] = 0
    max: Annotated[SafeInteger, _MAX] = 100
    step: Annotated[int, Meta(ge=1, le=2**53, description="The difference between neighbouring values.")] = 1
    default: Annotated[SafeInteger, DEFAULT] | UnsetType = UNSET

    @property
    def scale(self) -> Scale:
        return Scale(self.min, self.max, self.step)

    def typed_schema(self) -> Json:
        return integer_schema(self.min, self.max)

    def own_errors(self) -> Iterator[ValidationFault]:
        yield from find_range_errors(self.min, self.max, "min max")

    def calculated_schema(self) -> Json:
        return integer_schema()


def integer_schema(low: int | UnsetType = UNSET, high: int | UnsetType = UNSET) -> Json:
    """Return the schema of integers between these, or between the greatest that are exact."""
    low = -_MAX_SAFE_INTEGER if low is UNSET else max(low, -_MAX_SAFE_INTEGER)
    high = _MAX_SAFE_INTEGER if high is UNSET else min(high, _MAX_SAFE_INTEGER)
    return {"type": "integer", "minimum": low, "maximum": high}


def _format_number(value: Any, unit: str | UnsetType) -> str:
    return str(value) if unit is UNSET or not isinstance(value, int | float) else f"{value} {unit}"
