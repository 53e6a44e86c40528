"""Fields whose answer is a date, a time or both."""

from typing import Annotated, Any, ClassVar

from msgspec import UNSET, UnsetType

from formwright.core.clock import format_minute, parse_timestamp
from formwright.domain.forms.fields.answer_kinds import AnswerKind
from formwright.domain.forms.fields.base import Field, Json
from formwright.domain.forms.fields.display import DisplayContext, ReadTexts, format_day, read_day
from formwright.domain.forms.fields.labels import Text
from formwright.domain.forms.fields.properties import DEFAULT


class DateField(Field, tag="date", frozen=True, kw_only=True):
    """A date, such as `2026-03-29`."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.DATE
    default: Annotated[Text, DEFAULT] | UnsetType = UNSET

    def typed_schema(self) -> Json:
        return {"type": "string", "format": "date"}

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return format_day(value)

    def text_reader(self) -> ReadTexts:
        return read_day


class TimeField(Field, tag="time", frozen=True, kw_only=True):
    """A time of day, such as `14:30`."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.TIME
    default: Annotated[Text, DEFAULT] | UnsetType = UNSET

    def typed_schema(self) -> Json:
        return {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"}


class DatetimeField(Field, tag="datetime", frozen=True, kw_only=True):
    """A date and time with its offset, such as `2026-03-29T14:30:00+02:00`."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.DATETIME
    default: Annotated[Text, DEFAULT] | UnsetType = UNSET

    def typed_schema(self) -> Json:
        return {"type": "string", "format": "date-time"}

    def format_value(self, value: Any, context: DisplayContext) -> str:
        ms = parse_timestamp(value)
        return str(value) if ms is None else format_minute(int(ms), context.time_zone)
