"""Which user created by provisioning a person is: by the external ID or the user name that their provider has sent."""

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.domain.identity_providers.claims import vouches_for_names
from formwright.domain.identity_providers.issuers import is_shared
from formwright.domain.identity_providers.models import IdentityProvider, Rule, SignInRefused, VerifiedClaims
from formwright.domain.provisioning import users as provisioned_users
from formwright.domain.provisioning.models import ProvisionedUserFilter
from formwright.domain.users import management
from formwright.domain.users.models import User

_MAX_TEXT = 200


async def find_provisioned(
    tx: ReadTransaction, actor: Actor, provider: IdentityProvider, claims: VerifiedClaims
) -> tuple[Rule, User] | None:
    """Return the user whom provisioning has created for a person who isn't linked, and how they were recognised.

    Only if an owner has said that this provider provisions the account: another one could send any identifier. Raises
    `SignInRefused` if the identifiers name several users.
    """
    if not provider.links_provisioned:
        return None
    if user := await _find_only(tx, actor, [ProvisionedUserFilter(external_id=one) for one in _list_ids(claims)]):
        return Rule.EXTERNAL_ID, user
    # People can choose this name at some providers, and guests bring it from another tenant.
    name = _read_text(claims, "preferred_username") if vouches_for_names(claims.issuer, claims.received) else ""
    user = await _find_only(tx, actor, [ProvisionedUserFilter(user_name=name)] if name else [])
    return (Rule.USER_NAME, user) if user else None


def _list_ids(claims: VerifiedClaims) -> list[str]:
    """Return the identifiers of the person that never change, without repetition.

    `oid` is the object ID of Entra ID, the same for all clients. Only `sub` is unique at an issuer with many tenants.
    """
    names = ("sub",) if is_shared(claims.issuer) else ("oid", "sub")
    return [one for one in dict.fromkeys(_read_text(claims, name) for name in names) if one]


def _read_text(claims: VerifiedClaims, name: str) -> str:
    value = claims.received.get(name)
    is_valid = isinstance(value, str) and value.strip() and len(value) <= _MAX_TEXT and value.isprintable()
    return str(value) if is_valid else ""


async def _find_only(tx: ReadTransaction, actor: Actor, searches: list[ProvisionedUserFilter]) -> User | None:
    found: dict[str, User] = {}
    for criteria in searches:
        for one in await provisioned_users.page(tx, actor, criteria, offset=0, limit=2):
            user = one.details.user
            # Whoever has the token could give anybody who existed before any external ID.
            if one.is_created_by_provider and not await management.is_owner_with_password(tx, user):
                found[user.id] = user
    if len(found) > 1:
        raise SignInRefused("The person’s identifiers belong to several provisioned users: " + ", ".join(sorted(found)))
    return next(iter(found.values()), None)
