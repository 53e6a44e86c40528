"""Fields whose answer is a length of time."""

import re
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

from formwright.core.errors import ValidationFault
from formwright.domain.forms.fields.answer_kinds import AnswerKind
from formwright.domain.forms.fields.base import Field, Json, find_range_errors
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.numbers import integer_schema
from formwright.domain.forms.fields.properties import DEFAULT

MAX_SECONDS = 99_999 * 3600 + 59 * 60 + 59
Seconds = Annotated[int, Meta(ge=0, le=MAX_SECONDS)]
_CLOCK = re.compile(r"(\d{1,5}):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
_UNITS = re.compile(r"(?:(\d{1,5}) ?h)?(?: ?(\d{1,7}) ?min)?(?: ?(\d{1,9}) ?s)?", re.ASCII)


class DurationField(Field, tag="duration", frozen=True, kw_only=True):
    """A length of time, such as 1 h 30 min. The answer is an integer: the seconds."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.INTEGER
    min: Annotated[Seconds, Meta(description="The shortest valid duration in seconds.")] | UnsetType = UNSET
    max: Annotated[Seconds, Meta(description="The longest valid duration in seconds.")] | UnsetType = UNSET
    default: Annotated[Seconds, DEFAULT] | UnsetType = UNSET

    def typed_schema(self) -> Json:
        low = 0 if self.min is UNSET else self.min
        return {"type": "integer", "minimum": low, "maximum": MAX_SECONDS if self.max is UNSET else self.max}

    def calculated_schema(self) -> Json:
        return integer_schema(self.min, self.max)

    def own_errors(self) -> Iterator[ValidationFault]:
        yield from find_range_errors(self.min, self.max, "min max")

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return format_duration(value)

    def parse_text(self, text: str) -> int | None:
        """Return the seconds of `1:30` (hours and minutes), `1:30:15` or `1 h 30 min`, or None."""
        match = _CLOCK.fullmatch(text) or _UNITS.fullmatch(text)
        if match is None or not any(match.groups()):
            return None
        hours, minutes, seconds = (int(number or 0) for number in match.groups())
        return hours * 3600 + minutes * 60 + seconds


def format_duration(seconds: int) -> str:
    """Return a duration such as `1 h 30 min`. The units are those of the SI, which all languages share."""
    minutes, rest = divmod(abs(seconds), 60)
    parts = {"h": minutes // 60, "min": minutes % 60, "s": rest}
    sign = "-" if seconds < 0 else ""
    return sign + (" ".join(f"{number} {unit}" for unit, number in parts.items() if number) or "0 min")
