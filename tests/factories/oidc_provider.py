"""An identity provider for tests, which can be made to misbehave in any way."""

import asyncio
import base64
import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from actors import Account
from aiohttp import web
from joserfc import jwt
from joserfc.jwk import RSAKey

from formwright.core.clock import Clock
from formwright.domain.identity_providers import domains, service
from formwright.domain.identity_providers.models import IdentityProvider, ProviderEdit

CLIENT_ID, CLIENT_SECRET = "forms", "a secret: ü%"


def _b64(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@dataclass(slots=True)
class FakeProvider:
    """A provider on a loopback address. The properties say what its next token contains."""

    clock: Any
    issuer: str = ""
    person: dict[str, Any] = field(default_factory=dict)
    overrides: dict[str, Any] = field(default_factory=dict)
    """Claims of the ID token that replace the right ones; None removes a claim."""
    userinfo: dict[str, Any] | None = None
    algorithm: str = "RS256"
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    published: list[RSAKey] = field(default_factory=list)
    token_status: int = 200
    ends_sessions: bool = False
    is_hanging: bool = False
    """Whether it accepts requests and never answers."""
    nonces: dict[str, str] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    forms: list[dict[str, str]] = field(default_factory=list)

    def token(self, nonce: str) -> str:
        now = self.clock.now() // 1000
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            "sub": "p1",
            **self.person,
            **self.overrides,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": self.algorithm, "kid": self.key.kid}
        if self.algorithm == "none":
            return f"{_b64(header)}.{_b64(claims)}."
        if self.algorithm == "HS256":
            # By hand, because the library refuses to use a public key as a secret.
            text = f"{_b64(header)}.{_b64(claims)}"
            digest = hmac.digest(self.key.as_pem(private=False), text.encode(), "sha256")
            return f"{text}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"
        return jwt.encode(header, claims, self.key, algorithms=[self.algorithm])

    def logout_token(self, **claims: Any) -> str:
        """Return a token that ends sessions; None removes a claim."""
        now = self.clock.now() // 1000
        event = {"http://schemas.openid.net/event/backchannel-logout": {}}
        usual = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 120, "jti": f"j{now}", "events": event}
        found = {name: value for name, value in {**usual, **claims}.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": self.key.kid, "typ": "logout+jwt"}, found, self.key)

    async def answer(self, request: web.Request) -> web.Response:
        self.requests.append(request.path)
        # Tests let it continue, because aiohttp waits a minute for handlers when it stops.
        while self.is_hanging:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        match request.path:
            case "/.well-known/openid-configuration":
                paths = {"authorization_endpoint": "auth", "token_endpoint": "token", "jwks_uri": "jwks"}
                found = {name: f"{self.issuer}/{path}" for name, path in paths.items()}
                extra = {"userinfo_endpoint": f"{self.issuer}/userinfo"} if self.userinfo is not None else {}
                if self.ends_sessions:
                    extra["end_session_endpoint"] = f"{self.issuer}/end"
                return web.json_response({"issuer": self.issuer, **found, **extra})
            case "/jwks":
                keys = [one.as_dict(private=False) for one in self.published or [self.key]]
                return web.json_response({"keys": [{"kty": "XYZ"}, *keys]})
            case "/userinfo":
                return web.json_response(self.userinfo)
        form = {name: str(value) for name, value in (await request.post()).items()}
        self.forms.append({**form, "authorization": request.headers.get("authorization", "")})
        nonce = self.nonces.pop(form["code"], None)
        if nonce is None or self.token_status != 200:
            return web.json_response({"error": "invalid_grant"}, status=self.token_status if nonce else 400)
        return web.json_response({"id_token": self.token(nonce), "access_token": "at", "token_type": "Bearer"})


@asynccontextmanager
async def fake_provider(account: Account) -> AsyncIterator[FakeProvider]:
    """Run a provider with the clock of an account."""
    async with run_provider(account.ctx.clock) as provider:
        yield provider


@asynccontextmanager
async def run_provider(clock: Clock) -> AsyncIterator[FakeProvider]:
    """Run a provider."""
    provider = FakeProvider(clock)
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", provider.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    provider.issuer = f"http://127.0.0.1:{port}"
    try:
        yield provider
    finally:
        await runner.cleanup()


async def add_provider(
    account: Account, issuer: str, *, links: bool = False, creates: bool = False, domain: str = "", **more: Any
) -> IdentityProvider:
    """Add an enabled provider to the account and claim a domain."""
    owner = account.actor
    new = ProviderEdit("Acme", issuer, CLIENT_ID, CLIENT_SECRET, "openid email", True, links, creates, **more)
    async with account.ctx.db.writing() as tx:
        if domain:
            await domains.claim(tx, owner, domain)
        return await service.create(tx, owner, new, account.ctx.secret_box)


async def go_to_provider(
    http: httpx.AsyncClient, idp: FakeProvider, provider: IdentityProvider, next_url: str = "/tasks"
) -> dict[str, str]:
    """Start to sign in, and return what the provider sends back with the browser."""
    started = await http.get(f"/sign-in/oidc/{provider.id}/start?next={next_url}")
    assert started.status_code == 303, started.text
    return authorize(idp, started.headers["location"])


def authorize(idp: FakeProvider, url: str) -> dict[str, str]:
    """Let the person sign in at the provider. Returns the parameters of its response."""
    query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    assert query["code_challenge_method"] == "S256"
    code = f"code{len(idp.nonces)}{query['state'][:6]}"
    idp.nonces[code] = query["nonce"]
    return {"state": query["state"], "code": code}


async def come_back(http: httpx.AsyncClient, provider: IdentityProvider, response: dict[str, str]) -> httpx.Response:
    """Come back from the provider."""
    return await http.get(f"/sign-in/oidc/{provider.id}/callback", params=response)


async def sign_in_at(http: httpx.AsyncClient, idp: FakeProvider, provider: IdentityProvider) -> httpx.Response:
    """Sign in from beginning to end."""
    return await come_back(http, provider, await go_to_provider(http, idp, provider))
