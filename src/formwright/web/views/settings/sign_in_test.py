"""Settings, Sign-in: testing a provider. Shows what it says about a person, and which rule would let them in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from formwright.core.errors import DomainError
from formwright.domain.identity_providers import identities, service
from formwright.domain.identity_providers.models import (
    Decision,
    EmailState,
    IdentityProvider,
    ProviderUnavailable,
    Rule,
    SignInRefused,
    VerifiedClaims,
)
from formwright.domain.users.models import Group
from formwright.web.http import Redirect, Response, get
from formwright.web.oidc_flow import PendingSignIn, begin, clear_cookie, identify, require_same_session
from formwright.web.page import Page
from formwright.web.session import is_same_site
from formwright.web.views.settings.identity_providers import PATH

_MAX_CLAIMS, _MAX_VALUE = 100, 500
_EMAIL_KINDS = {EmailState.VERIFIED: "verified", EmailState.TRUSTED: "trusted"}


@dataclass(frozen=True, slots=True)
class SignInTestPage:
    """What a test has found. `fault` says why the person would be refused; "" if they would be let in."""

    name: str
    provider_url: str
    outcome: str = ""
    fault: str = ""
    email: str = ""
    email_kind: str = ""
    """`verified` or `trusted`, if there is an address that counts."""
    claims: Sequence[tuple[str, str]] = ()


@get(PATH + "/{provider_id:str}/try")
async def start_test(page: Page, provider_id: str) -> Response:
    """Send the owner to the provider, which may be disabled."""
    provider = await service.get(page.tx, page.actor, provider_id=provider_id)
    if not is_same_site(page):
        return Redirect(f"{PATH}/{provider_id}")
    try:
        url, cookie = await begin(page, provider, PATH, page.visitor, is_test=True)
    except ProviderUnavailable as error:
        return _render(page, provider, SignInTestPage(provider.name, "", fault=str(error)))
    return Redirect(url, cookies=[cookie])


async def complete_test(page: Page, provider_id: str, pending: PendingSignIn) -> Response:
    """Show an owner who has come back from the provider what would happen. Nobody is linked or created."""
    provider = await service.get(page.tx, page.actor, provider_id=provider_id)
    claims: VerifiedClaims | None = None
    try:
        await require_same_session(page, pending)
        claims = await identify(page, provider, pending)
        outcome = _describe(await identities.decide(page.tx, provider, claims), claims)
        if provider.group_claim:
            found = await identities.find_claimed_groups(page.tx, page.actor, provider, claims)
            outcome += _describe_groups(found)
        view_model = SignInTestPage(provider.name, "", outcome)
    except (SignInRefused, ProviderUnavailable, DomainError) as error:
        view_model = SignInTestPage(provider.name, "", fault=str(error))
    response = _render(page, provider, view_model, claims)
    response.set_cookie(clear_cookie(page))
    return response


def _describe(decision: Decision, claims: VerifiedClaims) -> str:
    name = decision.user.name if decision.user else ""
    kind = _EMAIL_KINDS.get(claims.email_state, "")
    match decision.rule:
        case Rule.LINKED:
            return f"Signs in as {name}, who is linked to this person."
        case Rule.EXTERNAL_ID:
            return f"Signs in as {name}, whom provisioning has created with this external ID. Is linked from then on."
        case Rule.USER_NAME:
            return f"Signs in as {name}, whom provisioning has created with this user name. Is linked from then on."
        case Rule.EMAIL:
            return f"Signs in as {name}, who has the {kind} email address, and is linked from then on."
    return f"Signs in as a new user, who is created with the {kind} email address."


def _describe_groups(found: Sequence[Group] | None) -> str:
    if found is None:
        return " The claim doesn’t say which groups, so they stay as they are."
    names = ", ".join(group.name for group in found) or "none"
    return f" Of the groups that follow the claim, the person is in: {names}."


def _render(
    page: Page, provider: IdentityProvider, view_model: SignInTestPage, claims: VerifiedClaims | None = None
) -> Response:
    received = sorted(claims.received.items())[:_MAX_CLAIMS] if claims else []
    view_model = SignInTestPage(
        view_model.name,
        f"{PATH}/{provider.id}",
        view_model.outcome,
        view_model.fault,
        claims.email if claims else "",
        _EMAIL_KINDS.get(claims.email_state, "") if claims else "",
        [(name[:_MAX_VALUE], _to_text(value)) for name, value in received],
    )
    return page.render("settings/sign_in_test.html", view_model, section="Settings")


def _to_text(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return text if len(text) <= _MAX_VALUE else text[:_MAX_VALUE] + "…"
