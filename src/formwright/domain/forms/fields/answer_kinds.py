"""The kinds of answers. Fields of different types, such as integers and ratings, can have answers of the same kind."""

from enum import Enum, auto


class AnswerKind(Enum):
    """What an answer is in JSON.

    Choices, files, dates and times are texts; `CHOICES` and `FILES` lists of texts; `POSITION` an object with
    coordinates, and `POSITIONS` a list of them; `ROWS` a list of objects with answers. `NONE`: the field has no answer.
    """

    TEXT = auto()
    INTEGER = auto()
    DECIMAL = auto()
    BOOLEAN = auto()
    DATE = auto()
    TIME = auto()
    DATETIME = auto()
    CHOICE = auto()
    CHOICES = auto()
    FILE = auto()
    FILES = auto()
    POSITION = auto()
    POSITIONS = auto()
    ROWS = auto()
    NONE = auto()

    @property
    def is_file(self) -> bool:
        """Whether answers name files."""
        return self in (AnswerKind.FILE, AnswerKind.FILES)

    @property
    def is_list(self) -> bool:
        """Whether answers are lists."""
        return self in (AnswerKind.CHOICES, AnswerKind.FILES, AnswerKind.POSITIONS, AnswerKind.ROWS)

    @property
    def is_text(self) -> bool:
        """Whether answers are texts in JSON."""
        texts = (AnswerKind.TEXT, AnswerKind.DATE, AnswerKind.TIME, AnswerKind.DATETIME, AnswerKind.CHOICE)
        return self in (*texts, AnswerKind.FILE)

    @property
    def is_number(self) -> bool:
        """Whether answers are numbers."""
        return self in (AnswerKind.INTEGER, AnswerKind.DECIMAL)


class Shape(Enum):
    """What an answer is on a map."""

    POINT = "point"
    LINE = "line"
    AREA = "area"
