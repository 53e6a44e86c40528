"""The OpenID Connect client: discovery, keys, the exchange of codes for tokens, and the userinfo endpoint.

All requests go through the SSRF guard. Metadata and keys are cached per process.
"""

import asyncio
from base64 import b64encode
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus, urlencode

import msgspec

from formwright.core.clock import Clock
from formwright.core.lru_cache import LRUCache
from formwright.core.net.http_client import Bounds, FetchFailed, HttpClient
from formwright.domain.identity_providers.id_tokens import PublicKey, find_key, import_keys
from formwright.domain.identity_providers.models import ProviderUnavailable, SignInRefused

CACHE_MS = 3600 * 1000
KEY_REFETCH_MS = 30 * 1000
"""An unknown key id refetches the keys at most this often, so that forged tokens do not cause a request each."""
_CACHED_PROVIDERS = 500
_WELL_KNOWN = "/.well-known/openid-configuration"
_BOUNDS = Bounds(size=256 * 1024, connect_s=5, whole_s=8, idle_s=5)
T = TypeVar("T")


class ProviderMetadata(msgspec.Struct, frozen=True):
    """The discovery document of a provider (OpenID Connect Discovery 1.0, section 3)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class IssuerMismatch(ProviderUnavailable):
    """The discovery document is that of another issuer."""

    def __init__(self, issuer: str) -> None:
        # Microsoft's addresses for all tenants name `{tenantid}`.
        is_template = "{" in issuer
        hint = " It is for all tenants. Use the address with the ID of your own tenant." if is_template else ""
        super().__init__(f"The discovery document names another issuer: {issuer[:200]}.{hint}")
        self.issuer = issuer


class TokenResponse(msgspec.Struct, frozen=True):
    """The tokens that a provider issues for a code."""

    id_token: str
    access_token: str = ""


class _KeyDocument(msgspec.Struct, frozen=True):
    keys: list[dict[str, Any]]


class _Cached:
    """What is known about one provider."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.metadata: ProviderMetadata | None = None
        self.metadata_at = 0
        self.keys: list[PublicKey] = []
        self.keys_at: int | None = None


class OidcClient:
    """Talks to identity providers. Raises `ProviderUnavailable` if one does not answer as it should."""

    def __init__(self, http: HttpClient, clock: Clock) -> None:
        self._http, self._clock = http, clock
        self._cache: LRUCache[str, _Cached] = LRUCache(_CACHED_PROVIDERS)

    async def discover(self, typed: str) -> ProviderMetadata:
        """Return the discovery document for an issuer as people enter it: with its path, or a slash too many or few."""
        issuer = typed.strip().removesuffix(_WELL_KNOWN)
        other = issuer[:-1] if issuer.endswith("/") else issuer + "/"
        try:
            metadata = await self.load_metadata(issuer, refresh=True)
        except IssuerMismatch as error:
            if error.issuer != other:
                raise
            metadata = await self.load_metadata(other, refresh=True)
        await self.load_keys(metadata, refresh=True)
        return metadata

    async def load_metadata(self, issuer: str, *, refresh: bool = False) -> ProviderMetadata:
        """Return the discovery document of an issuer, which must name the same issuer."""
        cached = self._cache.get(issuer) or self._cache.put(issuer, _Cached())
        async with cached.lock:
            if cached.metadata and not refresh and self._clock.now() - cached.metadata_at < CACHE_MS:
                return cached.metadata
            url = issuer.rstrip("/") + _WELL_KNOWN
            metadata = _decode(await self._fetch("GET", url), ProviderMetadata, "discovery document")
            if metadata.issuer != issuer:
                raise IssuerMismatch(metadata.issuer)
            _check_endpoints(metadata)
            cached.metadata, cached.metadata_at = metadata, self._clock.now()
            return metadata

    async def load_keys(self, metadata: ProviderMetadata, *, refresh: bool = False) -> list[PublicKey]:
        """Return the signing keys of a provider. `refresh` fetches them again, but not more than every 30 seconds."""
        cached = self._cache.get(metadata.issuer) or self._cache.put(metadata.issuer, _Cached())
        async with cached.lock:
            age = None if cached.keys_at is None else self._clock.now() - cached.keys_at
            if age is not None and age < (KEY_REFETCH_MS if refresh else CACHE_MS):
                return cached.keys
            document = _decode(await self._fetch("GET", metadata.jwks_uri), _KeyDocument, "key set")
            keys = import_keys(document.keys)
            if not keys:
                raise ProviderUnavailable("The key set has no usable signing keys.")
            cached.keys, cached.keys_at = keys, self._clock.now()
            return keys

    async def find_key(self, metadata: ProviderMetadata, id_token: str) -> PublicKey:
        """Return the key of a token. If it is unknown, the provider may have rotated its keys: fetch them again."""
        key = find_key(id_token, await self.load_keys(metadata))
        key = key or find_key(id_token, await self.load_keys(metadata, refresh=True))
        if key is None:
            raise SignInRefused("The ID token is signed with a key that the provider doesn’t publish.")
        return key

    async def exchange_code(
        self, metadata: ProviderMetadata, *, client_id: str, client_secret: str, form: dict[str, str]
    ) -> TokenResponse:
        """Exchange a code for tokens. Raises `SignInRefused` if the provider rejects the code."""
        headers = {"content-type": "application/x-www-form-urlencoded"}
        if not client_secret:
            form = form | {"client_id": client_id}
        elif "client_secret_basic" in metadata.token_endpoint_auth_methods_supported:
            # Both are form-encoded before they are joined (RFC 6749, section 2.3.1).
            pair = f"{quote_plus(client_id)}:{quote_plus(client_secret)}"
            headers["authorization"] = "Basic " + b64encode(pair.encode()).decode()
        else:
            form = form | {"client_id": client_id, "client_secret": client_secret}
        body = await self._fetch("POST", metadata.token_endpoint, headers, urlencode(form, quote_via=quote).encode())
        return _decode(body, TokenResponse, "token response")

    async def load_userinfo(self, metadata: ProviderMetadata, access_token: str) -> dict[str, Any]:
        """Return the claims of the userinfo endpoint, or nothing if the provider has none."""
        if not metadata.userinfo_endpoint or not access_token:
            return {}
        if not access_token.isascii() or not access_token.isprintable():
            raise ProviderUnavailable("The access token is malformed.")
        headers = {"authorization": f"Bearer {access_token}"}
        body = await self._fetch("GET", metadata.userinfo_endpoint, headers)
        return _decode(body, dict[str, Any], "userinfo response")

    async def _fetch(
        self, method: str, url: str, headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> bytes:
        accept = {"accept": "application/json"} | (headers or {})
        try:
            async with self._http.open(method, url, headers=accept, bounds=_BOUNDS, body=body) as response:
                if method == "POST" and response.status in (400, 401, 403):
                    raise SignInRefused(f"The provider rejected the code or the client: status {response.status}.")
                if response.status_error:
                    raise ProviderUnavailable(
                        f"The provider failed at {url.partition('?')[0]}: {response.status_error}"
                    )
                return b"".join([chunk async for chunk in response.chunks()])
        except FetchFailed as error:
            raise ProviderUnavailable(f"The provider can’t be reached: {error}") from error


def _decode(body: bytes, type_: type[T], name: str) -> T:
    try:
        return msgspec.json.decode(body, type=type_)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProviderUnavailable(f"The {name} isn’t valid: {str(error)[:200]}") from error


def _check_endpoints(metadata: ProviderMetadata) -> None:
    """Require https, unless the issuer itself uses http in a network that the operator has allowed."""
    schemes = ("https://", "http://") if metadata.issuer.startswith("http://") else ("https://",)
    optional = [url for url in (metadata.userinfo_endpoint, metadata.end_session_endpoint) if url]
    for url in (metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri, *optional):
        if not url.startswith(schemes) or not url.isascii() or not url.isprintable():
            raise ProviderUnavailable("The discovery document has an endpoint that isn’t an https:// address.")
