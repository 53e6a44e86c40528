"""The settings of the identity provider of the whole installation, `FORMWRIGHT_OIDC_…`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from formwright.settings.parsers import switch
from formwright.settings.setting import Setting, SettingsError, read_text

_PREFIX = "FORMWRIGHT_OIDC_"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})+")
_CLIENT_ID = re.compile(r"[\x20-\x7e]{1,255}")
_SCOPES = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*")
_ACCOUNT = re.compile(r"cus_[0-9a-z]{26}")
_MAX_NAME, _MAX_SECRET, _MAX_GROUPS = 100, 1000, 1000


@dataclass(frozen=True, slots=True)
class OidcSettings:
    """The identity provider of the installation."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str
    scopes: str
    domains: tuple[str, ...]
    """The domains in which the provider links and creates users by verified email address."""
    account: str
    """The account in which people are created and join groups; "" for none."""
    group_claim: str
    groups: tuple[str, ...]
    """The external ids or names of the groups that follow the claim."""
    is_required: bool
    signs_out: bool
    trusts_addresses: bool
    """Whether addresses count as verified if the provider doesn't say whether they are."""

    @classmethod
    def parse(cls, environment: Mapping[str, str]) -> "OidcSettings | None":
        """Return the settings in these environment variables; None if none is set. Raises `SettingsError`."""
        texts = {one.name.removeprefix("OIDC_").lower(): read_text(environment, one) for one in OIDC_SETTINGS}
        switches = {
            name: bool(text := texts.pop(name)) and switch(f"{_PREFIX}{name.upper()}", text)
            for name in ("required", "sign_out", "trust_addresses")
        }
        if not any((*texts.values(), *switches.values())):
            return None
        if not texts["issuer"]:
            raise SettingsError(f"{_PREFIX}ISSUER must be set, because other settings of {_PREFIX}… are.")
        return cls(
            issuer=_issuer(texts["issuer"]),
            client_id=_match("CLIENT_ID", texts["client_id"], _CLIENT_ID, "the ID of the client, in ASCII"),
            client_secret=_secret(texts["client_secret"]),
            name=_name(texts["name"], texts["issuer"]),
            scopes=_scopes(texts["scopes"]),
            domains=_domains(texts["domains"]),
            account=_match("ACCOUNT", texts["account"], _ACCOUNT, "the ID of an account, cus_…", is_optional=True),
            group_claim=_group_claim(texts),
            groups=_list(texts["groups"]),
            is_required=switches["required"],
            signs_out=switches["sign_out"],
            trusts_addresses=switches["trust_addresses"],
        )


def _issuer(text: str) -> str:
    try:
        parts = urlsplit(text)
        # `port` raises `ValueError` if it is not a number or too large.
        is_valid = parts.scheme in ("https", "http") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid or not text.isascii() or not text.isprintable() or any(letter in text for letter in " ?#@"):
        # The value is not repeated, because it may contain a password.
        raise SettingsError(f"{_PREFIX}ISSUER must be a URL such as https://login.example.org/realms/staff.")
    return text


def _match(name: str, text: str, pattern: re.Pattern[str], meaning: str, *, is_optional: bool = False) -> str:
    if not pattern.fullmatch(text) and not (is_optional and not text):
        raise SettingsError(f"{_PREFIX}{name} must be {meaning}, not {text!r}.")
    return text


def _secret(text: str) -> str:
    if len(text) > _MAX_SECRET:
        # The value is not repeated, because it is secret.
        raise SettingsError(f"{_PREFIX}CLIENT_SECRET must have at most {_MAX_SECRET} characters.")
    return text


def _name(text: str, issuer: str) -> str:
    if len(text) > _MAX_NAME or not text.isprintable():
        raise SettingsError(f"{_PREFIX}NAME must be 1 to {_MAX_NAME} characters on one line, not {text[:200]!r}.")
    return text or urlsplit(issuer).hostname or ""


def _scopes(text: str) -> str:
    scopes = " ".join(text.split()) or "openid email profile"
    if not _SCOPES.fullmatch(scopes) or len(scopes) > 300 or "openid" not in scopes.split():
        raise SettingsError(f"{_PREFIX}SCOPES must be scopes separated by spaces, with openid, not {text[:300]!r}.")
    return scopes


def _domains(text: str) -> tuple[str, ...]:
    domains = tuple(domain.lower().removeprefix("@") for domain in _list(text))
    for domain in domains:
        if not _DOMAIN.fullmatch(domain):
            raise SettingsError(
                f"{_PREFIX}DOMAINS must be a list of domains such as example.org, in ASCII, not {domain!r}."
            )
    return domains


def _group_claim(texts: Mapping[str, str]) -> str:
    claim, groups = texts["group_claim"], texts["groups"]
    if bool(claim) != bool(groups) or (claim and not texts["account"]):
        raise SettingsError(
            f"{_PREFIX}GROUP_CLAIM, {_PREFIX}GROUPS and {_PREFIX}ACCOUNT must be set together: the groups of an account"
            " that follow the claim."
        )
    if len(claim) > _MAX_NAME or len(groups) > _MAX_GROUPS or not (claim + groups).isprintable():
        raise SettingsError(f"{_PREFIX}GROUP_CLAIM and {_PREFIX}GROUPS must be at most 100 and 1,000 characters.")
    return claim


def _list(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


OIDC_SETTINGS = (
    Setting(
        "OIDC_ISSUER",
        "The issuer of an OpenID Connect provider with which everybody can sign in, in all accounts, such as "
        "`https://login.example.org/realms/staff`. See [single sign-on](../guides/single-sign-"
        "on.md#a-provider-for-the-whole-installation), also for the next ones.",
    ),
    Setting(
        "OIDC_CLIENT_ID",
        "The ID of the client at this provider.",
    ),
    Setting(
        "OIDC_CLIENT_SECRET",
        "The secret of the client. It is never shown or logged.",
        default="none: a public client",
    ),
    Setting(
        "OIDC_NAME",
        "The name on the button *Sign in with …*.",
        default="the host of the issuer",
    ),
    Setting(
        "OIDC_SCOPES",
        "The scopes that sign-ins ask for, separated by spaces.",
        default="`openid email profile`",
    ),
    Setting(
        "OIDC_DOMAINS",
        "The email domains for which you trust the provider, such as `example.org,example.com`: people with a"
        " verified address in them sign in as the users with this address, including owners. Without domains,"
        " people have to link themselves.",
    ),
    Setting(
        "OIDC_ACCOUNT",
        "The ID of the account in which people are created who have no user in any account, but an address in"
        " `FORMWRIGHT_OIDC_DOMAINS`. Without it, nobody is created.",
    ),
    Setting(
        "OIDC_GROUP_CLAIM",
        "The claim that lists the groups of a person, such as `groups`.",
    ),
    Setting(
        "OIDC_GROUPS",
        "The external IDs or names of the groups of `FORMWRIGHT_OIDC_ACCOUNT` whose members follow the claim,"
        " separated by commas.",
    ),
    Setting(
        "OIDC_REQUIRED",
        "`1` requires single sign-on of everyone but owners, in all accounts: passwords lead to the provider.",
        default="off",
    ),
    Setting(
        "OIDC_SIGN_OUT",
        "`1` signs people out at the provider, too, when they sign out here.",
        default="off",
    ),
    Setting(
        "OIDC_TRUST_ADDRESSES",
        "`1` counts addresses in `FORMWRIGHT_OIDC_DOMAINS` as verified if the provider doesn’t say whether "
        "they are, such as a single tenant of Entra ID. Not possible with issuers that sign in people of many"
        " organisations. Owners with a password still have to link themselves.",
        default="off",
    ),
)
"""The settings of the provider. Several depend on each other, so `OidcSettings.parse` reads them together."""
