"""The identity provider of the whole installation. People sign in with it to any account in which they have a user.

Only the operator can change it, with settings. For each account, it behaves like a provider of that account.
"""

from dataclasses import dataclass, replace

from formwright.core.auth import actor as actors
from formwright.core.crypto import SecretBox
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import NotFound
from formwright.domain.customers import service as customers
from formwright.domain.identity_providers import identities, store
from formwright.domain.identity_providers.issuers import SHARED_ISSUER, is_shared
from formwright.domain.identity_providers.models import (
    INSTALLATION_ID,
    IdentityProvider,
    SignInRefused,
    VerifiedClaims,
)
from formwright.domain.users import service as people
from formwright.settings import SettingsError
from formwright.settings.oidc import OidcSettings


@dataclass(frozen=True, slots=True)
class SignInOptions:
    """The accounts to which a person can sign in, and why not to others, by account."""

    account_ids: tuple[str, ...]
    refusals: dict[str, str]


def create_provider(settings: OidcSettings, secret_box: SecretBox) -> IdentityProvider:
    """Return the provider, before an account is chosen. Raises `SettingsError`."""
    if settings.trusts_addresses and is_shared(settings.issuer):
        raise SettingsError(f"FORMWRIGHT_OIDC_TRUST_ADDRESSES must be off. {SHARED_ISSUER}")
    return IdentityProvider(
        id=INSTALLATION_ID,
        customer_id=INSTALLATION_ID,
        name=settings.name,
        issuer=settings.issuer,
        client_id=settings.client_id,
        client_secret=secret_box.close(settings.client_secret) if settings.client_secret else "",
        scopes=settings.scopes,
        is_enabled=True,
        links_by_email=True,
        creates_users=False,
        group_ids=(),
        created=0,
        updated=0,
        revision=0,
        is_required=settings.is_required,
        signs_out=settings.signs_out,
        group_claim=settings.group_claim,
        claim_group_names=settings.groups,
        domains=settings.domains,
        new_user_account=settings.account,
        trusts_addresses=settings.trusts_addresses,
    )


def choose_account(provider: IdentityProvider, customer_id: str) -> IdentityProvider:
    """Return the provider as one of this account. It only creates users, and fills groups, in one account."""
    is_home = customer_id == provider.new_user_account
    return replace(
        provider,
        customer_id=customer_id,
        creates_users=is_home,
        group_claim=provider.group_claim if is_home else "",
    )


async def list_options(tx: ReadTransaction, provider: IdentityProvider, claims: VerifiedClaims) -> SignInOptions:
    """Return where a person can sign in, as `identities.decide` decides it for each account that may know them.

    Users are only created if the person cannot sign in anywhere else. Raises `SignInRefused` if no account knows them.
    """
    known = set(await store.list_accounts_of_identity(tx, claims.issuer, claims.subject))
    if claims.email:
        known |= set(await people.list_accounts(tx, claims.email))
    allowed, refusals = list[str](), dict[str, str]()
    for customer_id in sorted(known):
        try:
            await identities.decide(tx, choose_account(provider, customer_id), claims)
            allowed.append(customer_id)
        except SignInRefused as error:
            refusals[customer_id] = str(error)
    if not allowed and provider.new_user_account not in known:
        allowed += await _list_home(tx, provider, claims, refusals)
    return SignInOptions(tuple(allowed), refusals)


async def _list_home(
    tx: ReadTransaction, provider: IdentityProvider, claims: VerifiedClaims, refusals: dict[str, str]
) -> list[str]:
    """Return the account in which the person can be created. Raises `SignInRefused` if no account refuses them."""
    customer_id = provider.new_user_account
    try:
        # Without such an account, it says why the person is not a user of any.
        await identities.decide(tx, choose_account(provider, customer_id) if customer_id else provider, claims)
        await customers.get(tx, actors.system(customer_id))
    except NotFound:
        raise SignInRefused("FORMWRIGHT_OIDC_ACCOUNT isn’t an account of this installation.") from None
    except SignInRefused:
        if not refusals:
            raise
        return []
    return [customer_id]
