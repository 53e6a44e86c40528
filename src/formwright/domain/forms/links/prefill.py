"""Prefilled answers: those that lookups map from their rows to other fields, and the validation of prefilled data.

Prefilled answers may be incomplete, but those that exist must be valid.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, cast

from msgspec import UNSET

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.domain.forms.answers import validation as answer_validation
from formwright.domain.forms.fields import AnyField, RepeatField, flatten_sections, walk_fields
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
    # Lookups in repeats fill in rows, and those of the caller must not change.
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
    """Find the field that a lookup fills: in the same row of a repeat, else in the rows and the form around it."""
    fields = {field.name: field for field in walk_fields(version.definition.fields)}
    for depth in range((len(path) - 2) // 2, 0, -1):
        here = path[: 1 + 2 * depth]
        repeat = fields[str(here[-2])]
        if isinstance(repeat, RepeatField) and (field := _find_field(repeat.fields, name)):
            return _resolve(data, here[1:]), here, field
    return data, ("data",), _find_field(version.definition.fields, name)


def _resolve(data: Json, path: Path) -> Json:
    found: Any = data
    for step in path:
        found = found[step]
    return cast(Json, found)


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
