"""Final versions, kept in the process: they never change, and are asked for with every letter that is typed."""

from formwright.core.access.scope import Scope
from formwright.core.kernel.recent import Recent
from formwright.core.storage.database import Reading
from formwright.domain.forms import store
from formwright.domain.forms.model import Version, VersionStatus

_kept = Recent[tuple[str, str, str], Version](512)


async def find(tx: Reading, scope: Scope, form_id: str, version_id: str) -> Version | None:
    """The version, if it is final."""
    key = (scope.customer_id, form_id, version_id)
    if kept := _kept.get(key):
        return kept
    version = await store.find_version(tx, scope, form_id, version_id)
    return _kept.keep(key, version) if version and version.status is not VersionStatus.DRAFT else None
