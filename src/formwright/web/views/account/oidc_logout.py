"""Back-channel logout: an identity provider ends sessions here (OpenID Connect Back-Channel Logout 1.0)."""

from typing import Any

import msgspec
from litestar import Request, post
from litestar.params import FromPath
from litestar.response import Response

from formwright.domain.identity_providers import identities
from formwright.domain.identity_providers.id_tokens import verify_logout_token
from formwright.domain.identity_providers.models import IdentityProvider, ProviderUnavailable, SignInRefused
from formwright.domain.users.auth import throttling
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.web.oidc_flow import LOGOUT_PATH, PATH, find_provider, record_failure
from formwright.web.session import get_app_context
from formwright.web.views.account.sign_in import client_address

_REMEMBERED_MS = 15 * 60 * 1000
"""For longer than a logout token is accepted."""


@post(PATH + "/{provider_id:str}" + LOGOUT_PATH, status_code=200)
async def end_sessions_of_provider(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Response[bytes]:
    """End the sessions that the provider's logout token names. Called by the provider, not by a browser."""
    provider = await find_provider(request, provider_id)
    if provider is None:
        return _answer(400, "invalid_request")
    try:
        async with get_app_context(request).db.writing() as tx:
            await throttling.count_attempt(tx, throttling.provider_buckets(client_address()))
    except TooManyAttempts as error:
        return _answer(429, "temporarily_unavailable", {"retry-after": str(error.wait_s)})
    try:
        await _end_sessions(request, provider)
    except ProviderUnavailable:
        return _answer(503, "temporarily_unavailable")
    except SignInRefused as error:
        await record_failure(request, provider, error)
        return _answer(400, "invalid_request")
    async with get_app_context(request).db.writing() as tx:
        await throttling.record_success(tx, throttling.provider_buckets(client_address()))
    return _answer(200)


async def _end_sessions(request: Request[Any, Any, Any], provider: IdentityProvider) -> None:
    ctx, form = get_app_context(request), await request.form()
    token = form.get("logout_token")
    if not isinstance(token, str) or not token:
        raise SignInRefused("The request has no logout token.")
    metadata = await ctx.oidc.load_metadata(provider.issuer)
    key = await ctx.oidc.find_key(metadata, token)
    now = ctx.clock.now()
    claims = verify_logout_token(token, key, issuer=provider.issuer, client_id=provider.client_id, now_s=now / 1000)
    async with ctx.db.writing() as tx:
        await identities.end_sessions(tx, provider, claims, now + _REMEMBERED_MS)


def _answer(status: int, error: str = "", headers: dict[str, str] | None = None) -> Response[bytes]:
    body = msgspec.json.encode({"error": error}) if error else b""
    return Response(
        body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"} | (headers or {})
    )


HANDLERS = [end_sessions_of_provider]
