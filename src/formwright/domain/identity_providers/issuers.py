"""People whose addresses an organisation can't vouch for: those of issuers with many organisations, and guests."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

_MICROSOFT_HOSTS = frozenset(
    (
        "login.microsoftonline.com",
        "login.microsoftonline.us",
        "login.microsoftonline.de",
        "login.partner.microsoftonline.cn",
        "login.chinacloudapi.cn",
        "login.microsoft.com",
        "login.windows.net",
        "sts.windows.net",
        "sts.chinacloudapi.cn",
    )
)
_PERSONAL_ACCOUNTS = "9188040d-6c67-4c5b-b112-36a304b66dad"
"""The tenant of personal Microsoft accounts, which anybody can have."""
_TENANT = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_SHARED_HOSTS = frozenset(
    (
        "access.line.me",
        "account.apple.com",
        "accounts.google.com",
        "accounts.zoho.com",
        "api.login.yahoo.com",
        "appleid.apple.com",
        "auth.atlassian.com",
        "discord.com",
        "github.com",
        "gitlab.com",
        "id.twitch.tv",
        "login.live.com",
        "login.salesforce.com",
        "oauth.id.jumpcloud.com",
        "slack.com",
        "test.salesforce.com",
        "www.facebook.com",
        "www.linkedin.com",
        "www.paypal.com",
    )
)
_SHARED_SUFFIXES = (".b2clogin.com", ".ciamlogin.com")
"""Directories of Microsoft in which customers sign themselves up."""

SHARED_ISSUER = (
    "This issuer signs in people of other organisations, too, who choose their addresses themselves. Use the issuer of"
    " your own tenant, or link users by addresses that the provider verifies."
)


def is_shared(issuer: str) -> bool:
    """Whether an issuer is known to sign in people of many organisations, or anybody.

    Then the administrators of one organisation can't vouch for an address that it doesn't say to be verified: people
    enter any address in a tenant of their own (the attack is known as nOAuth).
    """
    host, path = _split(issuer)
    if host in _MICROSOFT_HOSTS:
        tenant = path.strip("/").partition("/")[0].lower()
        return not _TENANT.fullmatch(tenant) or tenant == _PERSONAL_ACCOUNTS
    return host in _SHARED_HOSTS or host.endswith(_SHARED_SUFFIXES)


def is_guest(issuer: str, claims: Mapping[str, Any]) -> bool:
    """Whether an ID token of Microsoft Entra ID is about a guest, whose address another tenant has set.

    Other providers use `idp` for something else, so it only counts with the tenant ID that Entra ID sends.
    """
    host, path = _split(issuer)
    tenant = claims.get("tid")
    if not isinstance(tenant, str) or not tenant:
        if host not in _MICROSOFT_HOSTS:
            return False
        tenant = path.strip("/").partition("/")[0]
    home = claims.get("idp", issuer)
    # For people of the tenant, `idp` is missing, the issuer, or another issuer of the same tenant.
    is_foreign = home != issuer and not (isinstance(home, str) and tenant in home)
    names = (claims.get(name) for name in ("preferred_username", "upn"))
    is_external = any(isinstance(name, str) and "#ext#" in name.lower() for name in names)
    return is_foreign or is_external or claims.get("acct", 0) not in (0, "0")


def _split(issuer: str) -> tuple[str, str]:
    """Return the host and the path of an issuer; empty texts if it isn't a URL."""
    try:
        parts = urlsplit(issuer.strip())
        return (parts.hostname or "").rstrip("."), parts.path
    except ValueError:
        return "", ""
