"""Rows by their keys as somebody saw them, who may have been without a network since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from formwright.core.auth.actor import Actor, Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.datasources import import_store, row_store, store
from formwright.domain.datasources.cell_types import to_values_or_text
from formwright.domain.datasources.limits import ROW_RETENTION_MS
from formwright.domain.datasources.models import Datasource

_MAX_EARLIER_VERSIONS = 10
"""How many earlier versions are looked at; what was seen at others is taken as it is now."""


@dataclass(frozen=True, slots=True)
class RowSnapshot:
    """A row as it was at a version of its datasource."""

    of: Datasource
    version: int
    cells: Mapping[str, str]

    def values(self, names: Sequence[str]) -> dict[str, Any]:
        """Its cells in these columns, each as the type of its column."""
        return to_values_or_text(self.of.columns, self.cells, names)


async def find_snapshots(
    tx: ReadTransaction, actor: Actor, versions_by_key: Mapping[str, int | None], *, datasource_id: str
) -> dict[str, RowSnapshot]:
    """The rows with these keys at the versions they were seen at, else as they are now; who is not named is nowhere.

    A version is the word of who saw it: one that has not come yet is none. Who calls answers for it that the form has
    a lookup into this datasource, and that the actor may say what stands in its answers.
    """
    datasource = await store.find(tx, Scope(actor.customer_id), datasource_id)
    if datasource is None:
        return {}
    found: dict[str, RowSnapshot] = {}
    for version, keys in _group_by_earlier_version(datasource, versions_by_key).items():
        found |= await _find_at_version(tx, datasource, version, keys)
    missing = [key for key in versions_by_key if key not in found]
    return found | await _find_at_version(tx, datasource, datasource.version, missing) if missing else found


async def retains_version(tx: WriteTransaction, actor: Actor, *, datasource_id: str, version: int) -> bool:
    """Whether all rows of this version are kept: one that is not among them was not there then."""
    scope = Scope(actor.customer_id)
    return version >= await import_store.version_before(tx, scope, datasource_id, tx.now() - ROW_RETENTION_MS)


def _group_by_earlier_version(
    datasource: Datasource, versions_by_key: Mapping[str, int | None]
) -> dict[int, list[str]]:
    """The keys by the version at which they were seen, where that is not the present one."""
    versions: dict[int, list[str]] = {}
    for key, version in versions_by_key.items():
        if (
            version
            and 0 < version < datasource.version
            and (version in versions or len(versions) < _MAX_EARLIER_VERSIONS)
        ):
            versions.setdefault(version, []).append(key)
    return versions


async def _find_at_version(
    tx: ReadTransaction, datasource: Datasource, version: int, keys: Sequence[str]
) -> dict[str, RowSnapshot]:
    rows = await row_store.find_by_keys(tx, replace(datasource, version=version), keys)
    return {
        row.key: RowSnapshot(datasource, version, msgspec.json.decode(row.data, type=dict[str, str])) for row in rows
    }
