"""Rows as they were when somebody chose them in a form, which they may have filled in offline."""

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
"""How many earlier versions one call looks up. Rows seen at other versions are returned as they are now."""


@dataclass(frozen=True, slots=True)
class RowSnapshot:
    """A row as it was in a version of its data source."""

    of: Datasource
    version: int
    cells: Mapping[str, str]

    def values(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the cells in these columns, converted to the types of the columns."""
        return to_values_or_text(self.of.columns, self.cells, names)


async def find_snapshots(
    tx: ReadTransaction, actor: Actor, versions_by_key: Mapping[str, int | None], *, datasource_id: str
) -> dict[str, RowSnapshot]:
    """Return the rows with these keys at the given versions, or as they are now. Keys that do not exist are left out.

    Versions come from the client. Those that do not exist yet are ignored. The caller must have checked that the form
    has a lookup field for this data source, and that the actor may set its answers.
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
    """Return whether all rows of this version are still stored, so that a missing row did not exist in it."""
    scope = Scope(actor.customer_id)
    return version >= await import_store.version_before(tx, scope, datasource_id, tx.now() - ROW_RETENTION_MS)


def _group_by_earlier_version(
    datasource: Datasource, versions_by_key: Mapping[str, int | None]
) -> dict[int, list[str]]:
    """Group the keys by version, leaving out keys that were seen at the current version."""
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
