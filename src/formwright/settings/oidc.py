"""The settings of the identity provider of the whole installation, `FORMWRIGHT_OIDC_…`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from formwright.settings.parsers import switch
from formwright.settings.setting import Parser, SettingsError, read_settings, setting

_PREFIX = "FORMWRIGHT_OIDC_"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})+")
_SCOPES = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*")
_MAX_NAME, _MAX_SECRET, _MAX_GROUPS = 100, 1000, 1000


def _issuer(variable: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        # `port` raises `ValueError` if it is not a number or too large.
        is_valid = parts.scheme in ("https", "http") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid or not text.isascii() or not text.isprintable() or any(letter in text for letter in " ?#@"):
        # The value is not repeated, because it may contain a password.
        raise SettingsError(f"{variable} must be a URL such as https://login.example.org/realms/staff.")
    return text


def _match(pattern: str, meaning: str) -> Parser:
    def parse(variable: str, text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise SettingsError(f"{variable} must be {meaning}, not {text!r}.")
        return text

    return parse


def _secret(variable: str, text: str) -> str:
    if len(text) > _MAX_SECRET:
        # The value is not repeated, because it is secret.
        raise SettingsError(f"{variable} must have at most {_MAX_SECRET} characters.")
    return text


def _name(variable: str, text: str) -> str:
    if len(text) > _MAX_NAME or not text.isprintable():
        raise SettingsError(f"{variable} must be 1 to {_MAX_NAME} characters on one line, not {text[:200]!r}.")
    return text


def _scopes(variable: str, text: str) -> str:
    scopes = " ".join(text.split())
    if not _SCOPES.fullmatch(scopes) or len(scopes) > 300 or "openid" not in scopes.split():
        raise SettingsError(f"{variable} must be scopes separated by spaces, with openid, not {text[:300]!r}.")
    return scopes


def _domains(variable: str, text: str) -> tuple[str, ...]:
    domains = tuple(domain.lower().removeprefix("@") for domain in _split(text))
    for domain in domains:
        if not _DOMAIN.fullmatch(domain):
            raise SettingsError(f"{variable} must be a list of domains such as example.org, in ASCII, not {domain!r}.")
    return domains


def _claim(variable: str, text: str) -> str:
    _check_length(variable, text, _MAX_NAME)
    return text


def _groups(variable: str, text: str) -> tuple[str, ...]:
    _check_length(variable, text, _MAX_GROUPS)
    return _split(text)


def _check_length(variable: str, text: str, maximum: int) -> None:
    if len(text) > maximum or not text.isprintable():
        raise SettingsError(f"{variable} must be at most {maximum:,} characters on one line.")


def _split(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


@dataclass(frozen=True, slots=True)
class OidcSettings:
    """The identity provider of the installation."""

    issuer: str = setting(
        "",
        "The issuer of an OpenID Connect provider with which everybody can sign in, in all accounts, such as "
        "`https://login.example.org/realms/staff`. See [single sign-on](../guides/single-sign-"
        "on.md#a-provider-for-the-whole-installation), also for the next ones.",
        _issuer,
        name="OIDC_ISSUER",
    )
    client_id: str = setting(
        "",
        "The ID of the client at this provider.",
        _match(r"[\x20-\x7e]{1,255}", "the ID of the client, in ASCII"),
        name="OIDC_CLIENT_ID",
    )
    client_secret: str = setting(
        "",
        "The secret of the client. It is never shown or logged.",
        _secret,
        name="OIDC_CLIENT_SECRET",
        shown="none: a public client",
        is_secret=True,
    )
    name: str = setting(
        "", "The name on the button *Sign in with …*.", _name, name="OIDC_NAME", shown="the host of the issuer"
    )
    scopes: str = setting(
        "openid email profile",
        "The scopes that sign-ins ask for, separated by spaces.",
        _scopes,
        name="OIDC_SCOPES",
    )
    domains: tuple[str, ...] = setting(
        (),
        "The email domains for which you trust the provider, such as `example.org,example.com`: people with a"
        " verified address in them sign in as the users with this address, including owners. Without domains,"
        " people have to link themselves.",
        _domains,
        name="OIDC_DOMAINS",
    )
    account: str = setting(
        "",
        "The ID of the account in which people are created who have no user in any account, but an address in"
        " `FORMWRIGHT_OIDC_DOMAINS`. Without it, nobody is created.",
        _match(r"cus_[0-9a-z]{26}", "the ID of an account, cus_…"),
        name="OIDC_ACCOUNT",
    )
    group_claim: str = setting(
        "", "The claim that lists the groups of a person, such as `groups`.", _claim, name="OIDC_GROUP_CLAIM"
    )
    groups: tuple[str, ...] = setting(
        (),
        "The external IDs or names of the groups of `FORMWRIGHT_OIDC_ACCOUNT` whose members follow the claim,"
        " separated by commas.",
        _groups,
        name="OIDC_GROUPS",
    )
    is_required: bool = setting(
        False,
        "`1` requires single sign-on of everyone but owners, in all accounts: passwords lead to the provider.",
        switch,
        name="OIDC_REQUIRED",
    )
    signs_out: bool = setting(
        False,
        "`1` signs people out at the provider, too, when they sign out here.",
        switch,
        name="OIDC_SIGN_OUT",
    )
    trusts_addresses: bool = setting(
        False,
        "`1` counts addresses in `FORMWRIGHT_OIDC_DOMAINS` as verified if the provider doesn’t say whether "
        "they are, such as a single tenant of Entra ID. Not possible with issuers that sign in people of many"
        " organisations. Owners with a password still have to link themselves.",
        switch,
        name="OIDC_TRUST_ADDRESSES",
    )

    @classmethod
    def parse(cls, environment: Mapping[str, str]) -> "OidcSettings | None":
        """Return the settings in these environment variables; None if none is set. Raises `SettingsError`."""
        values = read_settings(cls, environment)
        if not any(values.values()):
            return None
        found = cls(**values)
        if not found.issuer:
            raise SettingsError(f"{_PREFIX}ISSUER must be set, because other settings of {_PREFIX}… are.")
        if not found.client_id:
            raise SettingsError(f"{_PREFIX}CLIENT_ID must be set: the ID of the client, in ASCII.")
        if bool(found.group_claim) != bool(found.groups) or (found.group_claim and not found.account):
            raise SettingsError(
                f"{_PREFIX}GROUP_CLAIM, {_PREFIX}GROUPS and {_PREFIX}ACCOUNT must be set together: the groups of an"
                " account that follow the claim."
            )
        return replace(found, name=found.name or urlsplit(found.issuer).hostname or "")
