"""The identity provider of the whole installation: whom it lets in where, and how sessions with it end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from actors import PASSWORD, Account, Stage
from factories.oidc_provider import (
    CLIENT_ID,
    CLIENT_SECRET,
    FakeProvider,
    add_provider,
    authorize,
    come_back,
    fake_provider,
    run_provider,
    sign_in_at,
)
from factories.requests import get, post
from factories.sign_in import sign_in
from factories.web_client import send, visit

from formwright import migrations
from formwright.app import create_app
from formwright.core.auth.actor import ResourceType
from formwright.core.clock import SystemClock
from formwright.domain.identity_providers.models import IdentityProvider
from formwright.domain.users import management
from formwright.domain.users import service as people
from formwright.domain.users.models import Grant, NewUser, UserEdit, UserStatus
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings

EMAIL = {"email": "bo@corp.example", "email_verified": True, "name": "Bo"}


@dataclass(slots=True)
class Installation:
    """An installation with a provider and two accounts, and new users in the first."""

    stage: Stage
    idp: FakeProvider
    home: Account
    other: Account

    @property
    def provider(self) -> IdentityProvider:
        found = self.stage.ctx.installation_provider
        assert found
        return found

    async def add_user(self, account: Account, email: str = "bo@corp.example") -> str:
        async with account.ctx.db.writing() as tx:
            hash_ = await account.ctx.passwords.hash(PASSWORD)
            return (await management.create(tx, account.actor, NewUser(email, "Bo"), password_hash=hash_)).id

    async def users(self, account: Account) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await get(account, f"/customers/{account.id}/users"))["items"]
        return found[1:]


@asynccontextmanager
async def run(settings: Settings) -> AsyncIterator[Stage]:
    entrance = create_app(settings, passwords=PasswordVerifier(cheap=True))
    async with entrance.app.lifespan():
        yield Stage(entrance, entrance.app.state.ctx, "https://forms.test")


@asynccontextmanager
async def installation(settings: Settings, **variables: str) -> AsyncIterator[Installation]:
    await migrations.upgrade(settings)
    async with run(settings) as stage, stage.account("Home") as before:
        pass
    async with run_provider(SystemClock()) as idp:
        usual = {
            "ISSUER": idp.issuer,
            "CLIENT_ID": CLIENT_ID,
            "CLIENT_SECRET": CLIENT_SECRET,
            "NAME": "Corp <b>",
            "DOMAINS": "corp.example",
            "ACCOUNT": before.id,
        }
        texts = {f"FORMWRIGHT_OIDC_{name}": text for name, text in {**usual, **variables}.items()}
        configured = replace(settings, oidc=Settings.from_environment(texts).oidc)
        async with (
            run(configured) as stage,
            stage.client(**{"x-api-key": before.key}) as api,
            stage.account("Other") as other,
        ):
            home = Account(stage, before.customer, before.owner, before.actor, before.key, api)
            yield Installation(stage, idp, home, other)


async def test_a_new_person_gets_a_user_in_one_account_and_its_groups(own_settings: Settings) -> None:
    async with installation(own_settings, GROUP_CLAIM="groups", GROUPS="Crew,g-7") as corp:
        home, idp = corp.home, corp.idp
        crew, seven, own = [
            await post(home, f"/customers/{home.id}/groups", body)
            for body in ({"name": "Crew"}, {"name": "Seven", "externalId": "g-7"}, {"name": "Own"})
        ]
        idp.person = EMAIL | {"groups": ["Crew", "Own"]}
        async with corp.stage.client() as http:
            page = (await http.get("/sign-in?next=/tasks")).text
            assert "Sign in with <bdi>Corp &lt;b&gt;</bdi>" in page
            assert 'href="/sign-in/oidc/installation/start?next=%2Ftasks"' in page
            assert (await sign_in_at(http, idp, corp.provider)).headers["location"] == "/tasks"
            [user] = await corp.users(home)
            assert (user["email"], user["status"], user["groups"]) == ("bo@corp.example", "ACTIVE", [crew["id"]])
            assert not await corp.users(corp.other)
            idp.person["groups"] = ["Seven", "g-7"]
            assert (await sign_in_at(http, idp, corp.provider)).status_code == 303
            assert (await corp.users(home))[0]["groups"] == [seven["id"]]
            async with home.ctx.db.writing() as tx:
                await management.edit(tx, home.actor, UserEdit(group_ids=[own["id"], seven["id"]]), user_id=user["id"])
            idp.person["groups"] = []
            assert (await sign_in_at(http, idp, corp.provider)).status_code == 303
            assert (await corp.users(home))[0]["groups"] == [own["id"]]
            for path in ("/settings/sign-in", "/settings/sign-in/installation"):
                assert (await http.get(path)).status_code == 403
        entries = (await get(home, f"/customers/{home.id}/audit?resourceId={user['id']}"))["items"]
        created = next(entry for entry in entries if entry["action"] == "user.created")
        assert created["actor"]["name"] == "Corp <b> (identity provider)"
        events = (await get(home, f"/webhooks/customer/{home.id}/events?type=user.created"))["items"]
        assert events[-1]["data"]["email"] == "bo@corp.example"
        async with visit(home) as owner:
            text = (await owner.http.get("/settings/sign-in")).text
            assert "Corp &lt;b&gt;" in text
            assert "People who have no user yet get one in this account." in text
            assert "with their email address and password, or with the provider of this server." in text
            assert CLIENT_SECRET not in text
            assert (await owner.http.get("/settings/sign-in/installation")).status_code == 404
            assert (await owner.post("/settings/sign-in/installation/remove")).status_code == 404
            assert "<bdi>Corp &lt;b&gt;</bdi>" in (await owner.http.get("/people")).text


@pytest.mark.slow
async def test_a_person_with_several_accounts_chooses_one(own_settings: Settings) -> None:
    async with installation(own_settings, SIGN_OUT="1") as corp:
        home, other, idp = corp.home, corp.other, corp.idp
        ids = {account.id: await corp.add_user(account) for account in (home, other)}
        idp.person, idp.ends_sessions = dict(EMAIL, sid="s1"), True
        async with corp.stage.client() as http:
            came = await sign_in_at(http, idp, corp.provider)
            assert came.headers["location"] == "/sign-in/accounts"
            page = (await http.get("/sign-in/accounts")).text
            assert [f'value="{account.id}"' in page for account in (home, other)] == [True, True]
            assert (await http.get("/forms")).status_code == 303, "nobody is signed in yet"
            assert (await send(http, "/sign-in/accounts", account="cus_01h455vb4pex5vsknk084sn02q")).status_code == 422
            cookies = {name: value for name, value in dict(http.cookies).items() if "accounts" in name}
            chosen = await send(http, "/sign-in/accounts", account=other.id)
            assert (chosen.status_code, chosen.headers["location"]) == (303, "/tasks")
            async with corp.stage.client() as thief:
                thief.cookies.update(cookies)
                assert (await send(thief, "/sign-in/accounts", account=home.id)).status_code == 403, "it works once"
            # The other account is not touched.
            async with home.ctx.db.reading() as tx:
                linked = await tx.fetch("SELECT customer_id, user_id FROM user_identities")
            assert linked == [(other.id, ids[other.id])]
            # Signing out leads to the provider, with the token.
            page = (await send(http, "/sign-out")).text
            query = parse_qs(urlsplit(page.split('href="' + idp.issuer)[1].split('"')[0].replace("&amp;", "&")).query)
            assert "id_token_hint" in query
            # Disabled in one account, the person has no choice.
            async with other.ctx.db.writing() as tx:
                await management.edit(tx, other.actor, UserEdit(status=UserStatus.DISABLED), user_id=ids[other.id])
            assert (await sign_in_at(http, idp, corp.provider)).headers["location"] == "/tasks"
            async with home.ctx.db.writing() as tx:
                await management.edit(tx, home.actor, UserEdit(status=UserStatus.DISABLED), user_id=ids[home.id])
            assert (await http.get("/forms")).status_code == 303
            assert (await sign_in_at(http, idp, corp.provider)).status_code == 403
        for account in (home, other):
            found = await get(account, f"/customers/{account.id}/audit?action=identity_provider.sign_in_failed")
            assert f"The user {ids[account.id]} is disabled." in found["items"][0]["resource"]["name"]


@pytest.mark.slow
async def test_only_listed_domains_and_verified_addresses_count(own_settings: Settings) -> None:
    async with installation(own_settings) as corp:
        idp = corp.idp
        await corp.add_user(corp.other, "eve@evil.example")
        async with corp.stage.client() as http:
            for person in (
                EMAIL | {"email": "eve@evil.example"},
                EMAIL | {"email": "new@evil.example"},
                EMAIL | {"email": "bo@sub.corp.example"},
                EMAIL | {"email_verified": False},
                {},
            ):
                idp.person = person
                refused = await sign_in_at(http, idp, corp.provider)
                assert (refused.status_code, "ask your administrator" in refused.text) == (403, True), person
            found = await send(http, "/sign-in/oidc", email="anybody@corp.example")
            assert "/sign-in/oidc/installation/start" in found.text
            assert (await send(http, "/sign-in/oidc", email="eve@evil.example")).status_code == 422
            # A token for another client, as an attack that only the log of the server may explain.
            idp.person, idp.overrides = EMAIL, {"aud": "other"}
            assert (await sign_in_at(http, idp, corp.provider)).status_code == 403
        assert not await corp.users(corp.home)
        async with corp.home.ctx.db.reading() as tx:
            assert not await tx.fetch("SELECT 1 FROM user_identities")
        # Users with other addresses link themselves.
        idp.overrides, other = {}, corp.other
        user_id = await corp.add_user(other, "bo@elsewhere.example")
        path = "/settings/account/identities/installation"
        idp.person = {}
        async with visit(other, user_id) as site, corp.stage.client() as http:
            page = await site.post(path, {"password-installation": PASSWORD})
            url = page.text.split('class="button" href="')[1].split('"')[0].replace("&amp;", "&")
            linked = await come_back(site.http, corp.provider, authorize(idp, url))
            assert linked.headers["location"] == "/settings/account?saved=linked"
            assert (await sign_in_at(http, idp, corp.provider)).headers["location"] == "/tasks"
            assert (await site.post(path + "/unlink")).status_code == 303
            assert (await sign_in_at(http, idp, corp.provider)).status_code == 403


@pytest.mark.slow
async def test_trusted_addresses_count_in_the_listed_domains(own_settings: Settings) -> None:
    unsaid = {"email": "bo@corp.example"}
    async with installation(own_settings) as corp:
        await corp.add_user(corp.other)
        corp.idp.person = unsaid
        async with corp.stage.client() as http:
            assert (await sign_in_at(http, corp.idp, corp.provider)).status_code == 403
        texts = {"ISSUER": corp.idp.issuer, "CLIENT_ID": CLIENT_ID, "DOMAINS": "corp.example", "TRUST_ADDRESSES": "1"}
        variables = {f"FORMWRIGHT_OIDC_{name}": text for name, text in texts.items()}
        trusting = replace(own_settings, oidc=Settings.from_environment(variables).oidc)
        async with run(trusting) as stage, stage.client() as http, stage.account("Third") as third:
            provider = stage.ctx.installation_provider
            assert provider
            for person in (unsaid | {"email_verified": "false"}, {"email": "bo@sub.corp.example"}):
                corp.idp.person = person
                assert (await sign_in_at(http, corp.idp, provider)).status_code == 403
            # With a user in two accounts, what the address is worth is not forgotten until they have chosen.
            async with stage.ctx.db.writing() as tx:
                invite = await management.invite(tx, third.actor, NewUser("bo@corp.example", "Bo"))
            corp.idp.person = unsaid
            assert (await sign_in_at(http, corp.idp, provider)).headers["location"] == "/sign-in/accounts"
            [mine] = (await get(third, f"/customers/{third.id}/users/{third.owner.id}"))["grants"]
            async with stage.ctx.db.writing() as tx:
                hash_ = await stage.ctx.passwords.hash(PASSWORD)
                await people.set_password(tx, third.actor, invite.id, hash_)
                ownership = Grant(mine["roleId"], ResourceType.ACCOUNT, third.id)
                await management.add_grant(tx, third.actor, ownership, user_id=invite.id)
            assert (await send(http, "/sign-in/accounts", account=third.id)).status_code == 422
            came = await sign_in_at(http, corp.idp, provider)
            assert came.headers["location"] == "/tasks", "only the account in which they are no owner with a password"


@pytest.mark.slow
async def test_the_provider_ends_sessions_in_every_account(own_settings: Settings) -> None:
    async with installation(own_settings) as corp:
        home, other, idp = corp.home, corp.other, corp.idp
        for account in (home, other):
            await corp.add_user(account)
        path = "/sign-in/oidc/installation/back-channel-logout"

        async def enter(http: httpx.AsyncClient, account: Account, sid: str) -> None:
            idp.person = EMAIL | {"sid": sid}
            await sign_in_at(http, idp, corp.provider)
            assert (await send(http, "/sign-in/accounts", account=account.id)).status_code == 303
            assert (await http.get("/forms")).status_code == 200

        client = corp.stage.client
        async with client() as first, client() as second, client() as third, client() as provider:

            async def states() -> list[bool]:
                return [(await one.get("/forms")).status_code == 200 for one in (first, second, third)]

            await enter(first, home, "s1")
            await enter(second, other, "s1")
            await enter(third, other, "s2")
            forged = idp.logout_token(aud="x", sid="s1")
            assert (await provider.post(path, data={"logout_token": forged})).status_code == 400
            token = idp.logout_token(sid="s1")
            assert (await provider.post(path, data={"logout_token": token})).status_code == 200
            assert await states() == [False, False, True]
            assert (await provider.post(path, data={"logout_token": token})).status_code == 400, "it works once"
            await enter(first, home, "s3")
            token = idp.logout_token(sub="p1", jti="all")
            assert (await provider.post(path, data={"logout_token": token})).status_code == 200
            assert await states() == [False, False, False]
        for account in (home, other):
            entries = (await get(account, f"/customers/{account.id}/audit?action=user.signed_out"))["items"]
            assert {entry["actor"]["name"] for entry in entries} == {"Corp <b> (identity provider)"}


async def test_single_sign_on_is_required_of_everyone_but_owners(own_settings: Settings) -> None:
    async with installation(own_settings, REQUIRED="1") as corp:
        home = corp.home
        await corp.add_user(home)
        corp.idp.person = EMAIL
        async with corp.stage.client() as http, corp.stage.client() as owner:
            led = await sign_in(http, "bo@corp.example", next_="/tasks")
            assert led.headers["location"] == "/sign-in/oidc/installation?required=1&next=%2Ftasks"
            assert (await sign_in(owner, home.owner.email)).headers["location"] == "/overview"
            found = await get(home, f"/customers/{home.id}/audit?action=user.signed_in_with_password")
            assert [entry["actor"]["id"] for entry in found["items"]] == [home.owner.id]
            assert (await sign_in_at(http, corp.idp, corp.provider)).headers["location"] == "/tasks"
            assert (
                len((await get(home, f"/customers/{home.id}/audit?action=user.signed_in_with_password"))["items"]) == 1
            )
            # An account that requires its own provider is not entered with another one.
            async with fake_provider(home) as stricter:
                own = await add_provider(home, stricter.issuer, is_required=True)
                led = await sign_in_at(http, corp.idp, corp.provider)
                assert led.headers["location"].startswith(f"/sign-in/oidc/{own.id}?required=1")


@pytest.mark.slow
async def test_a_provider_that_is_down_and_an_account_that_is_not_there(own_settings: Settings) -> None:
    async with installation(own_settings, ACCOUNT="cus_01h455vb4pex5vsknk084sn02q") as corp:
        corp.idp.person = EMAIL
        async with corp.stage.client() as http:
            assert (await sign_in_at(http, corp.idp, corp.provider)).status_code == 403
            corp.idp.token_status = 503
            down = await sign_in_at(http, corp.idp, corp.provider)
            assert (down.status_code, "Corp &lt;b&gt; isn’t responding" in down.text) == (502, True)
