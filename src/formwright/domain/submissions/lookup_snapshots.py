"""The rows that a submission's lookups name, kept with it as the person saw them: the datasource goes on changing."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import ValidationFault
from formwright.domain.datasources.row_snapshots import remembers
from formwright.domain.forms import lookups
from formwright.domain.forms.lookups import LookedUp
from formwright.domain.forms.models import Version

MAX_BYTES = 1024 * 1024
"""How many bytes of cells a submission keeps; of the rows beyond it, it keeps the key and the version."""


def encode_snapshots(found: Sequence[LookedUp], before: str | None = None) -> str | None:
    """The rows as JSON; None where nothing was looked up. `before` is what was kept so far: rows that are gone stay.

    `version` is null where the row was nowhere, `data` also where it had no room.
    """
    return _to_json(list(_build_snapshots(found, _index_by_key(before)))) if found else None


def unknown_row_errors(version: Version, found: Sequence[LookedUp], before: str | None) -> list[ValidationFault]:
    """A fault for each whose row is nowhere, and was not kept before."""
    known = _index_by_key(before)
    return lookups.unknown(version, [one for one in found if (one.field.datasource_id, one.key) not in known])


async def filter_errors(
    tx: WriteTransaction,
    actor: Actor,
    version: Version,
    data: Mapping[str, Any],
    found: Sequence[LookedUp],
    before: str | None,
) -> list[ValidationFault]:
    """A fault for each whose row the lookup does not offer beside these answers; what `before` had so is not judged.

    What a phone saw so long ago that nobody knows it any more cannot be judged either.
    """
    had = msgspec.json.decode(before) if before else None
    out = lookups.left_out(version, data, found, had)
    return lookups.filtered(version, [one for one in out if await _can_be_checked(tx, actor, one)])


async def _can_be_checked(tx: WriteTransaction, actor: Actor, one: LookedUp) -> bool:
    of, seen = one.row.of if one.row else None, one.seen or 0
    if one.is_as_seen or of is None or not 0 < seen < of.version:
        return True
    return await remembers(tx, actor, datasource_id=of.id, version=seen)


def _index_by_key(before: str | None) -> dict[tuple[str, str], dict[str, Any]]:
    rows: list[dict[str, Any]] = msgspec.json.decode(before) if before else []
    return {(row["datasourceId"], row["key"]): row for row in rows}


def _build_snapshots(
    found: Sequence[LookedUp], before: Mapping[tuple[str, str], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    room = MAX_BYTES
    for one in found:
        data = one.row.values([*dict.fromkeys([*one.field.display, *one.field.mapping])]) if one.row else None
        was = before.get((one.field.datasource_id, one.key), {}) if one.row is None else {}
        data = was.get("data", data)
        room -= len(_to_json(data).encode())
        yield {
            "pointer": one.pointer,
            "datasourceId": one.field.datasource_id,
            "version": one.row.version if one.row else was.get("version"),
            "key": one.key,
            "data": data if room >= 0 else None,
        }


def _to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
