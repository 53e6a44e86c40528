"""Submissions as a Parquet file, with a column per field, named after the field and with its type.

The names of built-in columns start with `_`, unlike those of fields. Answers that don't fit the type of their field, as
in drafts, are null in typed columns and JSON in text columns.

Rows are decoded with the types of the columns and encoded as JSON lines again, both in native code. Another process
reads the lines and writes the file, also in native code. So Python does no work per value.
"""

import errno
import io
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from subprocess import PIPE, Popen
from typing import IO, Annotated, Any

import msgspec
from arro3.core import DataType, Schema
from arro3.core import Field as Column
from arro3.core import Table as Arrow
from arro3.io import write_ipc_stream
from msgspec import Meta

from formwright.core.child_process import python_command
from formwright.domain.exports import parquet_process
from formwright.domain.exports.records import Batch, Decoder, answers_type, list_decoder, record_type
from formwright.domain.exports.table import Table
from formwright.domain.forms.answer_fields import list_answer_fields
from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField
from formwright.domain.saved_views.models import ANSWER_PREFIX
from formwright.domain.submissions.typed_answers import LOCATION_PARTS, to_typed_location, type_converter

_PIPE_BYTES = 1024 * 1024
"""So that the process has rows to read while the next ones are decoded."""
_TIMESTAMP = DataType.timestamp("ms", tz="UTC")
_BUILT_IN_COLUMNS: Mapping[str, DataType] = {
    "_id": DataType.utf8(),
    "_status": DataType.utf8(),
    "_started": _TIMESTAMP,
    "_submitted": _TIMESTAMP,
    "_updated": _TIMESTAMP,
    "_user_id": DataType.utf8(),
    "_who": DataType.utf8(),
    "_external_id": DataType.utf8(),
    "_note": DataType.utf8(),
    "_version_id": DataType.utf8(),
    "_revision": DataType.int64(),
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


class _Row(msgspec.Struct, rename=lambda name: f"_{name}", omit_defaults=True, gc=False):
    """A row as it is encoded."""

    id: str
    status: str
    started: str
    submitted: str | None
    updated: str
    user_id: str | None
    who: str | None
    external_id: str | None
    note: str | None
    version_id: str
    revision: int
    location: Any
    answers: Any


class ParquetWriter:
    """Passes the rows as JSON lines to a process that writes the file in chunks."""

    def __init__(self, file: IO[bytes], table: Table, _: Path) -> None:
        schema = io.BytesIO()
        write_ipc_stream(Arrow.from_batches([], schema=build_schema(table)), schema)
        command = python_command(parquet_process.__name__, str(len(schema.getvalue())))
        self._process = Popen(command, stdin=PIPE, stdout=file, stderr=PIPE, pipesize=_PIPE_BYTES)  # noqa: S603
        self._encoder = msgspec.json.Encoder()
        self._write(schema.getvalue())

    def add(self, batch: Batch) -> None:
        self._write(self._encode(batch))

    def _write(self, content: bytes) -> None:
        assert self._process.stdin  # noqa: S101
        try:
            self._process.stdin.write(content)
        except BrokenPipeError:
            # The process has ended early. `close` raises an error with its reason.
            self.close()
            raise

    def _encode(self, batch: Batch) -> bytes:
        return self._encoder.encode_lines([_to_row(record, batch.names) for record in batch.records])

    def close(self) -> None:
        """Finish the file. Raises `OSError` if the process could not write it."""
        _, error = self._process.communicate()
        if self._process.returncode:
            reason = error.decode(errors="replace").strip().rpartition("\n")[2]
            raise OSError(errno.EIO, f"the Parquet file could not be written ({reason})")

    def abandon(self) -> None:
        self._process.kill()
        self._process.communicate()


def _to_row(record: Any, names: Mapping[str | None, str]) -> _Row:
    return _Row(
        record.id,
        record.status,
        record.started_at,
        record.submitted_at,
        record.updated,
        record.user_id,
        names[record.user_id] or None,
        record.external_id,
        record.note,
        record.version_id,
        record.revision,
        record.location,
        record.data,
    )


def open_typed_decoder(table: Table) -> Decoder:
    """Return a decoder whose answers have the types of their columns, as `to_typed` returns them.

    Almost always, all answers of a page fit their fields, and are decoded with these types in one step.
    """
    fields = table.main.fields
    typed = answers_type([(field.name, _json_type(field)) for field in fields])
    untyped = answers_type([(field.name, Any) for field in fields])
    decode_typed = list_decoder(record_type(typed, _Location))
    decode_untyped = list_decoder(record_type(untyped, Any))
    converters = [(f"answer_{number}", type_converter(field)) for number, field in enumerate(fields)]
    remaining = [one for one, field in zip(converters, fields, strict=True) if _json_type(field) is Any]

    def decode(items: bytes) -> list[Any]:
        try:
            records = decode_typed(items)
        except msgspec.ValidationError:
            records = decode_untyped(items)
            _convert([record.data for record in records], converters)
            _convert(records, [("location", to_typed_location)])
        else:
            _convert([record.data for record in records], remaining)
        return records

    return decode


def _convert(objects: Sequence[Any], converters: Sequence[tuple[str, Callable[[Any], Any]]]) -> None:
    for name, convert in converters:
        for one in objects:
            value = getattr(one, name)
            if value is not None:
                setattr(one, name, convert(value))


_Integer = Annotated[int, Meta(gt=-(2**63), le=2**63 - 1)]
_Location = msgspec.defstruct("_Location", [(name, float | None, None) for name in LOCATION_PARTS])


def _list_of(kind: Any) -> Any:
    return list[kind]


_TEXT_KINDS = (AnswerKind.TEXT, AnswerKind.TIME, AnswerKind.CHOICE, AnswerKind.FILE)
_JSON_TYPES: Mapping[AnswerKind, Any] = {
    AnswerKind.INTEGER: _Integer,
    AnswerKind.DECIMAL: float,
    AnswerKind.BOOLEAN: bool,
    AnswerKind.DATE: date,
    AnswerKind.DATETIME: Any,
    AnswerKind.POSITION: _Location,
    AnswerKind.POSITIONS: list[_Location],  # type: ignore[valid-type]
    AnswerKind.CHOICES: list[str],
    AnswerKind.FILES: list[str],
    **dict.fromkeys(_TEXT_KINDS, str),
}


def _json_type(field: AnyField) -> Any:
    """Return the type of the answers that `to_typed` returns as they are; `Any` if it converts them."""
    if not isinstance(field, RepeatField):
        return _JSON_TYPES[field.answer_kind]
    inside = list_answer_fields(field.fields)
    if any(_json_type(one) is Any for one in inside):
        return Any
    return _list_of(answers_type([(one.name, _json_type(one)) for one in inside]))


def build_schema(table: Table) -> Schema:
    """Return the columns of a file with their types. The first of chosen columns is always the id."""
    own = [Column(name, kind, nullable=name != "_id") for name, kind in _BUILT_IN_COLUMNS.items()]
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


def _list_type(kind: DataType) -> DataType:
    return DataType.list(Column("item", kind, nullable=True))


_COLUMN_TYPES: Mapping[AnswerKind, DataType] = {
    AnswerKind.INTEGER: DataType.int64(),
    AnswerKind.DECIMAL: DataType.float64(),
    AnswerKind.BOOLEAN: DataType.bool(),
    AnswerKind.DATE: DataType.date32(),
    AnswerKind.DATETIME: _TIMESTAMP,
    AnswerKind.POSITION: _location_type(),
    AnswerKind.POSITIONS: _list_type(_location_type()),
    AnswerKind.CHOICES: _list_type(DataType.utf8()),
    AnswerKind.FILES: _list_type(DataType.utf8()),
    **dict.fromkeys(_TEXT_KINDS, DataType.utf8()),
}


def _column_type(field: AnyField) -> DataType:
    if isinstance(field, RepeatField):
        return _list_type(DataType.struct(_answer_columns(list_answer_fields(field.fields))))
    return _COLUMN_TYPES[field.answer_kind]
