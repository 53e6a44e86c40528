"""The answers of lookup fields, with the rows they refer to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import isfinite
from types import MappingProxyType
from typing import Any

from msgspec import UNSET

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault, pointer
from formwright.domain.datasources.row_snapshots import RowSnapshot, find_snapshots
from formwright.domain.forms.answers import validation as answer_validation
from formwright.domain.forms.answers.error_messages import messages_for
from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField, flatten_sections
from formwright.domain.forms.models import Version
from formwright.domain.forms.rules.compiler import is_answered
from formwright.domain.forms.rules.filled_fields import MAX_LOOKUP_DEPTH, is_calculated_lookup, is_filled_by_rows

Path = tuple[str | int, ...]
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
Rows = Mapping[tuple[str, str], RowSnapshot | None]
"""Rows by the id of the data source and the key, or None for those that do not exist."""
NO_ROWS: Rows = MappingProxyType({})
SeenVersions = Mapping[str, Mapping[str, int]]
"""The version of the data source in which each row was seen, by the name of the lookup and the key of the row."""


@dataclass(frozen=True, slots=True)
class LookupAnswer:
    """A key in the answer of a lookup: its location, the key, and the row, or None if there is no such row."""

    field: AnyField
    path: Path
    key: str
    filter_values: Mapping[str, object]
    """The answers that the lookup's filter compares, by column."""
    row: RowSnapshot | None = None
    seen_version: int | None = None
    """The version of the data source in which the client saw the row, as it claims."""

    @property
    def pointer(self) -> str:
        return pointer(*self.path)

    @property
    def id(self) -> tuple[str, str]:
        """The id of the data source and the key of the row."""
        return self.field.datasource_id, self.key

    @property
    def is_offered(self) -> bool:
        """Whether the filter includes the row. True if there is no such row, which is a different error."""
        return self.row is None or all(
            _cell_equals(self.row.cells.get(column, ""), value) for column, value in self.filter_values.items()
        )

    @property
    def is_unchanged(self) -> bool:
        """Whether the row has not changed since it was chosen, as far as known."""
        return self.row is None or self.seen_version is None or self.seen_version == self.row.version


async def find_lookups(
    tx: ReadTransaction,
    actor: Actor,
    version: Version,
    data: Mapping[str, Any],
    seen_versions: SeenVersions | None = None,
    known: Rows = NO_ROWS,
) -> list[LookupAnswer]:
    """Return all keys in the answers of lookups in form order, with their rows.

    Reads nothing if the version has no lookups, or all rows are `known`.
    """
    if not answer_validation.compile_version(version).has_lookups:
        return []
    found = [_with_seen_version(one, seen_versions or {}) for one in _iter_lookups(version.definition.fields, data)]
    versions_by_key: dict[str, dict[str, int | None]] = {}
    for one in found:
        keys = versions_by_key.setdefault(one.field.datasource_id, {})
        keys[one.key] = one.seen_version or keys.get(one.key)
    if all(one.id in known for one in found):
        return [replace(one, row=known[one.id]) for one in found]
    rows = {of: await find_snapshots(tx, actor, keys, datasource_id=of) for of, keys in versions_by_key.items()}
    return [replace(one, row=rows[one.field.datasource_id].get(one.key)) for one in found]


async def validate_with_rows(
    tx: ReadTransaction,
    actor: Actor,
    version: Version,
    data: Mapping[str, Any],
    *,
    seen_versions: SeenVersions | None = None,
    device_time: str | None = None,
) -> tuple[dict[str, Any], list[ValidationFault], Rows]:
    """Validate answers as `validate_async` does, after filling in the hidden fields that lookups copy columns into.

    Nobody can type into such a field, so it has what the row says, whatever was sent. Also returns the rows that were
    read for that.
    """
    compiled = answer_validation.compile_version(version)
    settled, errors = await compiled.validate_async(data, device_time=device_time)
    rows = NO_ROWS
    if not compiled.fills_hidden:
        return settled, errors, rows
    fields = version.definition.fields
    # The key of a calculated lookup may depend on the columns of another one.
    for _ in range(1 + MAX_LOOKUP_DEPTH if compiled.has_calculated_lookups else 1):
        # The validation has rejected answers that are too large to look for their rows.
        keyed = _with_calculated_keys(fields, data, settled) if compiled.has_calculated_lookups else data
        rows = {one.id: one.row for one in await find_lookups(tx, actor, version, keyed, seen_versions)}
        filled = _fill_hidden(fields, keyed, rows)
        if filled == data:
            break
        data = filled
        settled, errors = await compiled.validate_async(data, device_time=device_time)
    return settled, errors, rows


def _with_calculated_keys(
    fields: Sequence[AnyField], data: Mapping[str, Any], settled: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the answers of the form or a row with the keys that rules have computed."""
    known = dict(data)
    for field in flatten_sections(fields):
        inner = data.get(field.name)
        if is_calculated_lookup(field):
            known.pop(field.name, None)
            known |= {field.name: settled[field.name]} if field.name in settled else {}
        elif isinstance(field, RepeatField) and isinstance(inner, list):
            rows = settled.get(field.name, [{}] * len(inner))
            known[field.name] = [
                _with_calculated_keys(field.fields, row, done) if isinstance(row, dict) else row
                for row, done in zip(inner, rows, strict=True)
            ]
    return known


def _fill_hidden(fields: Sequence[AnyField], data: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    """Return the answers of the form or a row, with those that the lookups in it copy into hidden fields of it."""
    own = {field.name: field for field in flatten_sections(fields)}
    filled, cells = dict(data), dict[str, Any]()
    for field in own.values():
        answer = data.get(field.name)
        if isinstance(field, RepeatField) and isinstance(answer, list):
            filled[field.name] = [
                _fill_hidden(field.fields, row, rows) if isinstance(row, dict) else row for row in answer
            ]
        row = rows.get((field.datasource_id, answer)) if isinstance(answer, str) else None
        targets = {column: own[name] for column, name in field.mapping.items() if name in own}
        is_known = row or not answer or field.calculate is not UNSET  # Other unknown rows are errors.
        for column, target in targets.items() if is_known else ():
            if is_filled_by_rows(target):
                value = parse_cell(target, row.cells.get(column, "")) if row else None
                cells[target.name] = cells.get(target.name) if value is None else value
    return {name: value for name, value in {**filled, **cells}.items() if value is not None or name not in cells}


def parse_cell(field: AnyField, cell: str) -> Any:
    """Convert a cell to an answer of this field, as `parseCell` in `static/fill/answer_conversion.js` does; None if it
    cannot be one."""
    if not cell:
        return None
    if field.answer_kind.is_number:
        return _parse_answer_number(cell)
    if field.answer_kind is AnswerKind.BOOLEAN:
        return _BOOLEANS.get(cell.lower())
    if field.answer_kind is AnswerKind.CHOICES:
        return [part.strip() for part in cell.replace(";", ",").split(",")]
    return cell


def _parse_answer_number(cell: str) -> int | float | None:
    """Return the number of a cell; None if it is none, or would be rounded."""
    text = cell.strip()
    if not _NUMBER.fullmatch(text) or not isfinite(value := float(text)) or Decimal(text) != Decimal(repr(value)):
        return None
    return int(value) if value.is_integer() else value


def unknown_row_errors(version: Version, lookups: Sequence[LookupAnswer]) -> list[ValidationFault]:
    """Return an error for each lookup whose row does not exist. A calculated key may be that of no row."""
    message = messages_for(version.definition.settings.language)["lookup"]
    unknown = [one for one in lookups if one.row is None and one.field.calculate is UNSET]
    return [ValidationFault(one.pointer, "answer.lookup.unknown", message) for one in unknown]


def find_filtered_out(
    version: Version, data: Mapping[str, Any], lookups: Sequence[LookupAnswer], before: Mapping[str, Any] | None = None
) -> list[LookupAnswer]:
    """Return the lookups whose filter excludes the chosen row, given these answers.

    `lookups` are the lookups with their rows. Rows that the answers `before` had with the same filter values are not
    checked again, because they may have changed since.
    """
    if not lookups:
        return []
    lookups_by_id = {one.id: one for one in lookups}
    accepted: dict[tuple[str, str], list[Mapping[str, object]]] = {}
    for one in _iter_lookups(version.definition.fields, before or {}):
        accepted.setdefault((one.field.name, one.key), []).append(one.filter_values)
    candidates = [
        replace(one, row=lookups_by_id[one.id].row, seen_version=lookups_by_id[one.id].seen_version)
        for one in _iter_lookups(version.definition.fields, data)
        if one.filter_values
        and one.id in lookups_by_id
        and one.filter_values not in accepted.get((one.field.name, one.key), ())
    ]
    return [one for one in candidates if not one.is_offered]


def filtered_out_errors(version: Version, out: Sequence[LookupAnswer]) -> list[ValidationFault]:
    """Return an error for each of these lookups, whose filters exclude their rows."""
    message = messages_for(version.definition.settings.language)["filtered"]
    return [ValidationFault(one.pointer, "answer.lookup.filtered", message) for one in out]


def _iter_lookups(
    fields: Sequence[AnyField], data: Mapping[str, Any], path: Path = ("data",), outer: Mapping[str, Any] | None = None
) -> Iterator[LookupAnswer]:
    """Yield the keys that lookups have as answers. `outer` are the answers that surround those of a row."""
    around = {**(outer or {}), **data}
    for field in flatten_sections(fields):
        answer = data.get(field.name)
        if isinstance(field, RepeatField) and isinstance(answer, list):
            for index, row in enumerate(answer):
                if isinstance(row, dict):
                    yield from _iter_lookups(field.fields, row, (*path, field.name, index), around)
        by = {column: value for column, name in field.filter.items() if is_answered(value := around.get(name))}
        for place, key in field.row_keys(answer):
            yield LookupAnswer(field, (*path, field.name, *place), key, by)


def _with_seen_version(one: LookupAnswer, seen_versions: SeenVersions) -> LookupAnswer:
    return replace(one, seen_version=seen_versions.get(one.field.name, {}).get(one.key))


def _cell_equals(cell: str, answer: object) -> bool:
    """Whether a cell equals an answer. Same as `cellEquals` in `static/fill/lookup_filters.js`."""
    match answer:
        case bool():
            return cell == ("true" if answer else "false")
        case int() | float():
            return _parse_number(cell) == answer
        case list():
            return cell == ",".join(map(str, answer))
    return cell == answer


def _parse_number(cell: str) -> float | None:
    try:
        # Python reads `1_000` as a number, but the page does not.
        return None if "_" in cell else float(cell)
    except ValueError:
        return None
