"""The types of answers. Fields of different types, such as numbers and ratings, can have the same type of answer."""

from enum import Enum, auto

from formwright.domain.forms.definition import (
    AnyField,
    AreaField,
    AudioField,
    BooleanField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    FileField,
    IntegerField,
    LineField,
    LocationField,
    LookupsField,
    NoteField,
    NpsField,
    PhotoField,
    RankingField,
    RatingField,
    RepeatField,
    SectionField,
    SliderField,
    TimeField,
    VideoField,
)


class AnswerType(Enum):
    """What an answer is in JSON: `TEXTS`, `POINTS` and `ROWS` are lists, `LOCATION` is an object, dates and
    times are texts.
    """

    TEXT = auto()
    INTEGER = auto()
    DECIMAL = auto()
    BOOLEAN = auto()
    DATE = auto()
    TIME = auto()
    DATETIME = auto()
    LOCATION = auto()
    POINTS = auto()
    TEXTS = auto()
    ROWS = auto()


_TYPES: dict[type[AnyField], AnswerType | None] = {
    IntegerField: AnswerType.INTEGER,
    NpsField: AnswerType.INTEGER,
    RatingField: AnswerType.INTEGER,
    SliderField: AnswerType.INTEGER,
    DecimalField: AnswerType.DECIMAL,
    BooleanField: AnswerType.BOOLEAN,
    DateField: AnswerType.DATE,
    TimeField: AnswerType.TIME,
    DatetimeField: AnswerType.DATETIME,
    LocationField: AnswerType.LOCATION,
    LineField: AnswerType.POINTS,
    AreaField: AnswerType.POINTS,
    RankingField: AnswerType.TEXTS,
    ChoicesField: AnswerType.TEXTS,
    LookupsField: AnswerType.TEXTS,
    PhotoField: AnswerType.TEXTS,
    FileField: AnswerType.TEXTS,
    AudioField: AnswerType.TEXTS,
    VideoField: AnswerType.TEXTS,
    RepeatField: AnswerType.ROWS,
    NoteField: None,
    SectionField: None,
}


def answer_type(field: AnyField) -> AnswerType | None:
    """Return the type of a field's answers; None if it has none, as notes and sections."""
    return _TYPES.get(type(field), AnswerType.TEXT)


def is_number(field: AnyField) -> bool:
    """Return whether a field's answers are numbers."""
    return answer_type(field) in (AnswerType.INTEGER, AnswerType.DECIMAL)
