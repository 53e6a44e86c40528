"""Datasources."""

from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.wire import datasources as wire
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.model import DatasourceNameTaken, DatasourceNotFound

_DATASOURCES = "/customers/{customerId}/datasources"


@operation(
    "POST",
    ("createDatasource", _DATASOURCES),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    status=201,
    location=_DATASOURCES + "/{id}",
    raises=(CustomerNotFound, DatasourceNameTaken, Invalid),
)
async def create_datasource(call: Call, body: wire.DatasourceCreate) -> wire.Datasource:
    """Import outside data as a new datasource: all rows, or none and every bad row with its reason."""
    async with call.writing() as tx:
        return wire.datasource(await datasources.create(tx, call.actor, body.new()))


@operation(
    "GET",
    ("listDatasources", "/datasources"),
    ("listCustomerDatasources", _DATASOURCES),
    tag="Datasources",
    permission=Permission.DATASOURCES_READ,
    raises=(CustomerNotFound,),
)
async def list_datasources(call: Call, query: PageQuery) -> List[wire.Datasource]:
    """List the account's datasources in the order in which they were made."""
    async with call.reading() as tx:
        return call.listing(await datasources.page(tx, call.actor, query.window()), wire.datasource)


@operation(
    "GET",
    ("getDatasource", _DATASOURCES + "/{datasourceId}"),
    tag="Datasources",
    permission=Permission.DATASOURCES_READ,
    raises=(CustomerNotFound, DatasourceNotFound),
)
async def get_datasource(call: Call, datasource_id: str) -> wire.Datasource:
    """Read what a datasource is; its rows have their own address."""
    async with call.reading() as tx:
        return wire.datasource(await datasources.get(tx, call.actor, datasource_id=datasource_id))


@operation(
    "GET",
    ("listDatasourceRows", _DATASOURCES + "/{datasourceId}/rows"),
    tag="Datasources",
    permission=Permission.DATASOURCES_READ,
    raises=(CustomerNotFound, DatasourceNotFound),
)
async def list_rows(call: Call, datasource_id: str, query: PageQuery) -> List[wire.DatasourceRow]:
    """List the rows of a datasource in their own order."""
    async with call.reading(long=True) as tx:
        page = await datasources.rows(tx, call.actor, query.window(), datasource_id=datasource_id)
    return call.listing(page, wire.row)


OPERATIONS = [*create_datasource, *list_datasources, *get_datasource, *list_rows]
