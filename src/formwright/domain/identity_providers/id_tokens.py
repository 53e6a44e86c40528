"""Verification of ID tokens (OpenID Connect Core 1.0, section 3.1.3.7)."""

import hmac
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey
from joserfc.jws import JWSRegistry

from formwright.domain.identity_providers.models import SignInRefused

PublicKey = RSAKey | ECKey | OKPKey
CLOCK_SKEW_S = 60
_MAX_AGE_S = 600
_KEY_TYPES = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), "RSA"),
    **dict.fromkeys(("ES256", "ES384", "ES512"), "EC"),
    **dict.fromkeys(("EdDSA", "Ed25519"), "OKP"),
}
"""The accepted algorithms. All are asymmetric: with HMAC, whoever knows a public key could sign tokens."""
_MIN_RSA_BITS = 2048
"""RFC 7518, 3.3, forbids shorter keys."""
_MAX_SUBJECT = 255
"""The maximum length of `sub` (OpenID Connect Core 1.0, section 2)."""
_LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"


def import_keys(documents: Sequence[Mapping[str, Any]]) -> list[PublicKey]:
    """Return the signing keys of a JWK Set, without those of other types and purposes (RFC 7517, section 5)."""
    keys: list[PublicKey] = []
    for document in documents:
        if document.get("kty") not in ("RSA", "EC", "OKP") or document.get("use", "sig") != "sig":
            continue
        try:
            key = JWKRegistry.import_key(dict(document))
        except (JoseError, ValueError, TypeError, KeyError):
            continue
        if isinstance(key, RSAKey) and key.public_key.key_size < _MIN_RSA_BITS:
            continue
        if isinstance(key, RSAKey | ECKey | OKPKey):
            keys.append(key)
    return keys


def find_key(token: str, keys: Sequence[PublicKey]) -> PublicKey | None:
    """Return the key that the header of a token names, or None. Raises `SignInRefused` for other algorithms."""
    try:
        header = jws.extract_compact(token.encode(), registry=_registry()).headers()
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise SignInRefused("The ID token is malformed.") from error
    algorithm, key_id = header.get("alg"), header.get("kid")
    if algorithm not in _KEY_TYPES:
        raise SignInRefused("The ID token is signed with an algorithm that isn’t accepted.")
    fitting = [key for key in keys if key.key_type == _KEY_TYPES[algorithm] and key.alg in (None, algorithm)]
    # A token may only omit the id of its key if there is one key (OpenID Connect Core 1.0, section 10.1).
    if key_id is None:
        return fitting[0] if len(fitting) == 1 else None
    return next((key for key in fitting if key.kid == key_id), None)


def verify_id_token(
    token: str, key: PublicKey, *, issuer: str, client_id: str, nonce: str, now_s: float
) -> dict[str, Any]:
    """Return the claims of a token for this client. Raises `SignInRefused` if anything about it is wrong."""
    claims = _decode(token, key, issuer)
    _check_audience(claims, client_id)
    _check_times(claims, now_s)
    found = claims.get("nonce")
    # A JSON string can contain half of a surrogate pair, for which `encode` would raise an error.
    if not isinstance(found, str) or not hmac.compare_digest(found.encode(errors="replace"), nonce.encode()):
        raise SignInRefused("The nonce of the ID token belongs to another sign-in.")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= _MAX_SUBJECT or not subject.isprintable():
        raise SignInRefused("The ID token has no valid subject.")
    return claims


def verify_logout_token(token: str, key: PublicKey, *, issuer: str, client_id: str, now_s: float) -> dict[str, Any]:
    """Return the claims of a logout token (Back-Channel Logout 1.0, section 2.6).

    Raises `SignInRefused` if anything about it is wrong. `sub` and `sid` are texts if they are there; one is.
    """
    claims = _decode(token, key, issuer)
    _check_audience(claims, client_id)
    # Logout tokens are used at once, and older ones of this standard have no `exp`.
    _check_times({"exp": claims.get("iat"), **claims}, now_s)
    events = claims.get("events")
    if not isinstance(events, dict) or not isinstance(events.get(_LOGOUT_EVENT), dict) or "nonce" in claims:
        raise SignInRefused("The token isn’t a logout token.")
    for name in ("jti", "sub", "sid"):
        value = claims.get(name)
        if value is not None and not (isinstance(value, str) and 0 < len(value) <= _MAX_SUBJECT):
            raise SignInRefused(f"The logout token has an invalid {name}.")
    if "jti" not in claims or not ("sub" in claims or "sid" in claims):
        raise SignInRefused("The logout token doesn’t say who signs out.")
    return claims


def _decode(token: str, key: PublicKey, issuer: str) -> dict[str, Any]:
    """Return the claims of a token with the right signature and issuer."""
    try:
        claims = jwt.decode(token, key, registry=_registry()).claims
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise SignInRefused("The signature of the ID token is wrong.") from error
    if claims.get("iss") != issuer:
        raise SignInRefused("The ID token is from another issuer.")
    return claims


def _check_audience(claims: Mapping[str, Any], client_id: str) -> None:
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if client_id not in audiences:
        raise SignInRefused("The ID token is for another client.")
    # An additional audience is only acceptable if the token says that it was issued to this client.
    if claims.get("azp", None if len(audiences) > 1 else client_id) != client_id:
        raise SignInRefused("The ID token was issued to another client.")


def _check_times(claims: Mapping[str, Any], now_s: float) -> None:
    expires, issued = _read_time(claims, "exp"), _read_time(claims, "iat")
    not_before = _read_time(claims, "nbf") if "nbf" in claims else issued
    if expires <= now_s - CLOCK_SKEW_S:
        raise SignInRefused("The ID token has expired.")
    if max(issued, not_before) > now_s + CLOCK_SKEW_S:
        raise SignInRefused("The ID token is from the future. Check the clocks of both servers.")
    if issued < now_s - _MAX_AGE_S - CLOCK_SKEW_S:
        raise SignInRefused("The ID token was issued too long ago. Check the clocks of both servers.")


def _read_time(claims: Mapping[str, Any], name: str) -> float:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise SignInRefused("The ID token has no valid times.")
    return value


def _registry() -> JWSRegistry:
    # Providers may add header parameters of their own, which RFC 7515 says to ignore unless they are critical.
    return JWSRegistry(algorithms=list(_KEY_TYPES), strict_check_header=False)
