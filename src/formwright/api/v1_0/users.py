"""Users."""

from formwright.api.call import Call, base_url
from formwright.api.operation import operation
from formwright.api.paging import List
from formwright.api.v1_0.wire import users as wire
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.folders.model import FolderNotFound
from formwright.domain.forms.model import FormNotFound
from formwright.domain.people import persons
from formwright.domain.people.model import EmailTaken, UserNotFound
from formwright.domain.people.rights import LastOwner
from formwright.domain.people.signin import mailing
from formwright.domain.people.why import reasons
from formwright.reading import QueryInvalid

_USERS = "/customers/{customerId}/users"
_USER = _USERS + "/{userId}"
_TAG = "Users & Groups"


@operation("GET", ("listUsers", _USERS), tag=_TAG, permission=Permission.PEOPLE_READ, raises=(CustomerNotFound,))
async def list_users(call: Call, query: wire.UserQuery) -> List[wire.User]:
    """List the people of the account, the first to come at the front."""
    async with call.reading() as tx:
        return call.listing(await persons.page(tx, call.actor, query.wanted(), query.window()), wire.user)


@operation(
    "POST",
    ("createUser", _USERS),
    tag=_TAG,
    permission=Permission.PEOPLE_MANAGE,
    status=201,
    location=_USERS + "/{id}",
    raises=(CustomerNotFound, EmailTaken, Invalid),
)
async def create_user(call: Call, body: wire.UserCreate) -> wire.User:
    """Add a person, who gets a mail with a link to set a password. Until then the status is `INVITED`."""
    async with call.writing() as tx:
        person = await persons.invite(tx, call.actor, body.new())
        await mailing.follow(tx, _office(call), None, person)
        return wire.user(person)


def _office(call: Call) -> mailing.Office:
    return mailing.Office(call.house.seal, base_url(call.house, call.request))


@operation(
    "GET", ("getUser", _USER), tag=_TAG, permission=Permission.PEOPLE_READ, raises=(CustomerNotFound, UserNotFound)
)
async def get_user(call: Call, user_id: str) -> wire.User:
    """Read one person of the account."""
    async with call.reading() as tx:
        return wire.user(await persons.get(tx, call.actor, user_id=user_id))


@operation(
    "PUT",
    ("changeUser", _USER),
    tag=_TAG,
    permission=Permission.PEOPLE_MANAGE,
    raises=(CustomerNotFound, UserNotFound, EmailTaken, LastOwner, Invalid),
)
async def change_user(call: Call, user_id: str, body: wire.UserChange) -> wire.User:
    """Change a person: name, address, language, status, groups, and what is given to the person.

    What is left out stays as it is; `groups` and `grants` are replaced as a whole. The last owner who can sign in
    stays one. A person who is still invited and gets another address is sent a link there; the one before ends.
    """
    async with call.writing() as tx:
        was = await persons.get(tx, call.actor, user_id=user_id)
        person = await persons.change(tx, call.actor, body.change(), user_id=user_id)
        await mailing.follow(tx, _office(call), was, person)
        return wire.user(person)


@operation(
    "GET",
    ("getUserAccess", _USER + "/access"),
    tag=_TAG,
    permission=Permission.PEOPLE_READ,
    raises=(CustomerNotFound, UserNotFound, FormNotFound, FolderNotFound, QueryInvalid),
)
async def get_access(call: Call, user_id: str, query: wire.AccessQuery) -> wire.Access:
    """Read what a person may do with a form, in a folder or in the account, and which grant allows it.

    Each reason names the role, what it is given for and, where it comes through a group, that group.
    """
    query.check()
    async with call.reading() as tx:
        person, found = await reasons(tx, call.actor, user_id=user_id, form_id=query.form_id, folder_id=query.folder_id)
    return wire.access(person, found, query.permission)


OPERATIONS = [*list_users, *create_user, *get_user, *change_user, *get_access]
