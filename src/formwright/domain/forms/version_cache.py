"""Final versions, kept in the process: they never change, and are asked for with every letter that is typed."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.lru_cache import LRUCache
from formwright.domain.forms import store
from formwright.domain.forms.models import Version, VersionStatus

_cache = LRUCache[tuple[str, str, str], Version](512)


async def find_final(tx: ReadTransaction, scope: Scope, form_id: str, version_id: str) -> Version | None:
    """The version, if it is final."""
    key = (scope.customer_id, form_id, version_id)
    if kept := _cache.get(key):
        return kept
    version = await store.find_version(tx, scope, form_id, version_id)
    return _cache.put(key, version) if version and version.status is not VersionStatus.DRAFT else None
