"""Rows by their keys as somebody saw them, who may have been without a network since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from formwright.core.auth.actor import Actor, Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.datasources import import_store, row_store, store
from formwright.domain.datasources.cell_types import once_shown
from formwright.domain.datasources.limits import KEPT_MS
from formwright.domain.datasources.models import Datasource

_VERSIONS = 10
"""How many earlier versions are looked at; what was seen at others is taken as it is now."""


@dataclass(frozen=True, slots=True)
class SeenRow:
    """A row as it was at a version of its datasource."""

    of: Datasource
    version: int
    cells: Mapping[str, str]

    def values(self, names: Sequence[str]) -> dict[str, Any]:
        """Its cells in these columns, each as the type of its column."""
        return once_shown(self.of.columns, self.cells, names)


async def rows_seen(
    tx: ReadTransaction, actor: Actor, wanted: Mapping[str, int | None], *, datasource_id: str
) -> dict[str, SeenRow]:
    """The rows with these keys at the versions they were seen at, else as they are now; who is not named is nowhere.

    A version is the word of who saw it: one that has not come yet is none. Who calls answers for it that the form has
    a lookup into this datasource, and that the actor may say what stands in its answers.
    """
    of = await store.find(tx, Scope(actor.customer_id), datasource_id)
    if of is None:
        return {}
    found: dict[str, SeenRow] = {}
    for version, keys in _earlier(of, wanted).items():
        found |= await _at(tx, of, version, keys)
    missing = [key for key in wanted if key not in found]
    return found | await _at(tx, of, of.version, missing) if missing else found


async def remembers(tx: WriteTransaction, actor: Actor, *, datasource_id: str, version: int) -> bool:
    """Whether all rows of this version are kept: one that is not among them was not there then."""
    scope = Scope(actor.customer_id)
    return version >= await import_store.version_before(tx, scope, datasource_id, tx.now() - KEPT_MS)


def _earlier(of: Datasource, wanted: Mapping[str, int | None]) -> dict[int, list[str]]:
    """The keys by the version at which they were seen, where that is not the present one."""
    versions: dict[int, list[str]] = {}
    for key, version in wanted.items():
        if version and 0 < version < of.version and (version in versions or len(versions) < _VERSIONS):
            versions.setdefault(version, []).append(key)
    return versions


async def _at(tx: ReadTransaction, of: Datasource, version: int, keys: Sequence[str]) -> dict[str, SeenRow]:
    rows = await row_store.by_key(tx, replace(of, version=version), keys)
    return {row.key: SeenRow(of, version, msgspec.json.decode(row.data, type=dict[str, str])) for row in rows}
