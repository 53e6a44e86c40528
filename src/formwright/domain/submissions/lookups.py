"""The rows that a submission's lookups name, kept with it as the person saw them: the datasource goes on changing."""

from collections.abc import Iterator, Sequence

import msgspec

from formwright.domain.forms.lookups import LookedUp

MAX_KEPT = 1024 * 1024
"""How many bytes of cells a submission keeps; of the rows beyond it, it keeps the key and the version."""


def kept(found: Sequence[LookedUp]) -> str | None:
    """The rows as JSON; None where nothing was looked up.

    `version` is null where the row was nowhere, `data` also where it had no room.
    """
    return _json(list(_told(found))) if found else None


def _told(found: Sequence[LookedUp]) -> Iterator[dict[str, object]]:
    room = MAX_KEPT
    for one in found:
        data = one.row.values([*dict.fromkeys([*one.field.display, *one.field.mapping])]) if one.row else None
        room -= len(_json(data).encode())
        yield {
            "pointer": one.pointer,
            "datasourceId": one.field.datasource_id,
            "version": one.row.version if one.row else None,
            "key": one.key,
            "data": data if room >= 0 else None,
        }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
