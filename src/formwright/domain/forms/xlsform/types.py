"""How XLSForm writes and reads each field type: one row per type."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.fields import (
    AnswerKind,
    AnyField,
    BooleanField,
    ChoiceField,
    Drawing,
    NpsField,
    PhotoField,
    SectionField,
)
from formwright.domain.forms.fields.labels import Label

BOOLEANS = "formwright_boolean"
"""The list of choices that boolean fields are exported with, and recognised by on import."""
METADATA = {
    "deviceid": "deviceId", "username": "userName", "email": "email", "phonenumber": "phoneNumber",
    "simserial": "simSerial", "subscriberid": "subscriberId", "audit": "audit", "start-geopoint": "startLocation",
}  # fmt: skip
"""Metadata of fields by question type."""
_METADATA_TYPES = {metadata: question for question, metadata in METADATA.items()}
Cells = Mapping[str, str]
"""Texts by column."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an answer: the XPath that is compared, and the properties with the least and the most."""

    measured: str
    least: str
    most: str

    def conditions(self, field: AnyField) -> Iterator[str]:
        """Yield the conditions for the limits that the field has, the least first."""
        for operator, name in ((">=", self.least), ("<=", self.most)):
            limit = getattr(field, name) if name else UNSET
            if limit is not UNSET:
                yield f"{self.measured} {operator} {_format_number(limit)}"


def _format_number(number: float) -> str:
    """Write a number without an exponent, which XPath does not support."""
    return str(number) if isinstance(number, int) else f"{Decimal(repr(number)):f}"


COUNT = "count-selected(.)"
_VALUE = Limits(".", "min", "max")
_LENGTH = "string-length(.)"


@dataclass(frozen=True, slots=True)
class XlsformType:
    """How a field type is written and read."""

    question: str
    """The question type of exports."""
    kind: str = ""
    """The kind of the answers in expressions; empty if there are none."""
    reads: tuple[str, ...] = ()
    """The question types of imports that become fields of this type, unless other columns say more."""
    appearance: str = ""
    is_named_by_appearance: bool = False
    """Whether imports of the question type with the appearance become fields of this type."""
    limits: Limits | None = None
    loss: str = ""
    """What exports report about each field of this type."""
    cells: Callable[[Any], Cells] = lambda _: {}
    """Returns the cells of a field that depend on its other properties. They replace those above."""
    ends: Callable[[Any], Mapping[str, Label]] = lambda _: {}
    """Returns the labels at the ends of a scale by their values."""


def _boolean_cells(field: BooleanField) -> Cells:
    return {"type": "acknowledge"} if field.agreement else {}


def _choice_cells(field: ChoiceField) -> Cells:
    return {"appearance": "likert"} if field.likert else {}


def _photo_cells(field: PhotoField) -> Cells:
    if field.drawing is UNSET:
        return {}
    return {"appearance": "annotate" if field.drawing is Drawing.PHOTO else "draw"}


def _section_cells(field: SectionField) -> Cells:
    words = ["field-list"] * field.page + ["table-list"] * field.table
    return {"appearance": " ".join(words)} if words else {}


def _nps_ends(field: NpsField) -> Mapping[str, Label]:
    return {value: label for value, label in (("0", field.low_label), ("10", field.high_label)) if label}


_TEXT_QUESTIONS = (
    "text", "calculate", "hidden", "select_from_answers",
    "deviceid", "username", "email", "phonenumber", "simserial", "subscriberid",
)  # fmt: skip
_CHOSEN = Limits(COUNT, "min_choices", "max_choices")

TYPES: Mapping[str, XlsformType] = {
    "text": XlsformType("text", "text", _TEXT_QUESTIONS, limits=Limits(_LENGTH, "min_length", "max_length")),
    "textarea": XlsformType("text", "text", appearance="multiline", limits=Limits(_LENGTH, "", "max_length")),
    "email": XlsformType("text", "text", loss="Email addresses are exported as text without validation."),
    "phone": XlsformType("text", "text", loss="Telephone numbers are exported as text without validation."),
    "url": XlsformType("text", "text", loss="URLs are exported as text without validation."),
    "integer": XlsformType("integer", "int", ("integer",), limits=_VALUE),
    "decimal": XlsformType("decimal", "double", ("decimal",), limits=_VALUE),
    "boolean": XlsformType(f"select_one {BOOLEANS}", "bool", ("acknowledge",), cells=_boolean_cells),
    "date": XlsformType("date", "date", ("date", "today")),
    "time": XlsformType("time", "time", ("time",)),
    "datetime": XlsformType("dateTime", "datetime", ("dateTime", "start", "end")),
    "duration": XlsformType("integer", "int", appearance="duration", is_named_by_appearance=True, limits=_VALUE),
    "choice": XlsformType("select_one", "choice", ("select_one",), cells=_choice_cells),
    "choices": XlsformType("select_multiple", "choices", ("select_multiple",), limits=_CHOSEN),
    "ranking": XlsformType("rank", "choices", ("rank",)),
    "lookup": XlsformType(
        "text", "text", ("select_one_from_file",),
        loss="Lookups are exported as text. The key must be typed, and fills in no other fields.",
    ),
    "lookups": XlsformType(
        "text", "choices", ("select_multiple_from_file",), limits=_CHOSEN,
        loss="Lookups are exported as text. The keys must be typed, with spaces between them.",
    ),
    "nps": XlsformType("range", "int", appearance="nps", ends=_nps_ends),
    "rating": XlsformType("range", "int", appearance="rating"),
    "slider": XlsformType("range", "int", ("range",), limits=_VALUE),
    "photo": XlsformType("image", "files", ("image",), cells=_photo_cells),
    "audio": XlsformType("audio", "files", ("audio",)),
    "video": XlsformType("video", "files", ("video",)),
    "signature": XlsformType("image", "text", appearance="signature", is_named_by_appearance=True),
    "file": XlsformType("file", "files", ("file", "osm", "audit")),
    "location": XlsformType("geopoint", "place", ("geopoint", "start-geopoint")),
    "line": XlsformType("geotrace", "line", ("geotrace",)),
    "area": XlsformType("geoshape", "area", ("geoshape",)),
    "barcode": XlsformType("barcode", "text", ("barcode",)),
    "note": XlsformType("note", reads=("note",)),
    "section": XlsformType("begin group", reads=("group",), cells=_section_cells),
    "repeat": XlsformType("begin repeat", "rows", ("repeat",)),
}  # fmt: skip
VALUE_KINDS = {name: one.kind for name, one in TYPES.items() if one.kind}
"""The kinds of answers in expressions, by field type."""
FIELD_TYPES = {question: name for name, one in TYPES.items() for question in one.reads}
"""The field type for each question type."""
TYPES_BY_APPEARANCE = {
    (one.question, one.appearance): name for name, one in TYPES.items() if one.is_named_by_appearance
}
"""The field type for a question type with an appearance, where it is another one."""


def type_of(field: AnyField) -> XlsformType:
    """Return how a field is written."""
    return TYPES[field.type]


def question_type(field: AnyField) -> str:
    """Return the question type of a field that is shown, without the name of a list."""
    if field.scale and not is_range(field):
        return "integer"
    written = type_of(field)
    return written.cells(field).get("type", written.question)


def is_range(field: AnyField) -> bool:
    """Whether people choose a number on a scale whose step is not larger than its range. XLSForm rejects others."""
    return field.scale is not None and field.scale.step <= field.scale.last - field.scale.first


def metadata_type(field: AnyField) -> str | None:
    """Return the question type of what the page fills in, such as `deviceid` and `today`, or None."""
    if field.metadata:
        return _METADATA_TYPES[field.metadata]
    match field.answer_kind, field.default_rule, field.calculate, field.recalculate_on:
        case AnswerKind.DATE, "today()", _, []:
            return "today"
        case AnswerKind.DATETIME, "now()", _, []:
            return "start"
        case AnswerKind.DATETIME, _, "now()", _:
            return "end"
    return None


def limit_conditions(field: AnyField) -> Iterator[str]:
    """Yield the conditions for the limits of an answer. A range has its limits as parameters."""
    limits = type_of(field).limits
    if limits and not is_range(field):
        yield from limits.conditions(field)
