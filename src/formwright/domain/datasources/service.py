"""The verbs of datasources."""

import msgspec

from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.paging import Page, Window
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Writing
from formwright.domain.datasources import events, rules, store
from formwright.domain.datasources.model import (
    DataRow,
    Datasource,
    DatasourceNameTaken,
    DatasourceNotFound,
    NewDatasource,
    Search,
)


async def create(tx: Writing, actor: Actor, new: NewDatasource) -> Datasource:
    """A new datasource with all its rows, or with none of them and the faults."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    columns = rules.columns_of(new)
    if found := rules.faults(new, columns):
        raise Invalid(found)
    now = await order.stamp(tx, scope.customer_id)
    if await store.name_taken(tx, scope, new.name):
        raise DatasourceNameTaken()
    datasource = Datasource(
        tx.new_id("dat"), scope.customer_id, new.name, new.key_column, columns, len(new.rows), now, now, 1
    )
    await store.insert(tx, datasource)
    await store.insert_rows(
        tx,
        datasource,
        (
            DataRow(position, rules.key_text(row.get(new.key_column)), msgspec.json.encode(row).decode())
            for position, row in enumerate(new.rows)
        ),
    )
    tx.record(events.DatasourceImported(scope.customer_id, datasource))
    return datasource


async def get(tx: Reading, actor: Actor, *, datasource_id: str) -> Datasource:
    """One datasource of the account."""
    datasource = await store.find(tx, allow(actor, Permission.DATASOURCES_READ), datasource_id)
    if datasource is None:
        raise DatasourceNotFound()
    return datasource


async def page(tx: Reading, actor: Actor, window: Window) -> Page[Datasource]:
    """The account's datasources in the order in which they were made."""
    return await store.page(tx, allow(actor, Permission.DATASOURCES_READ), window)


async def rows(tx: Reading, actor: Actor, window: Window, *, datasource_id: str) -> Page[DataRow]:
    """The rows of a datasource in their own order."""
    datasource = await get(tx, actor, datasource_id=datasource_id)
    return await store.page_of_rows(tx, allow(actor, Permission.DATASOURCES_READ), datasource.id, window)


async def search(tx: Reading, actor: Actor, wanted: Search, *, datasource_id: str) -> list[DataRow]:
    """Up to 50 rows in their own order, for somebody who fills a form.

    Who calls answers for it that the form has a lookup into this datasource.
    """
    return await store.search(tx, allow(actor, Permission.SUBMISSIONS_CREATE), datasource_id, wanted)
