"""What the claims of a verified ID token and the userinfo response say about a person."""

from collections.abc import Mapping
from typing import Any

from formwright.core.net.email_message import is_address
from formwright.domain.identity_providers.issuers import is_guest, is_shared
from formwright.domain.identity_providers.models import EmailState, IdentityProvider, VerifiedClaims
from formwright.domain.users.models import is_email, normalise_email

_MAX_NAME = 200


def read_claims(provider: IdentityProvider, claims: Mapping[str, Any], userinfo: Mapping[str, Any]) -> VerifiedClaims:
    """Return the claims that sign-in uses. Those of the ID token come first.

    The address counts only if the provider says, in the same document, that it has verified it, or if an owner trusts
    its addresses and it says nothing about this one.
    """
    received = {**userinfo, **claims}
    email, state = _read_email(claims, userinfo)
    if state is EmailState.UNSAID and provider.trusts_addresses:
        state = _trust(provider.issuer, received)
    names = (_read_name(document.get("name")) for document in (claims, userinfo))
    counts = state in (EmailState.VERIFIED, EmailState.TRUSTED)
    return VerifiedClaims(
        issuer=provider.issuer,
        subject=claims["sub"],
        email=email if counts else "",
        name=next((name for name in names if name), ""),
        received=received,
        email_state=state,
    )


def vouches_for_names(issuer: str, received: Mapping[str, Any]) -> bool:
    """Whether only the administrators of one organisation can have set the person's names and addresses."""
    return not is_shared(issuer) and not is_guest(issuer, received)


def _trust(issuer: str, received: Mapping[str, Any]) -> EmailState:
    if is_shared(issuer):
        return EmailState.SHARED
    return EmailState.GUEST if is_guest(issuer, received) else EmailState.TRUSTED


def _read_email(*documents: Mapping[str, Any]) -> tuple[str, EmailState]:
    """Return the address that counts, or would if it were trusted, and what the provider says about it."""
    found = [(_parse_email(document.get("email")), _is_verified(document)) for document in documents]
    addresses = [(email, verified) for email, verified in found if email]
    if not addresses:
        return "", EmailState.MISSING
    # A provider that contradicts itself has not verified the address.
    if any(verified is False for _, verified in found):
        return "", EmailState.DENIED
    confirmed = next((email for email, verified in addresses if verified), "")
    return (confirmed, EmailState.VERIFIED) if confirmed else (addresses[0][0], EmailState.UNSAID)


def _is_verified(document: Mapping[str, Any]) -> bool | None:
    """Return whether the provider says that it has verified the address; None if it says nothing.

    Some providers send texts. Microsoft Entra ID sends no `email_verified`, but `xms_edov` if it is asked to: whether
    the owner of the domain has proved to own it, as a boolean, a number or a text. Anything else means no.
    """
    statements = {name: document[name] for name in ("email_verified", "xms_edov") if document.get(name) is not None}
    if not statements:
        return None
    return all(_is_true(value, allows_number=name == "xms_edov") for name, value in statements.items())


def _is_true(value: object, *, allows_number: bool) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in (("true", "1") if allows_number else ("true",))
    return value is True or (allows_number and isinstance(value, int) and value == 1)


def _parse_email(value: object) -> str:
    if not isinstance(value, str) or not is_email(value):
        return ""
    email = normalise_email(value)
    return email if is_address(email) else ""


def _read_name(value: object) -> str:
    text = value if isinstance(value, str) else ""
    return "".join(letter for letter in text if letter.isprintable()).strip()[:_MAX_NAME]


def select_claims(provider: IdentityProvider, claims: VerifiedClaims) -> dict[str, Any]:
    """Return those received claims that a sign-in needs after the person has chosen an account."""
    selected = {"sid": claims.received["sid"]} if "sid" in claims.received else {}
    if not provider.group_claim:
        return selected
    names = read_groups(provider, claims)
    found = (
        {"hasgroups": True} if names is None else {provider.group_claim: sorted(names & {*provider.claim_group_names})}
    )
    return selected | found


def read_groups(provider: IdentityProvider, claims: VerifiedClaims) -> set[str] | None:
    """Return the groups of a person by the claim of the provider, or None if they can't be told from the token.

    A missing claim is an empty one, because some providers omit it for people without groups.
    """
    name, received = provider.group_claim, claims.received
    # Microsoft Entra ID only says that there are too many (RFC 7519 has no such thing; OpenID Connect Core, 5.6.2).
    elsewhere = received.get("_claim_names")
    if not name or received.get("hasgroups") or (isinstance(elsewhere, dict) and name in elsewhere):
        return None
    value = received.get(name)
    values = value if isinstance(value, list) else [value]
    return {one for one in values if isinstance(one, str)}
