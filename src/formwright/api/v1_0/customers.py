"""Operations on the account."""

from formwright.api.context import RequestContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import customers as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.pagination import Page
from formwright.domain.api_keys import service as keys
from formwright.domain.customers import service as customers

OPERATIONS = OperationGroup("Customers", reads=Permission.CUSTOMER_READ)


@OPERATIONS.declare("GET", ("listCustomers", "/customers"))
async def list_customers(call: RequestContext, query: PageQuery) -> List[schemas.Customer]:
    """List accounts.

    Returns the account of the API key, so the list has exactly one item. Its `key` says what the key may do.
    """
    # Only to reject invalid cursors, because the list has one page.
    query.window()
    return call.listing(Page([await _read_account(call)], None), lambda account: account)


@OPERATIONS.declare("GET", ("getCustomer", "/customers/{customerId}"))
async def get_customer(call: RequestContext) -> schemas.Customer:
    """Get an account.

    Returns the name, locale and time zone of the account, and what the API key of the request may do.
    """
    return await _read_account(call)


async def _read_account(call: RequestContext) -> schemas.Customer:
    identity = call.credential.identity
    async with call.reading() as tx:
        record = await customers.get(tx, call.actor)
        key = await keys.get_calling(tx, identity.customer_id, identity.key_id)
    return schemas.customer(record, key, call.ctx.rates.limit_of(key.rate_limit))
