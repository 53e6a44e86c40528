"""Which addresses of ID tokens count, which issuers are shared by organisations, and who is a guest of a tenant."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.core.crypto import SecretBox
from formwright.domain.identity_providers.claims import read_claims, vouches_for_names
from formwright.domain.identity_providers.installation import create_provider
from formwright.domain.identity_providers.issuers import is_guest, is_shared
from formwright.domain.identity_providers.models import EmailState, IdentityProvider
from formwright.settings import Settings, SettingsError

TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47"
OTHER = "9b2c1c4e-7a0f-4c3e-8f11-3d8a6c2b7e55"
ENTRA = f"https://login.microsoftonline.com/{TENANT}/v2.0"
EMAIL = "Ann@Acme.example"
EMPTY: dict[str, Any] = {}


def provider(*, trusts: bool = False, issuer: str = ENTRA) -> IdentityProvider:
    return IdentityProvider(
        "idp", "cus", "Entra", issuer, "forms", "", "", True, True, True, (), 0, 0, 1, trusts_addresses=trusts
    )


SINGLE = [
    ENTRA,
    f"https://login.microsoftonline.us/{TENANT}/v2.0",
    f"https://LOGIN.microsoftonline.com/{TENANT.upper()}/v2.0",
    f"https://sts.windows.net/{TENANT}/",
    "https://acme.okta.com",
    "https://acme.okta.com/oauth2/default",
    "https://login.example.org/realms/staff",
    "https://common.example.org",
    "http://127.0.0.1:8080",
]
SHARED = [
    "https://login.microsoftonline.com/common/v2.0",
    "https://login.microsoftonline.com/organizations/v2.0",
    "https://login.microsoftonline.com/consumers/v2.0",
    "https://login.microsoftonline.com/{tenantid}/v2.0",
    "https://login.microsoftonline.com/%7Btenantid%7D/v2.0",
    "https://login.microsoftonline.com/COMMON/v2.0/",
    "https://login.microsoftonline.com./common/v2.0",
    "https://login.microsoftonline.com",
    "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
    "https://login.microsoftonline.com/9188040D-6C67-4C5B-B112-36A304B66DAD/v2.0",
    "https://login.microsoftonline.us/organizations/v2.0",
    "https://login.partner.microsoftonline.cn/common/v2.0",
    "https://sts.windows.net/common/",
    "https://accounts.google.com",
    "https://appleid.apple.com",
    "https://oauth.id.jumpcloud.com/",
    f"https://{TENANT}.ciamlogin.com/{TENANT}/v2.0",
    f"https://acme.b2clogin.com/{TENANT}/v2.0",
]


@pytest.mark.parametrize("issuer", SINGLE)
def test_issuers_of_one_organisation_are_not_shared(issuer: str) -> None:
    assert not is_shared(issuer)


@pytest.mark.parametrize("issuer", SHARED)
def test_shared_issuers_are_known(issuer: str) -> None:
    assert is_shared(issuer)


VERIFIED, DENIED, UNSAID = EmailState.VERIFIED, EmailState.DENIED, EmailState.UNSAID
STATEMENTS: list[tuple[dict[str, Any], EmailState]] = [
    ({}, UNSAID),
    ({"email_verified": True}, VERIFIED),
    ({"email_verified": "true"}, VERIFIED),
    ({"email_verified": " True "}, VERIFIED),
    ({"email_verified": False}, DENIED),
    ({"email_verified": "false"}, DENIED),
    ({"email_verified": "False"}, DENIED),
    ({"email_verified": ""}, DENIED),
    ({"email_verified": "yes"}, DENIED),
    ({"email_verified": 1}, DENIED),
    ({"email_verified": 0}, DENIED),
    ({"email_verified": ["true"]}, DENIED),
    ({"email_verified": {}}, DENIED),
    ({"email_verified": None}, UNSAID),
    ({"xms_edov": True}, VERIFIED),
    ({"xms_edov": "true"}, VERIFIED),
    ({"xms_edov": "1"}, VERIFIED),
    ({"xms_edov": 1}, VERIFIED),
    ({"xms_edov": False}, DENIED),
    ({"xms_edov": "false"}, DENIED),
    ({"xms_edov": "0"}, DENIED),
    ({"xms_edov": 0}, DENIED),
    ({"xms_edov": 2}, DENIED),
    ({"xms_edov": []}, DENIED),
    ({"email_verified": True, "xms_edov": True}, VERIFIED),
    ({"email_verified": True, "xms_edov": False}, DENIED),
    ({"email_verified": "false", "xms_edov": True}, DENIED),
]


@pytest.mark.parametrize(("statement", "state"), STATEMENTS, ids=[str(statement) for statement, _ in STATEMENTS])
@pytest.mark.parametrize("place", ["ID token", "userinfo"])
def test_what_a_provider_says_about_an_address(statement: dict[str, Any], state: EmailState, place: str) -> None:
    person = {"email": EMAIL, **statement}
    documents = (person, EMPTY) if place == "ID token" else (EMPTY, person)
    plain = read_claims(provider(), {"sub": "p", **documents[0]}, documents[1])
    assert (plain.email_state, plain.email) == (state, "ann@acme.example" if state is VERIFIED else "")
    # The switch only adds addresses about which the provider says nothing.
    trusting = read_claims(provider(trusts=True), {"sub": "p", **documents[0]}, documents[1])
    expected = EmailState.TRUSTED if state is UNSAID else state
    assert (trusting.email_state, trusting.email) == (expected, "" if state is DENIED else "ann@acme.example")


def test_the_statement_of_one_document_does_not_verify_the_address_of_another() -> None:
    apart = read_claims(provider(), {"sub": "p", "email": EMAIL}, {"email_verified": True})
    assert (apart.email_state, apart.email) == (UNSAID, "")
    other = read_claims(
        provider(), {"sub": "p", "email": EMAIL}, {"email": "bo@acme.example", "email_verified": "true"}
    )
    assert (other.email_state, other.email) == (VERIFIED, "bo@acme.example")
    # A contradiction is no verification, nor is it silence.
    for trusts in (False, True):
        both = read_claims(
            provider(trusts=trusts), {"sub": "p", "email": EMAIL, "email_verified": True}, {"email_verified": False}
        )
        assert (both.email_state, both.email) == (DENIED, "")


@pytest.mark.parametrize(
    "email", [None, "", 7, ["ann@acme.example"], "ann", "ann@acme", "a b@acme.example", "a@b@c.example"]
)
def test_malformed_addresses_are_missing(email: Any) -> None:
    found = read_claims(provider(trusts=True), {"sub": "p", "email": email, "email_verified": True}, {})
    assert (found.email_state, found.email) == (EmailState.MISSING, "")


GUESTS: list[dict[str, Any]] = [
    {"tid": TENANT, "idp": f"https://sts.windows.net/{OTHER}/"},
    {"tid": TENANT, "idp": "live.com"},
    {"tid": TENANT, "idp": "google.com"},
    {"tid": TENANT, "idp": 7},
    {"idp": f"https://sts.windows.net/{OTHER}/"},
    {"tid": "", "idp": "live.com"},
    {"acct": 1},
    {"acct": "1"},
    {"acct": []},
    {"upn": "ann_evil.example#EXT#@acme.onmicrosoft.com"},
    {"preferred_username": "ann_evil.example#ext#@acme.onmicrosoft.com"},
]
MEMBERS: list[dict[str, Any]] = [
    {},
    {"tid": TENANT},
    {"tid": TENANT, "idp": ENTRA},
    {"tid": TENANT, "idp": f"https://sts.windows.net/{TENANT}/"},
    {"idp": f"https://sts.windows.net/{TENANT}/"},
    {"acct": 0},
    {"acct": "0"},
    {"upn": "ann@acme.example", "preferred_username": "ann@acme.example"},
]


@pytest.mark.parametrize("claims", GUESTS, ids=str)
def test_addresses_of_guests_are_not_trusted(claims: dict[str, Any]) -> None:
    assert is_guest(ENTRA, claims)
    person = {"sub": "p", "email": EMAIL, **claims}
    assert read_claims(provider(trusts=True), person, {}).email_state is EmailState.GUEST
    assert read_claims(provider(trusts=True), {"sub": "p", "email": EMAIL}, claims).email_state is EmailState.GUEST
    # What is verified, counts for guests, too.
    assert read_claims(provider(trusts=True), person | {"xms_edov": True}, {}).email_state is VERIFIED


@pytest.mark.parametrize("claims", MEMBERS, ids=str)
def test_people_of_the_tenant_are_not_guests(claims: dict[str, Any]) -> None:
    assert not is_guest(ENTRA, claims)
    assert read_claims(provider(trusts=True), {"sub": "p", "email": EMAIL, **claims}, {}).email == "ann@acme.example"


def test_other_providers_use_idp_for_something_else() -> None:
    okta = "https://acme.okta.com"
    assert not is_guest(okta, {"idp": "00o1ab2c3d4E5f6G7h8i"})
    assert vouches_for_names(okta, {"idp": "00o1ab2c3d4E5f6G7h8i"})
    assert is_guest(okta, {"idp": "live.com", "tid": TENANT}), "Entra ID under an address of one's own"


@pytest.mark.parametrize("issuer", SHARED)
def test_a_shared_issuer_is_never_trusted(issuer: str) -> None:
    """The service refuses the switch; this also holds for issuers that a later version knows to be shared."""
    person = {"sub": "p", "email": EMAIL}
    found = read_claims(provider(trusts=True, issuer=issuer), person, {})
    assert (found.email_state, found.email) == (EmailState.SHARED, "")
    assert not vouches_for_names(issuer, person)
    texts = {"ISSUER": issuer, "CLIENT_ID": "forms", "TRUST_ADDRESSES": "1"}
    settings = Settings.from_environment({f"FORMWRIGHT_OIDC_{name}": text for name, text in texts.items()})
    assert settings.oidc
    with pytest.raises(SettingsError, match="FORMWRIGHT_OIDC_TRUST_ADDRESSES must be off"):
        create_provider(settings.oidc, SecretBox("s" * 32))
    assert not create_provider(replace(settings.oidc, trusts_addresses=False), SecretBox("s" * 32)).trusts_addresses


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
names = st.sampled_from(
    ["email", "email_verified", "xms_edov", "idp", "tid", "acct", "upn", "preferred_username", "name"]
)
documents = st.dictionaries(names, anything | st.sampled_from([EMAIL, "true", "false"]), max_size=6)


@given(
    documents, documents, st.booleans(), st.sampled_from([ENTRA, "https://accounts.google.com", "https://idp.example"])
)
def test_an_address_only_counts_if_it_is_verified_or_trusted(
    claims: dict[str, Any], userinfo: dict[str, Any], trusts: bool, issuer: str
) -> None:
    found = read_claims(provider(trusts=trusts, issuer=issuer), {**claims, "sub": "p"}, userinfo)
    assert bool(found.email) is (found.email_state in (VERIFIED, EmailState.TRUSTED))
    if found.email_state is EmailState.TRUSTED:
        assert trusts
        assert not is_shared(issuer)
        received = [*claims.items(), *userinfo.items()]
        assert not [value for name, value in received if name in ("email_verified", "xms_edov") and value is not None]
    if found.email_state is VERIFIED:
        texts = [document.get(name) for document in (claims, userinfo) for name in ("email_verified", "xms_edov")]
        assert any(str(text).strip().lower() in ("true", "1") for text in texts)
