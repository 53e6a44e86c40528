"""Prefilled answers: those that lookups map from their rows to other fields, and the validation of prefilled data.

Prefilled answers may be incomplete, but those that exist must be valid.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from msgspec import UNSET

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.domain.forms import answer_validation
from formwright.domain.forms.definition import (
    AnyField,
    RepeatField,
    flatten_sections,
    walk_fields,
)
from formwright.domain.forms.lookups import (
    LookupAnswer,
    Path,
    filtered_out_errors,
    find_filtered_out,
    find_lookups,
    parse_cell,
    unknown_row_errors,
)
from formwright.domain.forms.models import Version

Json = dict[str, Any]


async def apply_mappings(version: Version, data: Mapping[str, Any], lookups: Sequence[LookupAnswer]) -> Json:
    """Return the answers with those that the lookups' rows fill in. Existing answers and invalid cells are skipped."""
    whole = deepcopy(dict(data))
    filled_in: dict[str, tuple[Json, str]] = {}
    for one in lookups:
        for column, name in one.field.mapping.items():
            place, path, field = _find_target(version, whole, one.path, name)
            if one.row is None or field is None or name in place:
                continue
            value = parse_cell(field, one.row.cells.get(column, ""))
            if value is not None:
                place[name] = value
                filled_in[pointer(*path, name)] = place, name
    for fault in (await answer_validation.validate_async(version, whole))[1] if filled_in else ():
        where = next((at for at in filled_in if fault.pointer == at or fault.pointer.startswith(f"{at}/")), None)
        if where:
            place, name = filled_in.pop(where)
            del place[name]
    return whole


def _find_target(version: Version, data: Json, path: Path, name: str) -> tuple[Json, Path, AnyField | None]:
    """Find the field that a lookup fills: in the same row of a repeat, else outside of repeats."""
    fields = version.definition.fields
    if len(path) > 2:
        _, repeat, index, *_ = path
        own = next(field for field in walk_fields(fields) if field.name == repeat)
        if isinstance(own, RepeatField) and (field := _find_field(own.fields, name)):
            return data[str(repeat)][index], path[:3], field
    return data, ("data",), _find_field(fields, name)


def _find_field(fields: Sequence[AnyField], name: str) -> AnyField | None:
    return next((field for field in flatten_sections(fields) if field.name == name and field.calculate is UNSET), None)


async def validate_prefill(
    tx: ReadTransaction, actor: Actor, version: Version, data: Mapping[str, object]
) -> tuple[dict[str, object], list[ValidationFault]]:
    """Return the data with what its lookups fill in, and all errors; their pointers begin with `/data`."""
    try:
        found = [
            fault
            for fault in (await answer_validation.validate_async(version, data))[1]
            if fault.code not in ("value.required", "value.rows.count")
        ]
    except Invalid as error:
        return dict(data), list(error.faults)
    rows = await find_lookups(tx, actor, version, data)
    if found := found + unknown_row_errors(version, rows):
        return dict(data), found
    whole = await apply_mappings(version, data, rows)
    return whole, filtered_out_errors(
        version, find_filtered_out(version, (await answer_validation.validate_async(version, whole))[0], rows)
    )
