"""The answers of lookups, and the rows that they name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formwright.core.access.actor import Actor
from formwright.core.kernel.errors import Fault, pointer
from formwright.core.storage.database import Reading
from formwright.domain.datasources.seeing import SeenRow, rows_seen
from formwright.domain.forms import answers
from formwright.domain.forms.definition import AnyField, LookupField, RepeatField, flat
from formwright.domain.forms.messages import words_in
from formwright.domain.forms.model import Version

Path = tuple[str | int, ...]
Seen = Mapping[str, Mapping[str, int]]
"""By the name of the lookup and the key of the row, the version of the datasource at which the row was seen."""


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A lookup that is answered: where, with which key, and the row, which may be nowhere."""

    field: LookupField
    path: Path
    key: str
    row: SeenRow | None = None

    @property
    def pointer(self) -> str:
        return pointer(*self.path)


async def looked_up(
    tx: Reading, actor: Actor, version: Version, data: Mapping[str, Any], seen: Seen | None = None
) -> list[LookedUp]:
    """All answered lookups in the order of the form, with their rows. Where there are none, nothing is read."""
    if not answers.looks_up(version):
        return []
    found = list(_answered(version.definition.fields, data, ("data",)))
    wanted: dict[str, dict[str, int | None]] = {}
    for one in found:
        keys = wanted.setdefault(one.field.datasource_id, {})
        keys[one.key] = (seen or {}).get(one.field.name, {}).get(one.key) or keys.get(one.key)
    rows = {of: await rows_seen(tx, actor, keys, datasource_id=of) for of, keys in wanted.items()}
    return [LookedUp(one.field, one.path, one.key, rows[one.field.datasource_id].get(one.key)) for one in found]


def unknown(version: Version, found: Sequence[LookedUp]) -> list[Fault]:
    """A fault for each whose row is nowhere."""
    said = words_in(version.definition.settings.language)["lookup"]
    return [Fault(one.pointer, "answer.lookup.unknown", said) for one in found if one.row is None]


def _answered(fields: Sequence[AnyField], data: Mapping[str, Any], path: Path) -> Iterator[LookedUp]:
    """What has not the shape of an answer looks nothing up."""
    for field in flat(fields):
        match field, data.get(field.name):
            case LookupField(), str(key) if key:
                yield LookedUp(field, (*path, field.name), key)
            case RepeatField(), list(rows):
                for index, row in enumerate(rows):
                    if isinstance(row, dict):
                        yield from _answered(field.fields, row, (*path, field.name, index))
