"""Back-channel logout: an identity provider ends sessions here (OpenID Connect Back-Channel Logout 1.0)."""

import msgspec

from formwright.domain.identity_providers import identities
from formwright.domain.identity_providers.id_tokens import verify_logout_token
from formwright.domain.identity_providers.models import IdentityProvider, ProviderUnavailable, SignInRefused
from formwright.domain.users.auth import throttling
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.web.http import Response, post
from formwright.web.oidc_flow import LOGOUT_PATH, PATH, find_provider, record_failure
from formwright.web.page import PublicPage
from formwright.web.views.account.sign_in import client_address

_REMEMBERED_MS = 15 * 60 * 1000
"""For longer than a logout token is accepted."""


@post(PATH + "/{provider_id:str}" + LOGOUT_PATH)
async def end_sessions_of_provider(page: PublicPage, provider_id: str) -> Response:
    """End the sessions that the provider's logout token names. Called by the provider, not by a browser."""
    provider = await find_provider(page, provider_id)
    if provider is None:
        return _respond(400, "invalid_request")
    try:
        async with page.writing() as tx:
            # Before the keys of the provider are loaded, so that strangers cannot make this server send many requests.
            await throttling.count_attempt(tx, throttling.provider_buckets(client_address()))
    except TooManyAttempts as error:
        return _respond(429, "temporarily_unavailable", {"retry-after": str(error.wait_s)})
    try:
        await _end_sessions(page, provider)
    except ProviderUnavailable:
        return _respond(503, "temporarily_unavailable")
    except SignInRefused as error:
        await record_failure(page, provider, error)
        return _respond(400, "invalid_request")
    async with page.writing() as tx:
        await throttling.record_success(tx, throttling.provider_buckets(client_address()))
    return _respond(200)


async def _end_sessions(page: PublicPage, provider: IdentityProvider) -> None:
    form = await page.form()
    token = form.get("logout_token")
    if not isinstance(token, str) or not token:
        raise SignInRefused("The request has no logout token.")
    metadata = await page.ctx.oidc.load_metadata(provider.issuer)
    key = await page.ctx.oidc.find_key(metadata, token)
    now = page.ctx.clock.now()
    claims = verify_logout_token(token, key, issuer=provider.issuer, client_id=provider.client_id, now_s=now / 1000)
    async with page.writing() as tx:
        await identities.end_sessions(tx, provider, claims, now + _REMEMBERED_MS)


def _respond(status: int, error: str = "", headers: dict[str, str] | None = None) -> Response:
    body = msgspec.json.encode({"error": error}) if error else b""
    return Response(
        body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"} | (headers or {})
    )
