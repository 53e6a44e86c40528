"""Whom a verified ID token signs in: the links between people at providers and users, and the rules for new ones."""

from collections.abc import Mapping, Sequence
from typing import Any

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Denied
from formwright.core.events import AuditNote
from formwright.core.pagination import Window
from formwright.domain.identity_providers import store
from formwright.domain.identity_providers.claims import read_groups
from formwright.domain.identity_providers.models import (
    INSTALLATION_ID,
    Decision,
    EmailState,
    Identity,
    IdentityProvider,
    ProviderNotFound,
    Rule,
    SignInRefused,
    VerifiedClaims,
)
from formwright.domain.identity_providers.provisioned_links import find_provisioned
from formwright.domain.identity_providers.service import email_domain
from formwright.domain.users import groups, management
from formwright.domain.users.auth import profile, sessions
from formwright.domain.users.auth.models import ProviderSession
from formwright.domain.users.auth.sessions import audit_own_action, require_user
from formwright.domain.users.models import (
    Credentials,
    Group,
    NewUser,
    User,
    UserEdit,
    UserFilter,
    UserStatus,
)


async def consume_state(tx: WriteTransaction, provider: IdentityProvider, state: str, ends: int) -> None:
    """Use up the state of a sign-in. Raises `SignInRefused` if it was used before."""
    # Before a person has chosen an account, there is none to lock.
    if provider.customer_id != INSTALLATION_ID:
        await account_lock.hold(tx, provider.customer_id)
    if not await store.consume_state(tx, Scope(provider.customer_id), crypto.fingerprint(state), ends):
        raise SignInRefused("The response of the provider was used before.")


async def decide(tx: ReadTransaction, provider: IdentityProvider, claims: VerifiedClaims) -> Decision:
    """Return which rule lets a person in, without changing anything. Raises `SignInRefused` if none does."""
    decision = await _decide(tx, provider, claims)
    if decision.user and decision.user.status is UserStatus.DISABLED:
        raise SignInRefused(f"The user {decision.user.id} is disabled.")
    return decision


async def _decide(tx: ReadTransaction, provider: IdentityProvider, claims: VerifiedClaims) -> Decision:
    scope, actor = Scope(provider.customer_id), provider_actor(provider)
    identity = await store.find_identity(tx, scope, claims.issuer, claims.subject)
    if identity and (details := await management.find(tx, scope, identity.user_id)):
        return Decision(Rule.LINKED, details.user)
    if provisioned := await find_provisioned(tx, actor, provider, claims):
        rule, user = provisioned
        await _check_not_linked(tx, provider, user)
        return Decision(rule, user)
    # Provisioning may have deleted the user and created them again. Nothing else brings deleted people back.
    if identity:
        raise SignInRefused("The user was deleted.")
    if found := await _find_by_email(tx, provider, claims):
        await _check_not_linked(tx, provider, found)
        return Decision(Rule.EMAIL, found)
    if not provider.creates_users:
        raise SignInRefused("There is no user with the person’s address, and the provider doesn’t create users.")
    return Decision(Rule.NEW_USER, None)


async def resolve_user(tx: WriteTransaction, provider: IdentityProvider, claims: VerifiedClaims) -> Credentials:
    """Return the user who signs in. Links or creates them if the provider may. Raises `SignInRefused`.

    The provider is the actor of these changes.
    """
    scope = Scope(provider.customer_id)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    await _check_unchanged(tx, provider)
    actor = request_context.set_actor(provider_actor(provider))
    # With the account lock: two first sign-ins at the same time must not create the user twice.
    decision = await decide(tx, provider, claims)
    user = decision.user or await _create(tx, actor, provider, claims)
    if decision.rule is Rule.LINKED:
        await store.update_last_used(tx, scope, claims.issuer, claims.subject, now)
    else:
        await _link(tx, scope, provider, claims, user, now)
    await management.activate(tx, actor, user_id=user.id)
    await _follow_groups(tx, actor, provider, claims, user.id)
    return Credentials(scope.customer_id, user.id)


async def end_sessions(tx: WriteTransaction, provider: IdentityProvider, claims: Mapping[str, Any], ends: int) -> int:
    """End the sessions that a verified logout token names. Returns their number. Raises `SignInRefused` for a replay.

    The provider is the actor.
    """
    await consume_state(tx, provider, f"logout {provider.id} {claims['jti']}", ends)
    request_context.set_actor(provider_actor(provider))
    at_provider, subject, ended = ProviderSession(provider.id, claims.get("sid", "")), claims.get("sub"), 0
    for scope in [Scope(one) for one in await _list_accounts(tx, provider, at_provider, subject)]:
        if subject is None:
            ended += await sessions.end_of_provider(tx, scope, at_provider)
        elif identity := await store.find_identity(tx, scope, provider.issuer, subject):
            ended += await sessions.end_of_provider(tx, scope, at_provider, identity.user_id)
    return ended


async def _list_accounts(
    tx: ReadTransaction, provider: IdentityProvider, at_provider: ProviderSession, subject: str | None
) -> list[str]:
    """Return the accounts in which a person or session of the provider can have sessions, in the order of locks."""
    if not provider.is_installation:
        return [provider.customer_id]
    if subject is None:
        return sorted(await sessions.list_accounts_of_provider(tx, at_provider))
    return sorted(await store.list_accounts_of_identity(tx, provider.issuer, subject))


async def _follow_groups(
    tx: WriteTransaction, actor: Actor, provider: IdentityProvider, claims: VerifiedClaims, user_id: str
) -> None:
    """Add the user to the groups that the claim lists, and remove them from the others that follow it."""
    found = await find_claimed_groups(tx, actor, provider, claims)
    if found is None:
        return
    managed = {group.id for group in await _list_managed_groups(tx, actor, provider)}
    current = set((await management.get(tx, actor, user_id=user_id)).group_ids)
    wanted = (current - managed) | {group.id for group in found}
    if wanted != current:
        await management.edit(tx, actor, UserEdit(group_ids=sorted(wanted)), user_id=user_id)


async def find_claimed_groups(
    tx: ReadTransaction, actor: Actor, provider: IdentityProvider, claims: VerifiedClaims
) -> list[Group] | None:
    """Return the groups of the account that the claim lists, of those that follow it; None if it can't be told."""
    names = read_groups(provider, claims)
    if names is None:
        return None
    found = await _list_managed_groups(tx, actor, provider)
    return [group for group in found if (group.external_id or group.name) in names]


async def _list_managed_groups(tx: ReadTransaction, actor: Actor, provider: IdentityProvider) -> list[Group]:
    """Return the groups whose members follow the claim."""
    if not provider.claim_group_names:
        return list((await groups.find_many(tx, actor, provider.claim_group_ids)).values())
    return await groups.find_named(tx, actor, provider.claim_group_names)


async def link_own(tx: WriteTransaction, actor: Actor, provider: IdentityProvider, claims: VerifiedClaims) -> None:
    """Link the acting user's own sign-in, which they started on their account page. Raises `SignInRefused`."""
    scope, user_id = require_user(actor)
    if scope.customer_id != provider.customer_id:
        raise SignInRefused("The provider belongs to another account.")
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    await _check_unchanged(tx, provider)
    details = await management.find(tx, scope, user_id)
    if details is None:
        raise SignInRefused("The user was deleted.")
    identity = await store.find_identity(tx, scope, claims.issuer, claims.subject)
    if identity is None:
        request_context.set_actor(actor)
        await _link(tx, scope, provider, claims, details.user, now)
    elif identity.user_id != user_id:
        raise SignInRefused("This person is already linked to another user.")


async def unlink_own(tx: WriteTransaction, actor: Actor, *, provider_id: str) -> None:
    """Remove the acting user's own link to a provider.

    Raises `ProviderNotFound` if there is none, or `Denied` for a user without a password, who could not return.
    """
    scope, user_id = require_user(actor)
    await account_lock.next_timestamp(tx, scope.customer_id)
    if await profile.get_password_hash(tx, actor) is None:
        raise Denied("You have no password, so you could no longer sign in.")
    details = await management.find(tx, scope, user_id)
    if details is None or not await store.delete_identity(tx, scope, user_id, provider_id):
        raise ProviderNotFound()
    audit_own_action(tx, "user.updated", details.user, "identities")


async def list_own(
    tx: ReadTransaction, actor: Actor, installation: IdentityProvider | None
) -> list[tuple[IdentityProvider, Identity | None]]:
    """Return the enabled providers of the account and the installation, each with the acting user's link to it."""
    scope, user_id = require_user(actor)
    linked = {identity.provider_id: identity for identity in await store.list_identities(tx, scope, user_id)}
    providers = [*await store.list_all(tx, scope), *([installation] if installation else [])]
    return [(one, linked.get(one.id)) for one in providers if one.is_enabled or one.id in linked]


async def list_provider_names(
    tx: ReadTransaction, actor: Actor, user_ids: Sequence[str], installation: IdentityProvider | None
) -> dict[str, list[str]]:
    """Return the names of the providers to which these users are linked, by user."""
    found: dict[str, list[str]] = {}
    scope, more = allow(actor, Permission.PEOPLE_READ), {installation.id: installation.name} if installation else {}
    for user_id, name in await store.list_provider_names(tx, scope, user_ids, more):
        found.setdefault(user_id, []).append(name)
    return found


async def audit_failure(tx: WriteTransaction, provider: IdentityProvider, reason: str) -> None:
    """Record for the owners why somebody could not sign in. The reason must not contain personal data.

    Erasing a person's data could not find it in the entries of a provider.
    """
    # A provider can put any characters into its answers.
    name = "".join(letter for letter in f"{provider.name}: {reason}" if letter.isprintable())[:500]
    tx.audit(AuditNote(provider.customer_id, "identity_provider.sign_in_failed", provider.id, name))


async def _check_unchanged(tx: ReadTransaction, provider: IdentityProvider) -> None:
    """Refuse if an owner has changed or removed the provider since the sign-in began."""
    if provider.is_installation:
        return  # It only changes with a restart.
    current = await store.find(tx, Scope(provider.customer_id), provider.id)
    if current is None or not current.is_enabled or current.revision != provider.revision:
        raise SignInRefused("The identity provider was changed during the sign-in.")


def provider_actor(provider: IdentityProvider) -> Actor:
    """Return the actor of what a provider changes."""
    return actors.system(provider.customer_id, f"{provider.name} (identity provider)")


async def _find_by_email(tx: ReadTransaction, provider: IdentityProvider, claims: VerifiedClaims) -> User | None:
    """Return the user of the account with the person's address, or None. Raises `SignInRefused` if linking may not be.

    Only some domains count: for any other address, the provider may say what it likes.
    """
    domains = provider.domains
    if domains is None:
        domains = tuple(await store.list_domains(tx, Scope(provider.customer_id)))
    if not claims.email:
        raise SignInRefused(_explain_email(provider, claims.email_state))
    if (domain := email_domain(claims.email)) not in domains:
        whose = "the settings don’t list" if provider.is_installation else "the account hasn’t claimed"
        raise SignInRefused(f"The person isn’t linked to a user, and {whose} the domain {domain}.")
    criteria = UserFilter(email=claims.email)
    found = (await management.page(tx, provider_actor(provider), criteria, Window(1))).items
    if not found:
        return None
    if not provider.links_by_email:
        raise SignInRefused(f"The user {found[0].id} isn’t linked. They can link themselves on their account page.")
    user = found[0].user
    if claims.email_state is EmailState.TRUSTED and await management.is_owner_with_password(tx, user):
        raise SignInRefused(
            f"The user {user.id} is an owner with a password, and the provider doesn’t say that their address is"
            " verified. They can link themselves on their account page."
        )
    return user


def _explain_email(provider: IdentityProvider, state: EmailState) -> str:
    """Return why nobody was found by their address."""
    switch = "FORMWRIGHT_OIDC_TRUST_ADDRESSES" if provider.is_installation else "“Trust its email addresses”"
    reasons = {
        EmailState.MISSING: "the provider sent no email address",
        EmailState.DENIED: "the provider says that their email address isn’t verified",
        EmailState.UNSAID: f"the provider doesn’t say whether their email address is verified (see {switch})",
        EmailState.SHARED: "an issuer of many organisations only counts for verified email addresses",
        EmailState.GUEST: "a guest’s email address only counts if the provider says that it is verified",
    }
    return f"The person isn’t linked to a user, and {reasons[state]}."


async def _create(tx: WriteTransaction, actor: Actor, provider: IdentityProvider, claims: VerifiedClaims) -> User:
    # Groups that were deleted since the provider was set up are left out.
    group_ids = sorted(await groups.find_many(tx, actor, provider.group_ids))
    new = NewUser(claims.email, claims.name or claims.email, group_ids=group_ids)
    return (await management.create_without_password(tx, actor, new)).user


async def _check_not_linked(tx: ReadTransaction, provider: IdentityProvider, user: User) -> None:
    """Refuse to link a user twice to a provider.

    A second person with the user's address has got it from them, for example when a company reassigns addresses.
    """
    linked = await store.list_identities(tx, Scope(provider.customer_id), user.id)
    # The issuer of the installation's provider may have been another one.
    if any((one.provider_id, one.issuer) == (provider.id, provider.issuer) for one in linked):
        raise SignInRefused(f"The user {user.id} is already linked to another person at this provider.")


async def _link(
    tx: WriteTransaction, scope: Scope, provider: IdentityProvider, claims: VerifiedClaims, user: User, now: int
) -> None:
    await _check_not_linked(tx, provider, user)
    await store.save_identity(tx, scope, Identity(claims.issuer, claims.subject, user.id, provider.id, now, now))
    tx.audit(AuditNote(scope.customer_id, "user.updated", user.id, user.name, ("identities",)))
