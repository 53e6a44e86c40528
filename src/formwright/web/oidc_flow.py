"""A sign-in at an identity provider: sending the browser there, and identifying the person who returns.

The state between the two is in an encrypted cookie that expires after ten minutes and works once.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import replace
from urllib.parse import urlencode

import msgspec
import structlog
from cryptography.fernet import InvalidToken

from formwright.domain.identity_providers import identities, service
from formwright.domain.identity_providers.claims import read_claims
from formwright.domain.identity_providers.id_tokens import verify_id_token
from formwright.domain.identity_providers.models import (
    INSTALLATION_ID,
    IdentityProvider,
    ProviderUnavailable,
    SignInRefused,
    VerifiedClaims,
)
from formwright.domain.identity_providers.oidc_client import ProviderMetadata
from formwright.domain.users.auth.models import ProviderSession, Session
from formwright.settings import Settings
from formwright.web.http import Cookie
from formwright.web.page import PublicPage
from formwright.web.sealed_cookies import host_cookie_name, open_cookie, seal_cookie
from formwright.web.session import SignInRequired, Visitor, make_cookie

log = structlog.get_logger()

PATH = "/sign-in/oidc"
LOGOUT_PATH = "/back-channel-logout"
_LIFETIME_S = 600
_MAX_CODE = 4000
_MAX_SESSION = 255
_MAX_HINT = 4000
"""Longer ID tokens, such as those with hundreds of groups, make URLs that servers refuse."""


class PendingSignIn(msgspec.Struct, frozen=True):
    """A sign-in that has begun. With `session_id`, a signed-in user links themselves, or tests the provider."""

    provider_id: str
    ends: int
    state: str
    nonce: str
    verifier: str
    redirect_uri: str
    next_url: str
    session_id: str = ""
    is_test: bool = False


async def begin(
    page: PublicPage,
    provider: IdentityProvider,
    next_url: str,
    visitor: Visitor | None = None,
    *,
    is_test: bool = False,
) -> tuple[str, Cookie]:
    """Return the address of the provider to send the browser to, and the cookie for it.

    With a visitor, the sign-in links them or, with `is_test`, only shows what would happen. Raises
    `ProviderUnavailable`.
    """
    await page.end_reading()
    metadata = await page.ctx.oidc.load_metadata(provider.issuer)
    pending = PendingSignIn(
        provider_id=provider.id,
        ends=page.ctx.clock.now() + _LIFETIME_S * 1000,
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        # 64 characters; at least 43 and at most 128 are allowed (RFC 7636, section 4.1).
        verifier=secrets.token_urlsafe(48),
        redirect_uri=callback_url(page, provider.id),
        next_url=next_url,
        session_id=visitor.session.id if visitor else "",
        is_test=is_test,
    )
    return _authorization_url(provider, metadata, pending), _make_cookie(page, pending)


def callback_url(page: PublicPage, provider_id: str) -> str:
    """Return the redirect URI of a provider. Each has its own, so that one provider cannot answer for another."""
    return f"{page.origin}{PATH}/{provider_id}/callback"


def start_path(provider_id: str, next_url: str) -> str:
    """Return the path that leads to a provider, and then to `next_url`."""
    query = f"?{urlencode({'next': next_url})}" if next_url else ""
    return f"{PATH}/{provider_id}/start{query}"


def _authorization_url(provider: IdentityProvider, metadata: ProviderMetadata, pending: PendingSignIn) -> str:
    digest = hashlib.sha256(pending.verifier.encode()).digest()
    query = urlencode(
        {
            "response_type": "code",
            "client_id": provider.client_id,
            "redirect_uri": pending.redirect_uri,
            "scope": provider.scopes,
            "state": pending.state,
            "nonce": pending.nonce,
            "code_challenge": urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
    )
    endpoint = metadata.authorization_endpoint
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{query}"


def _cookie_name(settings: Settings) -> str:
    return host_cookie_name(settings, "formwright_oidc")


def _make_cookie(page: PublicPage, pending: PendingSignIn) -> Cookie:
    return seal_cookie(page.ctx, _cookie_name(page.ctx.settings), msgspec.json.encode(pending).decode(), _LIFETIME_S)


def clear_cookie(page: PublicPage) -> Cookie:
    """Return the cookie that ends the pending sign-in of this browser."""
    settings = page.ctx.settings
    return make_cookie(settings, _cookie_name(settings), "", 0)


def load_pending(page: PublicPage, provider_id: str) -> PendingSignIn | None:
    """Return the sign-in that this browser has begun at the provider, unless it has expired."""
    try:
        pending = msgspec.json.decode(open_cookie(page, _cookie_name(page.ctx.settings)), type=PendingSignIn)
    except msgspec.DecodeError:
        return None
    return pending if pending.ends > page.ctx.clock.now() and pending.provider_id == provider_id else None


async def identify(page: PublicPage, provider: IdentityProvider, pending: PendingSignIn) -> VerifiedClaims:
    """Return who has come back from the provider. Raises `SignInRefused` or `ProviderUnavailable`."""
    query = page.query
    # Encoded, because `compare_digest` raises an error for texts with characters beyond ASCII.
    if not hmac.compare_digest(query.get("state", "").encode(errors="replace"), pending.state.encode()):
        raise SignInRefused("The state of the response belongs to another sign-in.")
    # Before anything else, so that a captured response cannot be tried again.
    async with page.writing() as tx:
        await identities.consume_state(tx, provider, pending.state, pending.ends)
    metadata = await page.ctx.oidc.load_metadata(provider.issuer)
    # Before the error is read, because error responses name their issuer, too (RFC 9207, section 2).
    _check_response_issuer(metadata, query.get("iss"))
    if error := query.get("error"):
        # The text is a parameter of the URL, so anybody can choose what the audit log gets to contain.
        text = "".join(letter for letter in error if letter.isascii() and letter.isprintable())[:100]
        raise SignInRefused(f"The provider answered with the error “{text}”.")
    code = query.get("code", "")
    if not 0 < len(code) <= _MAX_CODE:
        raise SignInRefused("The response of the provider has no code.")
    return await _redeem(page, provider, pending, metadata, code)


def _check_response_issuer(metadata: ProviderMetadata, issuer: str | None) -> None:
    """Check the issuer in the response (RFC 9207), which protects from mixing up two providers."""
    if issuer is None and not metadata.authorization_response_iss_parameter_supported:
        return
    if issuer != metadata.issuer:
        raise SignInRefused("The response is from another issuer.")


async def _redeem(
    page: PublicPage, provider: IdentityProvider, pending: PendingSignIn, metadata: ProviderMetadata, code: str
) -> VerifiedClaims:
    form = {
        "grant_type": "authorization_code",
        "code": code,
        # Not computed again: providers compare it with that of the first request (RFC 6749, section 4.1.3).
        "redirect_uri": pending.redirect_uri,
        "code_verifier": pending.verifier,
    }
    try:
        secret = page.ctx.secret_box.open(provider.client_secret) if provider.client_secret else ""
    except InvalidToken:
        raise SignInRefused("The client secret can’t be decrypted. Enter it again.") from None
    tokens = await page.ctx.oidc.exchange_code(metadata, client_id=provider.client_id, client_secret=secret, form=form)
    key = await page.ctx.oidc.find_key(metadata, tokens.id_token)
    claims = verify_id_token(
        tokens.id_token,
        key,
        issuer=provider.issuer,
        client_id=provider.client_id,
        nonce=pending.nonce,
        now_s=page.ctx.clock.now() / 1000,
    )
    # Where a claim is not needed, `email` stands for it, which is needed in any case.
    needed = {"email", provider.group_claim or "email", "preferred_username" if provider.links_provisioned else "email"}
    userinfo = {} if needed <= claims.keys() else await page.ctx.oidc.load_userinfo(metadata, tokens.access_token)
    # Without this check, an access token of somebody else would bring their address along.
    if userinfo and userinfo.get("sub") != claims["sub"]:
        raise SignInRefused("The userinfo response is about another person.")
    return replace(read_claims(provider, claims, userinfo), id_token=tokens.id_token)


def provider_session(page: PublicPage, provider: IdentityProvider, claims: VerifiedClaims) -> ProviderSession:
    """Return the session at the provider that a person has come back with."""
    sid, token = claims.received.get("sid"), claims.id_token
    # Only kept for signing out at the provider. It has personal data, so it is encrypted.
    is_hint = provider.signs_out and 0 < len(token) <= _MAX_HINT
    return ProviderSession(
        provider.id,
        sid if isinstance(sid, str) and len(sid) <= _MAX_SESSION else "",
        page.ctx.secret_box.close(token) if is_hint else "",
    )


async def sign_out_url(page: PublicPage, session: Session | None) -> str:
    """Return the address at which a person who has signed out here signs out at their provider; "" if there is none."""
    if session is None or session.provider_id is None:
        return ""
    provider = await find_provider(page, session.provider_id)
    if provider is None or not provider.signs_out:
        return ""
    try:
        endpoint = (await page.ctx.oidc.load_metadata(provider.issuer)).end_session_endpoint
    except ProviderUnavailable:
        # The session here has ended already, and that must not depend on the provider.
        return ""
    if not endpoint:
        return ""
    query = {"client_id": provider.client_id, "post_logout_redirect_uri": signed_out_url(page)}
    if hint := _open_hint(page, session):
        query["id_token_hint"] = hint
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"


def _open_hint(page: PublicPage, session: Session) -> str:
    """Return the ID token of a session, which tells the provider who signs out; "" if there is none.

    Without it, providers ask whether to sign out (OpenID Connect RP-Initiated Logout 1.0, section 2).
    """
    try:
        return page.ctx.secret_box.open(session.id_token) if session.id_token else ""
    except InvalidToken:
        return ""


def signed_out_url(page: PublicPage) -> str:
    """Return where a provider sends people who have signed out there."""
    return f"{page.origin}/sign-in"


async def require_same_session(page: PublicPage, pending: PendingSignIn) -> Visitor:
    """Return the visitor who has begun it. Raises `SignInRefused` if their session has ended, or it is another one."""
    try:
        visitor = await page.find_visitor()
    except SignInRequired:
        raise SignInRefused("The session in which this was started has ended.") from None
    if visitor.session.id != pending.session_id:
        raise SignInRefused("This was started in another session.")
    return visitor


async def record_failure(page: PublicPage, provider: IdentityProvider, error: Exception) -> None:
    """Write why a sign-in failed: to the audit log of the account, or to the server's log if there is none."""
    if provider.customer_id == INSTALLATION_ID:
        log.warning("sign-in with the identity provider of the installation failed", reason=str(error))
        return
    async with page.writing() as tx:
        await identities.audit_failure(tx, provider, str(error))


async def find_provider(page: PublicPage, provider_id: str) -> IdentityProvider | None:
    """Return the enabled provider with this id, or None."""
    if provider_id == INSTALLATION_ID:
        return page.ctx.installation_provider
    async with page.ctx.db.reading() as tx:
        return await service.find_enabled(tx, provider_id)
