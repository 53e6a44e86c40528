"""Customers."""

from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.wire import customers as wire
from formwright.core.access.permissions import Permission
from formwright.domain.customers import service as customers
from formwright.domain.customers.service import CustomerNotFound


@operation("GET", ("listCustomers", "/customers"), tag="Customers", permission=Permission.CUSTOMER_READ)
async def list_customers(call: Call, query: PageQuery) -> List[wire.Customer]:
    """List the accounts in reach of the key: the one it was made in."""
    query.window()
    async with call.reading() as tx:
        return List([wire.customer(await customers.get(tx, call.actor))], None)


@operation(
    "GET",
    ("getCustomer", "/customers/{customerId}"),
    tag="Customers",
    permission=Permission.CUSTOMER_READ,
    raises=(CustomerNotFound,),
)
async def get_customer(call: Call) -> wire.Customer:
    """Read the account's information."""
    async with call.reading() as tx:
        return wire.customer(await customers.get(tx, call.actor))


OPERATIONS = [*list_customers, *get_customer]
