"""Customers and users."""

from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.wire import customers as wire
from formwright.api.v1_0.wire import users as users_wire
from formwright.core.access.permissions import Permission
from formwright.domain.customers import service as customers
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.people import service as people
from formwright.domain.people.model import UserNotFound


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


@operation(
    "GET",
    ("listUsers", "/customers/{customerId}/users"),
    tag="Users & Groups",
    permission=Permission.PEOPLE_READ,
    raises=(CustomerNotFound,),
)
async def list_users(call: Call, query: PageQuery) -> List[users_wire.User]:
    """List the people of the account, the first to come at the front."""
    async with call.reading() as tx:
        return call.listing(await people.page(tx, call.actor, query.window()), users_wire.user)


@operation(
    "GET",
    ("getUser", "/customers/{customerId}/users/{userId}"),
    tag="Users & Groups",
    permission=Permission.PEOPLE_READ,
    raises=(CustomerNotFound, UserNotFound),
)
async def get_user(call: Call, user_id: str) -> users_wire.User:
    """Read one person of the account."""
    async with call.reading() as tx:
        return users_wire.user(await people.get(tx, call.actor, user_id=user_id))


OPERATIONS = [*list_customers, *get_customer, *list_users, *get_user]
