"""Signing out: here and at the provider, by the provider, and groups that follow a claim of the provider."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from actors import Account
from factories.oidc_provider import CLIENT_ID, FakeProvider, add_provider, fake_provider, sign_in_at
from factories.requests import get, post
from factories.web_client import send
from joserfc import jwt
from joserfc.jwk import RSAKey

from formwright.core.auth.actor import ResourceType
from formwright.core.net.http_client import Bounds
from formwright.domain.identity_providers import oidc_client
from formwright.domain.identity_providers.models import IdentityProvider
from formwright.domain.users import groups
from formwright.domain.users.models import Grant, GroupEdit


@pytest.fixture
async def idp(account: Account) -> AsyncIterator[FakeProvider]:
    async with fake_provider(account) as running:
        running.person = {"email": f"bo.{account.id}@acme.example", "email_verified": True, "sid": "s1"}
        yield running


@pytest.fixture
async def http(account: Account) -> AsyncIterator[httpx.AsyncClient]:
    async with account.stage.client() as client:
        yield client


async def log_out(account: Account, provider: IdentityProvider, token: str) -> httpx.Response:
    """Call the back channel as the provider does, without cookies."""
    async with account.stage.client() as http:
        path = f"/sign-in/oidc/{provider.id}/back-channel-logout"
        return await http.post(path, data={"logout_token": token})


async def is_signed_in(http: httpx.AsyncClient) -> bool:
    return (await http.get("/forms")).status_code == 200


async def test_the_provider_ends_one_session_or_all_of_a_person(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example")
    async with account.stage.client() as second, account.stage.client() as third:
        assert (await sign_in_at(http, idp, provider)).status_code == 303
        idp.person["sid"] = "s2"
        assert (await sign_in_at(second, idp, provider)).status_code == 303
        response = await log_out(account, provider, idp.logout_token(sub="p1", sid="s1"))
        assert (response.status_code, response.headers["cache-control"]) == (200, "no-store"), response.text
        assert [await is_signed_in(one) for one in (http, second)] == [False, True]
        assert (await sign_in_at(http, idp, provider)).status_code == 303
        idp.person["sid"] = "s3"
        assert (await sign_in_at(third, idp, provider)).status_code == 303
        assert (await log_out(account, provider, idp.logout_token(jti="j2", sid="s2"))).status_code == 200
        assert [await is_signed_in(one) for one in (http, second, third)] == [False, False, True]
        assert (await log_out(account, provider, idp.logout_token(jti="j3", sub="p1"))).status_code == 200
        assert not await is_signed_in(third)
        assert (await log_out(account, provider, idp.logout_token(jti="j4", sub="nobody"))).status_code == 200
    entries = (await get(account, f"/customers/{account.id}/audit?action=user.signed_out"))["items"]
    assert {entry["actor"]["name"] for entry in entries} == {"Acme (identity provider)"}


async def test_a_forged_or_repeated_logout_ends_nothing(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example")
    async with fake_provider(account) as other:
        second = await add_provider(account, other.issuer, creates=True)
        assert (await sign_in_at(http, idp, provider)).status_code == 303
        now = account.ctx.clock.now() // 1000
        own, idp.key = idp.key, RSAKey.generate_key(2048, {"kid": "one"})
        tokens = {"another key": idp.logout_token(sub="p1")}
        idp.key = own
        event = {"http://schemas.openid.net/event/backchannel-logout": {}}
        bad: dict[str, dict[str, Any]] = {
            "another issuer": {"iss": other.issuer},
            "another client": {"aud": "x"},
            "no event": {"events": None},
            "another event": {"events": {"x": {}}},
            "an event that is none": {"events": {next(iter(event)): 1}},
            "a nonce": {"nonce": "n"},
            "nobody": {"sub": None},
            "no id": {"jti": None},
            "an id that is none": {"jti": 7},
            "a session that is none": {"sid": ["s1"]},
            "expired": {"exp": now - 61},
            "too old": {"iat": now - 700, "exp": None},
            "the future": {"iat": now + 120},
            "no time": {"iat": None, "exp": None},
        }
        tokens |= {name: idp.logout_token(**{"sub": "p1", **claims}) for name, claims in bad.items()}
        tokens |= {"an ID token": idp.token("n"), "nonsense": "a.b.c", "nothing": ""}
        for name, token in tokens.items():
            assert (await log_out(account, provider, token)).status_code == 400, name
            async with account.ctx.db.writing() as tx:
                await tx.execute("DELETE FROM throttles")
        assert (await log_out(account, second, other.logout_token(sub="p1", sid="s1"))).status_code == 200
        assert await is_signed_in(http)
        token = idp.logout_token(sub="nobody")
        assert [(await log_out(account, provider, token)).status_code for _ in range(2)] == [200, 400]
        assert await is_signed_in(http)
    failures = (await get(account, f"/customers/{account.id}/audit?action=identity_provider.sign_in_failed"))["items"]
    assert len(failures) == len(tokens) + 1


async def test_signing_out_leads_to_the_provider_if_an_owner_wants_it(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    idp.ends_sessions = True
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example", signs_out=True)

    async def sign_out() -> dict[str, list[str]]:
        assert (await sign_in_at(http, idp, provider)).status_code == 303
        async with account.ctx.db.reading() as tx:
            rows = await tx.fetch("SELECT id_token FROM sessions WHERE customer_id = $1", account.id)
        assert all("eyJ" not in (row[0] or "") for row in rows), "stored encrypted"
        page = await send(http, "/sign-out")
        assert page.status_code in (200, 201), page.text
        url = page.text.split('href="' + idp.issuer)[1].split('"')[0].replace("&amp;", "&")
        assert url.startswith("/end?")
        assert not await is_signed_in(http)
        return parse_qs(urlsplit(url).query)

    query = await sign_out()
    [hint] = query.pop("id_token_hint")
    assert jwt.decode(hint, idp.key).claims["sub"] == "p1"
    assert query == {"client_id": [CLIENT_ID], "post_logout_redirect_uri": ["https://forms.test/sign-in"]}
    idp.person["groups"] = ["x" * 4000]
    assert "id_token_hint" not in await sign_out(), "the URL would be too long"
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE identity_providers SET signs_out = 0 WHERE customer_id = $1", account.id)
    assert (await sign_in_at(http, idp, provider)).status_code == 303
    async with account.ctx.db.reading() as tx:
        sql = "SELECT id_token FROM sessions WHERE customer_id = $1 AND provider_id = $2"
        assert await tx.fetch(sql, account.id, provider.id) == [(None,)], "not stored for nothing"


async def test_groups_follow_the_claim(account: Account, idp: FakeProvider, http: httpx.AsyncClient) -> None:
    path = f"/customers/{account.id}/groups"
    crew = await post(account, path, {"name": "Crew"})
    named = await post(account, path, {"name": "Renamed here", "externalId": "g-7"})
    own = await post(account, path, {"name": "Own"})
    provider = await add_provider(
        account,
        idp.issuer,
        creates=True,
        domain="acme.example",
        group_ids=[own["id"]],
        group_claim="groups",
        claim_group_ids=[crew["id"], named["id"]],
    )

    async def sign_in(**claims: Any) -> set[str]:
        idp.person = {"email": f"bo.{account.id}@acme.example", "email_verified": True, **claims}
        assert (await sign_in_at(http, idp, provider)).status_code == 303
        [user] = (await get(account, f"/customers/{account.id}/users?email=bo.{account.id}@acme.example"))["items"]
        return set(user["groups"])

    async def newest_event() -> int:
        return int((await get(account, f"/webhooks/customer/{account.id}/events"))["items"][-1]["sequence"])

    assert await sign_in(groups=["Crew", "Own", "Unknown", 7]) == {crew["id"], own["id"]}
    before = await newest_event()
    assert await sign_in(groups=["Crew"]) == {crew["id"], own["id"]}
    assert await newest_event() == before, "nothing changed"
    assert await sign_in(groups=["g-7", "Renamed here"]) == {named["id"], own["id"]}
    assert await sign_in(groups=["Renamed here"]) == {own["id"]}, "the external ID counts"
    assert await sign_in(groups="Crew") == {crew["id"], own["id"]}
    assert await sign_in(hasgroups=True) == {crew["id"], own["id"]}
    assert await sign_in(_claim_names={"groups": "src1"}) == {crew["id"], own["id"]}
    assert await sign_in() == {own["id"]}
    entries = (await get(account, f"/customers/{account.id}/audit?resourceId={crew['id']}"))["items"]
    assert entries[0]["actor"]["name"] == "Acme (identity provider)"
    # The claim may only be in the userinfo response.
    idp.userinfo = {"sub": "p1", "groups": ["Crew"]}
    async with fake_provider(account) as other:
        other.userinfo, other.person = {"sub": "p1", "groups": ["Crew"]}, dict(idp.person, sub="p1")
        other.person["email"] = f"cy.{account.id}@acme.example"
        late = await add_provider(
            account, other.issuer, creates=True, group_claim="groups", claim_group_ids=[crew["id"]]
        )
        async with account.stage.client() as second:
            assert (await sign_in_at(second, other, late)).status_code == 303
        [user] = (await get(account, f"/customers/{account.id}/users?email=cy.{account.id}@acme.example"))["items"]
        assert user["groups"] == [crew["id"]]


async def test_a_claim_never_takes_the_last_owner(account: Account, idp: FakeProvider, http: httpx.AsyncClient) -> None:
    group = await post(account, f"/customers/{account.id}/groups", {"name": "Owners", "members": [account.owner.id]})
    [mine] = (await get(account, f"/customers/{account.id}/users/{account.owner.id}"))["grants"]
    grant = Grant(mine["roleId"], ResourceType.ACCOUNT, account.id)
    async with account.ctx.db.writing() as tx:
        await groups.edit(tx, account.actor, GroupEdit(add_grants=[grant]), group_id=group["id"])
    body = {"grants": []}
    assert (await account.api.put(f"/api/v1.0/customers/{account.id}/users/{account.owner.id}", json=body)).is_success
    provider = await add_provider(
        account,
        idp.issuer,
        links=True,
        domain="example.org",
        group_claim="groups",
        claim_group_ids=[group["id"]],
    )
    idp.person = {"email": account.owner.email, "email_verified": True, "groups": []}
    assert (await sign_in_at(http, idp, provider)).status_code == 403
    user = await get(account, f"/customers/{account.id}/users/{account.owner.id}")
    assert user["groups"] == [group["id"]]


async def test_a_hanging_provider_ends_the_sign_in_and_blocks_nobody(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example")
    idp.is_hanging = True
    short = Bounds(size=1000, connect_s=1, whole_s=0.5, idle_s=0.5)
    monkeypatch.setattr(oidc_client, "_BOUNDS", short)
    started = await http.get(f"/sign-in/oidc/{provider.id}/start")
    assert (started.status_code, "isn’t responding" in started.text) == (502, True)
    [failure] = (await get(account, f"/customers/{account.id}/audit?action=identity_provider.sign_in_failed"))["items"]
    assert "can’t be reached" in failure["resource"]["name"]
    idp.is_hanging = False
    assert (await sign_in_at(http, idp, provider)).status_code == 303
