"""A form's submissions as a Parquet file: a column for each field, named and typed as the form has it.

What every submission has stands in columns that begin with `_`, as no field's name does. An answer that is not of its
field's kind, as in what was only begun, is null in a typed column; a column of texts has it as JSON.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from math import isfinite
from pathlib import Path
from typing import IO, Any

import msgspec
from arro3.core import DataType, Schema
from arro3.core import Field as Column
from arro3.io import read_json, write_parquet

from formwright.core.clock import EARLIEST, LATEST
from formwright.domain.forms.definition import (
    AnyField,
    BooleanField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    FileField,
    IntegerField,
    LocationField,
    NoteField,
    PhotoField,
    RatingField,
    RepeatField,
    SectionField,
    SliderField,
    flatten_sections,
)
from formwright.domain.submissions.answer_filters import parse_timestamp as instant
from formwright.domain.submissions.models import Submission
from formwright.web.views.submissions.export.table import Piece, Table

_GROUP = 10_000
"""Rows of a row group: what is held in memory until it is written."""
_READ = 1_000
_EXACT = 2**63
_MOMENT = DataType.timestamp("ms", tz="UTC")
_PLACE = ("latitude", "longitude", "accuracy")
_WHOLE = IntegerField | RatingField | SliderField
_LISTS = ChoicesField | PhotoField | FileField
_TYPED = _WHOLE | _LISTS | DecimalField | BooleanField | DateField | DatetimeField | LocationField | RepeatField
_OWN: Mapping[str, tuple[DataType, Callable[[Submission, str], Any]]] = {
    "_id": (DataType.utf8(), lambda record, _: record.id),
    "_status": (DataType.utf8(), lambda record, _: record.status.value),
    "_started": (_MOMENT, lambda record, _: record.started),
    "_submitted": (_MOMENT, lambda record, _: record.submitted),
    "_updated": (_MOMENT, lambda record, _: record.updated),
    "_user_id": (DataType.utf8(), lambda record, _: record.user_id),
    "_who": (DataType.utf8(), lambda record, person: person or None),
    "_external_id": (DataType.utf8(), lambda record, _: record.external_id),
    "_note": (DataType.utf8(), lambda record, _: record.note),
    "_version_id": (DataType.utf8(), lambda record, _: record.version_id),
    "_revision": (DataType.int64(), lambda record, _: record.revision),
}


class Parquet:
    """Keeps the rows as JSON beside the file, which is then read and written piece by piece, outside of Python."""

    def __init__(self, file: IO[bytes], table: Table, beside: Path) -> None:
        self._file, self._fields = file, table.main.fields
        self._path = beside / "rows.ndjson"
        self._rows = self._path.open("wb")

    def add(self, piece: Piece) -> None:
        self._rows.writelines(_line(self._fields, record, person) for record, person in piece)

    def close(self) -> None:
        self._rows.close()
        with self._path.open("rb") as rows:
            found = read_json(rows, schema_of(self._fields), batch_size=_READ)
            write_parquet(found, self._file, compression="zstd(3)", max_row_group_size=_GROUP)
        self._path.unlink(missing_ok=True)

    def abandon(self) -> None:
        self._rows.close()


def schema_of(fields: Sequence[AnyField]) -> Schema:
    """The columns of a file."""
    own = [Column(name, kind, nullable=name != "_id") for name, (kind, _) in _OWN.items()]
    return Schema([*own, Column("_location", _place(), nullable=True), *_columns(fields)])


def _columns(fields: Sequence[AnyField]) -> list[Column]:
    return [Column(field.name, _kind(field), nullable=True) for field in fields]


def _place() -> DataType:
    return DataType.struct([Column(name, DataType.float64(), nullable=True) for name in _PLACE])


def _kind(field: AnyField) -> DataType:
    match field:
        case IntegerField() | RatingField() | SliderField():
            return DataType.int64()
        case DecimalField():
            return DataType.float64()
        case BooleanField():
            return DataType.bool()
        case DateField():
            return DataType.date32()
        case DatetimeField():
            return _MOMENT
        case LocationField():
            return _place()
        case ChoicesField() | PhotoField() | FileField():
            return _list(DataType.utf8())
        case RepeatField():
            return _list(DataType.struct(_columns(_inside(field))))
    return DataType.utf8()


def _list(kind: DataType) -> DataType:
    return DataType.list(Column("item", kind, nullable=True))


def _inside(repeat: RepeatField) -> list[AnyField]:
    return [field for field in flatten_sections(repeat.fields) if not isinstance(field, NoteField | SectionField)]


def _line(fields: Sequence[AnyField], record: Submission, person: str) -> bytes:
    own = {name: value(record, person) for name, (_, value) in _OWN.items()}
    where = _where(msgspec.json.decode(record.location)) if record.location else None
    data = msgspec.json.decode(record.data)
    return msgspec.json.encode(own | {"_location": where} | _answers(fields, data)) + b"\n"


def _answers(fields: Sequence[AnyField], data: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: _value(field, data.get(field.name)) for field in fields}


def _value(field: AnyField, value: Any) -> Any:
    """The answer as its column takes it; None where it cannot."""
    match field, value:
        case _, None:
            return None
        case ((IntegerField() | RatingField() | SliderField()), (int() | float())):
            return _whole(value)
        case DecimalField(), _:
            return _number(value)
        case BooleanField(), bool():
            return value
        case DateField(), str():
            return _day(value)
        case DatetimeField(), str():
            ms = instant(value)
            return int(ms) if ms is not None and EARLIEST <= ms <= LATEST else None
        case LocationField(), dict():
            return _where(value)
        case ((ChoicesField() | PhotoField() | FileField()), list()):
            return [_text(one) for one in value]
        case RepeatField(), list():
            return [_answers(_inside(field), row if isinstance(row, dict) else {}) for row in value]
    return None if isinstance(field, _TYPED) else _text(value)


def _whole(value: float) -> int | None:
    exact = not isinstance(value, bool) and abs(value) < _EXACT and value == int(value)
    return int(value) if exact else None


def _day(text: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def _where(place: Mapping[str, Any]) -> dict[str, float | None]:
    return {name: _number(place.get(name)) for name in _PLACE}


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if isfinite(value) else None
    except OverflowError:
        return None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
