"""Submissions as a Parquet file, with a column per field, named after the field and with its type.

The names of built-in columns start with `_`, unlike those of fields. Answers that don't fit the type of their field, as
in drafts, are null in typed columns and JSON in text columns.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec
from arro3.core import DataType, Schema
from arro3.core import Field as Column
from arro3.io import read_json, write_parquet

from formwright.domain.forms.answer_fields import list_answer_fields
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
    PhotoField,
    RatingField,
    RepeatField,
    SliderField,
)
from formwright.domain.saved_views.models import ANSWER_PREFIX
from formwright.domain.submissions.models import Submission
from formwright.domain.submissions.typed_answers import LOCATION_PARTS, to_typed_answers, to_typed_location
from formwright.web.views.submissions.export.table import Batch, Table

_ROW_GROUP = 10_000
"""Rows per row group, which is kept in memory until it is written."""
_BATCH_ROWS = 1_000
_TIMESTAMP = DataType.timestamp("ms", tz="UTC")
_BUILT_IN_COLUMNS: Mapping[str, tuple[DataType, Callable[[Submission, str], Any]]] = {
    "_id": (DataType.utf8(), lambda record, _: record.id),
    "_status": (DataType.utf8(), lambda record, _: record.status.value),
    "_started": (_TIMESTAMP, lambda record, _: record.started),
    "_submitted": (_TIMESTAMP, lambda record, _: record.submitted),
    "_updated": (_TIMESTAMP, lambda record, _: record.updated),
    "_user_id": (DataType.utf8(), lambda record, _: record.user_id),
    "_who": (DataType.utf8(), lambda record, person: person or None),
    "_external_id": (DataType.utf8(), lambda record, _: record.external_id),
    "_note": (DataType.utf8(), lambda record, _: record.note),
    "_version_id": (DataType.utf8(), lambda record, _: record.version_id),
    "_revision": (DataType.int64(), lambda record, _: record.revision),
}
_NAMES_BY_COLUMN: Mapping[str, Sequence[str]] = {
    "id": ("_id",),
    "status": ("_status",),
    "submittedAt": ("_submitted",),
    "updated": ("_updated",),
    "userId": ("_user_id", "_who"),
    "externalId": ("_external_id",),
    "note": ("_note",),
    "formId": (),
}
"""The built-in columns for those that people can choose. A file has the submissions of one form only."""


class ParquetWriter:
    """Writes the rows to a temporary JSON file, which is converted in chunks by native code."""

    def __init__(self, file: IO[bytes], table: Table, folder: Path) -> None:
        self._file, self._fields, self._schema = file, table.main.fields, build_schema(table)
        self._path = folder / "rows.ndjson"
        self._rows = self._path.open("wb")

    def add(self, batch: Batch) -> None:
        self._rows.writelines(_json_row(self._fields, record, person) for record, person in batch)

    def close(self) -> None:
        self._rows.close()
        with self._path.open("rb") as rows:
            rows_table = read_json(rows, self._schema, batch_size=_BATCH_ROWS)
            write_parquet(rows_table, self._file, compression="zstd(3)", max_row_group_size=_ROW_GROUP)
        self._path.unlink(missing_ok=True)

    def abandon(self) -> None:
        self._rows.close()


def build_schema(table: Table) -> Schema:
    """Return the columns of a file with their types. The first of chosen columns is always the id."""
    own = [Column(name, kind, nullable=name != "_id") for name, (kind, _) in _BUILT_IN_COLUMNS.items()]
    location = Column("_location", _location_type(), nullable=True)
    columns = [*own, location, *_answer_columns(table.main.fields)]
    if not table.columns:
        return Schema(columns)
    columns_by_name = {column.name: column for column in columns}
    chosen = [name for column in table.columns for name in _NAMES_BY_COLUMN.get(column, (_answer_name(column),))]
    return Schema([columns_by_name[name] for name in dict.fromkeys(["_id", *chosen])])


def _answer_name(column: str) -> str:
    return column.removeprefix(ANSWER_PREFIX)


def _answer_columns(fields: Sequence[AnyField]) -> list[Column]:
    return [Column(field.name, _column_type(field), nullable=True) for field in fields]


def _location_type() -> DataType:
    return DataType.struct([Column(name, DataType.float64(), nullable=True) for name in LOCATION_PARTS])


def _column_type(field: AnyField) -> DataType:
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
            return _TIMESTAMP
        case LocationField():
            return _location_type()
        case ChoicesField() | PhotoField() | FileField():
            return _list_type(DataType.utf8())
        case RepeatField():
            return _list_type(DataType.struct(_answer_columns(list_answer_fields(field.fields))))
    return DataType.utf8()


def _list_type(kind: DataType) -> DataType:
    return DataType.list(Column("item", kind, nullable=True))


def _json_row(fields: Sequence[AnyField], record: Submission, person: str) -> bytes:
    own = {name: value(record, person) for name, (_, value) in _BUILT_IN_COLUMNS.items()}
    location = to_typed_location(msgspec.json.decode(record.location)) if record.location else None
    data = msgspec.json.decode(record.data)
    return msgspec.json.encode(own | {"_location": location} | to_typed_answers(fields, data)) + b"\n"
