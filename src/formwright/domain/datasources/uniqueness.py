"""Names and external ids, each of which only one data source of an account has."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources import store
from formwright.domain.datasources.models import DatasourceExternalIdTaken, DatasourceNameTaken


async def check_taken(
    tx: ReadTransaction, scope: Scope, name: str | None, external_id: str | None, datasource_id: str
) -> None:
    """Raise `DatasourceExternalIdTaken` or `DatasourceNameTaken` if another visible data source has one of these."""
    # If another request creates the same data source between the two statements, its external id is found.
    is_name_taken = name is not None and await store.is_name_taken(tx, scope, name, datasource_id)
    found = await store.find_by_external_id(tx, scope, external_id) if external_id else None
    if found is not None and found.id != datasource_id:
        raise DatasourceExternalIdTaken()
    if is_name_taken:
        raise DatasourceNameTaken()


async def check_reserved(
    tx: ReadTransaction, scope: Scope, name: str, external_id: str | None, datasource_id: str
) -> None:
    """Do the same, also for data sources whose first import is in progress."""
    if external_id and await store.is_external_id_reserved(tx, scope, external_id, datasource_id):
        raise DatasourceExternalIdTaken()
    if await store.is_name_reserved(tx, scope, name, datasource_id):
        raise DatasourceNameTaken()
