"""Final versions, kept in the process: they never change, and are asked for with every letter that is typed."""

from collections import OrderedDict

from formwright.core.access.scope import Scope
from formwright.core.storage.database import Reading
from formwright.domain.forms import store
from formwright.domain.forms.model import Version, VersionStatus

_MOST = 512
_kept: OrderedDict[tuple[str, str, str], Version] = OrderedDict()


async def find(tx: Reading, scope: Scope, form_id: str, version_id: str) -> Version | None:
    """The version, if it is final."""
    key = (scope.customer_id, form_id, version_id)
    version = _kept.pop(key, None) or await store.find_version(tx, scope, form_id, version_id)
    if version is None or version.status is VersionStatus.DRAFT:
        return None
    _kept[key] = version
    if len(_kept) > _MOST:
        _kept.popitem(last=False)
    return version
