"""Decoding pages of submissions, which are JSON objects of the API."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from formwright.domain.exports.table import Table

Record = Any
"""An instance of a `record_type`, or the JSON of a submission."""
Decoder = Callable[[bytes], list[Record]]
"""Decodes JSON objects that are separated by commas."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Submissions, and the names of their authors by id."""

    records: Sequence[Record]
    names: Mapping[str | None, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.records)


class Envelope(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """What exports need of a submission beside its answers. Times are RFC 3339 in UTC."""

    id: str
    status: str
    started_at: str
    updated: str
    version_id: str
    revision: int
    submitted_at: str | None = None
    user_id: str | None = None
    external_id: str | None = None
    note: str | None = None


def record_type(answers: type[msgspec.Struct], location: Any, *, has_rows: bool = False) -> type[msgspec.Struct]:
    """Return the struct of a submission, given the types of its answers and of its location.

    It has the copies of the rows that lookups refer to if `has_rows`.
    """
    fields: list[Any] = [("data", answers), ("location", location | None, None)]
    if has_rows:
        fields.append(("lookups", list[dict[str, Any]], msgspec.field(default_factory=list)))
    return msgspec.defstruct("Record", fields, bases=(Envelope,), kw_only=True, gc=False)


def answers_type(columns: Sequence[tuple[str, Any]]) -> type[msgspec.Struct]:
    """Return a struct for answers, given the names of the fields and their types, in this order.

    Its attributes are `answer_0`, `answer_1` and so on, because names of fields can be reserved words.
    """
    rename = {f"answer_{number}": name for number, (name, _) in enumerate(columns)}
    fields = [(f"answer_{number}", kind | None, None) for number, (_, kind) in enumerate(columns)]
    return msgspec.defstruct("Answers", fields, rename=rename, omit_defaults=True, gc=False)


def open_decoder(table: Table) -> Decoder:
    """Return a decoder whose answers have the types of JSON."""
    answers = answers_type([(one.name, Any) for one in table.main.fields])
    return list_decoder(record_type(answers, Any, has_rows=table.layout is not None))


def list_decoder(kind: Any) -> Decoder:
    """Return a decoder for objects of a type."""
    decoder = msgspec.json.Decoder(list[kind])
    return lambda items: decoder.decode(b"[%b]" % items)
