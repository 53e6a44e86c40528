"""Signing in with an identity provider: whom it lets in, and the attacks of a hostile one."""

import base64
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from actors import PASSWORD, Account
from factories.oidc_provider import (
    CLIENT_SECRET,
    FakeProvider,
    add_provider,
    authorize,
    come_back,
    fake_provider,
    go_to_provider,
    sign_in_at,
)
from factories.requests import get, post
from factories.sign_in import NEW, factor, inside, mailed, sign_in
from factories.web_client import send, visit
from joserfc.jwk import RSAKey

from formwright.core.auth.actor import ResourceType
from formwright.core.errors import Denied
from formwright.domain.identity_providers import domains
from formwright.domain.users import groups, management
from formwright.domain.users import service as people
from formwright.domain.users.models import Grant, GroupEdit, LastOwner, NewUser, UserEdit, UserStatus

SECOND = 1000
UNSAID = "the provider doesn’t say whether their email address is verified (see “Trust its email addresses”)"


@pytest.fixture
async def idp(account: Account) -> AsyncIterator[FakeProvider]:
    async with fake_provider(account) as running:
        yield running


@pytest.fixture
async def http(account: Account) -> AsyncIterator[httpx.AsyncClient]:
    async with account.stage.client() as client:
        yield client


async def failures(account: Account) -> list[str]:
    found = await get(account, f"/customers/{account.id}/audit?action=identity_provider.sign_in_failed")
    return [entry["resource"]["name"] for entry in found["items"]]


async def add_user(account: Account, email: str) -> str:
    async with account.ctx.db.writing() as tx:
        hash_ = await account.ctx.passwords.hash(PASSWORD)
        return (await management.create(tx, account.actor, NewUser(email, "Bo"), password_hash=hash_)).id


def known(email: str, **more: Any) -> dict[str, Any]:
    return {"email": email, "email_verified": True, "name": "Bo <b>B</b>"} | more


async def test_a_new_person_is_created_and_signs_in_again(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    group = await post(account, f"/customers/{account.id}/groups", {"name": "Staff"})
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example", group_ids=[group["id"]])
    email = f"bo.{account.id}@acme.example"
    idp.person = known(email)
    page = await http.get(f"/sign-in/oidc/{provider.id}")
    assert "Continue with <bdi>Acme</bdi>" in page.text
    assert account.customer.name not in page.text
    came = await sign_in_at(http, idp, provider)
    assert (came.status_code, came.headers["location"]) == (303, "/tasks")
    assert "Bo &lt;b&gt;B&lt;/b&gt;" in (await http.get("/forms")).text
    [form] = idp.forms
    pair = base64.b64decode(form["authorization"].removeprefix("Basic ")).decode()
    assert pair == "forms:a+secret%3A+%C3%BC%25"
    assert CLIENT_SECRET not in str(form)
    assert (len(form["code_verifier"]), form["grant_type"]) == (64, "authorization_code")
    [user] = (await get(account, f"/customers/{account.id}/users?email={email}"))["items"]
    assert (user["status"], user["groups"]) == ("ACTIVE", [group["id"]])
    entries = (await get(account, f"/customers/{account.id}/audit?resourceId={user['id']}"))["items"]
    created = next(entry for entry in entries if entry["action"] == "user.created")
    assert created["actor"]["name"] == "Acme (identity provider)"
    events = (await get(account, f"/webhooks/customer/{account.id}/events?type=user.created"))["items"]
    assert events[-1]["data"]["email"] == email
    assert "You have no password." in (await http.get("/settings/account")).text
    assert (await send(http, f"/settings/account/identities/{provider.id}/unlink")).status_code == 403
    # The second time, the subject counts, even if the address has changed.
    idp.person = known("other@elsewhere.example")
    async with account.stage.client() as again:
        assert (await sign_in_at(again, idp, provider)).status_code == 303
    assert len((await get(account, f"/customers/{account.id}/users?limit=100"))["items"]) == 2
    async with inside(account) as owner:
        listed = (await owner.get("/people")).text
        assert listed.count('<span class="secondary-line"><bdi>Acme</bdi></span>') == 1
        assert "Password" not in listed


async def test_a_user_is_linked_by_email_only_if_allowed(
    account: Account, stranger: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    email = f"bo.{account.id}@acme.example"
    user_id = await add_user(account, email)
    await add_user(stranger, f"only.{email}")
    plain = await add_provider(account, idp.issuer, domain="acme.example", creates=True)
    idp.person = known(email)
    assert (await sign_in_at(http, idp, plain)).status_code == 403
    async with fake_provider(account) as other:
        linking = await add_provider(account, other.issuer, links=True)
        for person in (
            known(email, email_verified=False),
            known(email, email_verified="false"),
            {"email": email},
            {},
            known(account.owner.email),  # The account has not claimed example.org.
            known(f"only.{email}"),  # A user of another account, who must not be found.
            known(f"bo@sub.acme.example.{email}"),
            known("bo@acme.example@evil.example"),
        ):
            other.person = person
            refused = await sign_in_at(http, other, linking)
            assert (refused.status_code, "You couldn’t be signed in." in refused.text) == (403, True), person
            assert "acme.example" not in refused.text
        other.person = known(email.upper())
        assert (await sign_in_at(http, other, linking)).status_code == 303
        # Somebody else who has got the address must not get the user.
        other.overrides = {"sub": "p2"}
        assert (await sign_in_at(http, other, linking)).status_code == 403
        other.overrides = {}
        async with account.ctx.db.writing() as tx:
            await management.edit(tx, account.actor, UserEdit(status=UserStatus.DISABLED), user_id=user_id)
        assert (await sign_in_at(http, other, linking)).status_code == 403
    reasons = await failures(account)
    assert [reason.removeprefix("Acme: ") for reason in reversed(reasons)] == [
        f"The user {user_id} isn’t linked. They can link themselves on their account page.",
        *["The person isn’t linked to a user, and the provider says that their email address isn’t verified."] * 2,
        f"The person isn’t linked to a user, and {UNSAID}.",
        "The person isn’t linked to a user, and the provider sent no email address.",
        "The person isn’t linked to a user, and the account hasn’t claimed the domain example.org.",
        "There is no user with the person’s address, and the provider doesn’t create users.",
        "The person isn’t linked to a user, and the provider sent no email address.",
        "The person isn’t linked to a user, and the provider sent no email address.",
        f"The user {user_id} is already linked to another person at this provider.",
        f"The user {user_id} is disabled.",
    ]


async def test_an_invited_user_is_activated_and_their_invitation_ends(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    email = f"in.{account.id}@acme.example"
    user = await post(account, f"/customers/{account.id}/users", {"email": email, "name": "In"})
    provider = await add_provider(account, idp.issuer, links=True, domain="acme.example")
    idp.person = known(email)
    assert (await sign_in_at(http, idp, provider)).status_code == 303
    assert (await get(account, f"/customers/{account.id}/users/{user['id']}"))["status"] == "ACTIVE"
    async with account.ctx.db.reading() as tx:
        links = await tx.fetch("SELECT 1 FROM password_links WHERE customer_id = $1", account.id)
    assert not links


Attack = Callable[[FakeProvider], None]


def _claims(**overrides: Any) -> Attack:
    def attack(idp: FakeProvider) -> None:
        idp.overrides = {
            name: idp.clock.now() // SECOND + value if name in ("exp", "iat", "nbf") and value is not None else value
            for name, value in overrides.items()
        }

    return attack


def _algorithm(name: str) -> Attack:
    def attack(idp: FakeProvider) -> None:
        idp.algorithm = name

    return attack


def _swap_key(idp: FakeProvider) -> None:
    idp.published = [idp.key]
    idp.key = RSAKey.generate_key(2048, {"kid": idp.key.kid})


def _unknown_key(idp: FakeProvider) -> None:
    idp.published = [idp.key]
    idp.key = RSAKey.generate_key(2048, {"kid": "unpublished"})


ATTACKS: dict[str, tuple[Attack, str]] = {
    "wrong audience": (_claims(aud="other"), "The ID token is for another client."),
    "no audience": (_claims(aud=None), "The ID token is for another client."),
    "two audiences without azp": (_claims(aud=["forms", "other"]), "The ID token was issued to another client."),
    "wrong azp": (_claims(azp="other"), "The ID token was issued to another client."),
    "wrong issuer": (_claims(iss="https://evil.example"), "The ID token is from another issuer."),
    "algorithm none": (_algorithm("none"), "The ID token is"),
    "HS256 with the public key": (_algorithm("HS256"), "The ID token is signed with an algorithm"),
    "expired": (_claims(exp=-61), "The ID token has expired."),
    "no expiry": (_claims(exp=None), "The ID token has no valid times."),
    "issued in the future": (_claims(iat=120), "The ID token is from the future."),
    "not valid yet": (_claims(nbf=120), "The ID token is from the future."),
    "issued long ago": (_claims(iat=-3600), "The ID token was issued too long ago."),
    "another nonce": (_claims(nonce="other"), "The nonce of the ID token belongs to another sign-in."),
    "no nonce": (_claims(nonce=None), "The nonce of the ID token belongs to another sign-in."),
    "no subject": (_claims(sub=None), "The ID token has no valid subject."),
    "a number as subject": (_claims(sub=7), "The ID token has no valid subject."),
    "swapped key": (_swap_key, "The signature of the ID token is wrong."),
    "unknown key": (_unknown_key, "The ID token is signed with a key that the provider doesn’t publish."),
}


@pytest.mark.parametrize("name", ATTACKS)
async def test_forged_tokens_are_refused(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient, name: str
) -> None:
    attack, reason = ATTACKS[name]
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example")
    idp.person = known(f"bo.{account.id}@acme.example")
    attack(idp)
    refused = await sign_in_at(http, idp, provider)
    assert refused.status_code == 403
    assert "You couldn’t be signed in." in refused.text
    assert reason not in refused.text
    assert (await http.get("/forms")).status_code == 303
    [found] = await failures(account)
    assert found.startswith(f"Acme: {reason}")


async def test_clocks_may_differ_by_a_minute(account: Account, idp: FakeProvider, http: httpx.AsyncClient) -> None:
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example")
    idp.person = known(f"bo.{account.id}@acme.example")
    for attack in (_claims(exp=-50), _claims(iat=50), _claims(aud=["forms", "other"], azp="forms")):
        attack(idp)
        assert (await sign_in_at(http, idp, provider)).status_code == 303


async def test_forged_responses_are_refused(account: Account, idp: FakeProvider, http: httpx.AsyncClient) -> None:
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example")
    idp.person = known(f"bo.{account.id}@acme.example")
    # In a browser that has not started to sign in, as in an attack that signs the victim in as the attacker.
    response = await go_to_provider(http, idp, provider)
    async with account.stage.client() as victim:
        refused = await come_back(victim, provider, response)
        assert (refused.status_code, "expired or was already completed" in refused.text) == (403, True)
    for change, reason in [
        ({"state": "other"}, "The state of the response belongs to another sign-in."),
        ({"iss": "https://evil.example"}, "The response is from another issuer."),
        ({"code": ""}, "The response of the provider has no code."),
        ({"code": "guessed"}, "The provider rejected the code or the client: status 400."),
        ({"error": "access_denied<b>\x07"}, "The provider answered with the error “access_denied<b>”."),
    ]:
        assert (await come_back(http, provider, await go_to_provider(http, idp, provider) | change)).status_code == 403
        assert (await failures(account))[0] == f"Acme: {reason}"
    # A response works once, even with the cookie of its browser.
    response = await go_to_provider(http, idp, provider)
    cookies = dict(http.cookies)
    assert (await come_back(http, provider, response)).status_code == 303
    async with account.stage.client() as thief:
        thief.cookies.update({name: value for name, value in cookies.items() if "oidc" in name})
        idp.nonces[response["code"]] = "again"
        assert (await come_back(thief, provider, response)).status_code == 403
    assert (await failures(account))[0] == "Acme: The response of the provider was used before."


async def test_the_response_of_one_provider_does_not_count_for_another(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example")
    async with fake_provider(account) as evil:
        mixed = await add_provider(account, evil.issuer, creates=True)
        idp.person = known(f"bo.{account.id}@acme.example")
        response = await go_to_provider(http, idp, provider)
        assert (await come_back(http, mixed, response)).status_code == 403
        assert not evil.forms, "the code must not reach the other provider"
        assert (await come_back(http, provider, response)).status_code == 303


async def test_other_sites_cannot_start_a_sign_in(account: Account, idp: FakeProvider, http: httpx.AsyncClient) -> None:
    provider = await add_provider(account, idp.issuer)
    path = f"/sign-in/oidc/{provider.id}"
    led = await http.get(f"{path}/start", headers={"sec-fetch-site": "cross-site"})
    assert (led.status_code, led.headers["location"]) == (303, path)
    unknown = await http.get("/sign-in/oidc/idp_01h455vb4pex5vsknk084sn02q")
    assert (unknown.status_code, "Sign-in unavailable" in unknown.text) == (404, True)


async def test_the_domain_leads_to_the_provider_whether_or_not_the_user_exists(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    domain = f"{account.id.replace('_', '-')}.example"
    provider = await add_provider(account, idp.issuer, domain=domain)
    await add_user(account, f"known@{domain}")
    texts = [(await send(http, "/sign-in/oidc", email=f"{name}@{domain}")).text for name in ("known", "unknown")]
    assert all(f"/sign-in/oidc/{provider.id}/start" in text for text in texts)
    assert account.customer.name not in texts[0]
    none = await send(http, "/sign-in/oidc", email="bo@unclaimed.example")
    assert (none.status_code, "There’s no single sign-on for this address" in none.text) == (422, True)


async def test_a_provider_that_is_down_is_reported(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    provider = await add_provider(account, "http://127.0.0.1:9")
    down = await http.get(f"/sign-in/oidc/{provider.id}/start")
    assert (down.status_code, "Acme isn’t responding" in down.text) == (502, True)
    inner = await add_provider(account, "http://10.0.0.1")
    assert (await http.get(f"/sign-in/oidc/{inner.id}/start")).status_code == 502
    live = await add_provider(account, idp.issuer)
    response = await go_to_provider(http, idp, live)
    idp.token_status = 503
    assert (await come_back(http, live, response)).status_code == 502
    reasons = await failures(account)
    reason = f"The provider failed at {idp.issuer}/token: The server responded with status 503 instead of 200."
    assert reasons[0] == f"Acme: {reason}"
    assert "forbidden" in reasons[1]
    assert "refused" in reasons[2]


async def test_rotated_keys_are_fetched_once(account: Account, idp: FakeProvider, http: httpx.AsyncClient) -> None:
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example")
    idp.person = known(f"bo.{account.id}@acme.example")
    assert (await sign_in_at(http, idp, provider)).status_code == 303
    assert idp.requests.count("/jwks") == 1
    cached = account.ctx.oidc._cache.get(idp.issuer)
    assert cached is not None
    cached.keys_at = (cached.keys_at or 0) - 31 * SECOND
    idp.key = RSAKey.generate_key(2048, {"kid": "two"})
    assert (await sign_in_at(http, idp, provider)).status_code == 303
    assert idp.requests.count("/jwks") == 2
    _unknown_key(idp)
    for _ in range(3):
        assert (await sign_in_at(http, idp, provider)).status_code == 403
    assert idp.requests.count("/jwks") == 2, "forged tokens must not cause requests"


async def test_an_address_may_come_from_userinfo_of_the_same_person(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example")
    idp.userinfo = known(f"bo.{account.id}@acme.example", sub="somebody else")
    assert (await sign_in_at(http, idp, provider)).status_code == 403
    assert await failures(account) == ["Acme: The userinfo response is about another person."]
    idp.userinfo["sub"] = "p1"
    assert (await sign_in_at(http, idp, provider)).status_code == 303


async def test_a_signed_in_user_links_themselves_with_their_password(
    account: Account, stranger: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    provider = await add_provider(account, idp.issuer)
    path = f"/settings/account/identities/{provider.id}"
    async with visit(account) as owner:
        wrong = await owner.post(path, {f"password-{provider.id}": "wrong"})
        assert (wrong.status_code, "Wrong password" in wrong.text) == (422, True)
        page = await owner.post(path, {f"password-{provider.id}": PASSWORD})
        url = page.text.split('class="button" href="')[1].split('"')[0].replace("&amp;", "&")
        assert url.startswith(f"{idp.issuer}/auth?")
        linked = await come_back(owner.http, provider, authorize(idp, url))
        assert linked.headers["location"] == "/settings/account?saved=linked"
        assert "Linked" in (await owner.http.get("/settings/account")).text
        # The provider asks for the second factor, not we.
        await factor(account, owner.http)
        assert (await sign_in_at(http, idp, provider)).headers["location"] == "/tasks"
        async with account.stage.client() as with_password:
            entered = await sign_in(with_password, account.owner.email)
            assert entered.headers["location"] == "/sign-in/second"
        # Another user cannot take the same person.
        mate = await add_user(account, f"mate.{account.owner.email}")
        async with visit(account, mate) as other:
            page = await other.post(path, {f"password-{provider.id}": PASSWORD})
            url = page.text.split('class="button" href="')[1].split('"')[0].replace("&amp;", "&")
            assert (await come_back(other.http, provider, authorize(idp, url))).status_code == 403
        assert (await owner.post(path + "/unlink")).status_code == 303
        assert (await owner.post(path + "/unlink")).status_code == 404
    assert (await sign_in_at(http, idp, provider)).status_code == 403
    async with visit(stranger) as foreign:
        assert (await foreign.post(path, {f"password-{provider.id}": PASSWORD})).status_code == 404
        assert (await foreign.http.get(f"/settings/sign-in/{provider.id}")).status_code == 404


async def test_an_owner_sets_up_changes_tests_and_removes_a_provider(account: Account, idp: FakeProvider) -> None:
    async with inside(account) as http:
        form = {"name": "<i>Acme</i>", "issuer": idp.issuer + "/", "clientId": "forms", "clientSecret": "s3cret-value"}
        bad = await send(http, "/settings/sign-in/new", **form | {"issuer": "https://nowhere.invalid"})
        assert (bad.status_code, "can’t be reached" in bad.text) == (422, True)
        bad = await send(http, "/settings/sign-in/new", **form | {"name": "", "scopes": 'a"b'})
        assert (bad.status_code, bad.text.count('class="field-error"')) == (422, 2)
        saved = await send(http, "/settings/sign-in/new", **form, enabled="1", link="1")
        assert saved.status_code == 303, saved.text
        path = saved.headers["location"].partition("?")[0]
        page = await http.get(path)
        assert f"https://forms.test/sign-in/oidc/{path.rpartition('/')[2]}/callback" in page.text
        assert "s3cret-value" not in page.text
        assert "&lt;i&gt;Acme" in page.text
        assert (await send(http, path + "/test")).headers["location"] == f"{path}?done=works"
        again = await send(http, "/settings/sign-in/new", **form)
        assert "already has an identity provider with this issuer" in again.text
        changed = await send(http, path, **form | {"clientSecret": "", "name": "Acme"})
        assert changed.status_code == 303
        async with account.ctx.db.reading() as tx:
            [row] = await tx.fetch(
                "SELECT client_secret, is_enabled, issuer FROM identity_providers WHERE customer_id = $1", account.id
            )
        assert account.ctx.secret_box.open(row[0]) == "s3cret-value"
        assert (row[1], row[2]) == (0, idp.issuer)
        assert (await send(http, path + "/remove")).status_code == 303
        assert (await http.get(path)).status_code == 404
    entries = await get(account, f"/customers/{account.id}/audit?resourceType=identity_provider")
    assert [(entry["action"], entry["changed"]) for entry in reversed(entries["items"])] == [
        ("identity_provider.created", []),
        ("identity_provider.updated", ["name", "isEnabled", "linksByEmail"]),
        ("identity_provider.deleted", []),
    ]


async def test_an_account_keeps_an_owner_with_a_password(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    group = await post(account, f"/customers/{account.id}/groups", {"name": "Owners"})
    [mine] = (await get(account, f"/customers/{account.id}/users/{account.owner.id}"))["grants"]
    async with account.ctx.db.writing() as tx:
        ownership = Grant(mine["roleId"], ResourceType.ACCOUNT, account.id)
        await groups.edit(tx, account.actor, GroupEdit(add_grants=[ownership]), group_id=group["id"])
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example", group_ids=[group["id"]])
    idp.person = known(f"bo.{account.id}@acme.example")
    assert (await sign_in_at(http, idp, provider)).status_code == 303
    assert (await http.get("/settings/sign-in")).status_code == 200, "an owner through the group"
    async with account.ctx.db.writing() as tx:
        with pytest.raises(LastOwner):
            await management.edit(tx, account.actor, UserEdit(status=UserStatus.DISABLED), user_id=account.owner.id)
        await management.edit(tx, account.actor, UserEdit(status=UserStatus.ACTIVE), user_id=account.owner.id)


async def test_only_the_operator_claims_domains(account: Account) -> None:
    async with inside(account) as http:
        assert "hasn’t claimed any email domains" in (await http.get("/settings/sign-in")).text
    async with account.ctx.db.reading() as tx:
        owner = await people.load_actor(tx, account.owner)
    async with account.ctx.db.writing() as tx:
        with pytest.raises(Denied):
            await domains.claim(tx, owner, "acme.example")


async def test_an_owner_tests_a_provider_that_is_off_and_sees_claims_and_rule(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    email = f"bo.{account.id}@acme.example"
    ops = await post(account, f"/customers/{account.id}/groups", {"name": "ops"})
    claim = {"group_claim": "groups", "claim_group_ids": [ops["id"]]}
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example", **claim)
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE identity_providers SET is_enabled = 0 WHERE customer_id = $1", account.id)
    path = f"/settings/sign-in/{provider.id}/try"

    async def attempt(site: httpx.AsyncClient) -> str:
        started = await site.get(path)
        return (await come_back(site, provider, authorize(idp, started.headers["location"]))).text

    async with inside(account) as site:
        idp.person = known(email, groups=["<script>", "ops"], level=7, wide="x" * 3000)
        text = await attempt(site)
        assert "Signs in as a new user" in text
        assert "[&#34;&lt;script&gt;&#34;,&#34;ops&#34;]" in text
        assert "x" * 501 not in text
        assert "Of the groups that follow the claim, the person is in: ops." in text
        idp.person = {"email": email}
        assert UNSAID in await attempt(site)
        idp.overrides = {"aud": "other"}
        assert "The ID token is for another client." in await attempt(site)
        idp.overrides = {}
        user_id = await add_user(account, email)
        idp.person = known(email)
        assert f"The user {user_id} isn’t linked." in await attempt(site)
        async with account.ctx.db.writing() as tx:
            await tx.execute("UPDATE identity_providers SET links_by_email = 1 WHERE customer_id = $1", account.id)
        assert "Signs in as Bo, who has the verified email address" in await attempt(site)
        # The response of a test does not sign anybody in, nor in another session.
        started = await site.get(path)
        response = authorize(idp, started.headers["location"])
        cookies = {name: value for name, value in dict(site.cookies).items() if "oidc" in name}
    http.cookies.update(cookies)
    assert (await come_back(http, provider, response)).headers["location"].startswith("/sign-in")
    async with account.ctx.db.reading() as tx:
        assert not await tx.fetch("SELECT 1 FROM user_identities WHERE customer_id = $1", account.id)
    assert not await failures(account)
    async with inside(account, user_id) as mate:
        assert (await mate.get(path)).status_code == 403


async def test_single_sign_on_can_be_required_of_everyone_but_owners(
    account: Account, idp: FakeProvider, http: httpx.AsyncClient
) -> None:
    email = f"bo.{account.id}@acme.example"
    user_id = await add_user(account, email)
    async with account.stage.client() as before:
        assert (await sign_in(before, email)).headers["location"] == "/overview"
    provider = await add_provider(account, idp.issuer, links=True, domain="acme.example", is_required=True)
    led = await sign_in(http, email, next_="/tasks")
    assert led.headers["location"] == f"/sign-in/oidc/{provider.id}?required=1&next=%2Ftasks"
    page = await http.get(led.headers["location"])
    assert "Your organisation requires single sign-on." in page.text
    assert f"/sign-in/oidc/{provider.id}/start?next=%2Ftasks" in page.text
    assert (await http.get("/forms")).status_code == 303
    assert (await sign_in(http, email, "wrong password")).status_code == 422, "only who knows the password learns it"
    # The link for a forgotten password leads to the provider, too.
    await send(http, "/forgot-password", email=email)
    led = await send(http, await mailed(account, user_id), password=NEW, again=NEW)
    assert led.headers["location"].startswith(f"/sign-in/oidc/{provider.id}?required=1")
    assert (await http.get("/forms")).status_code == 303
    idp.person = known(email)
    assert (await sign_in_at(http, idp, provider)).status_code == 303
    async with account.stage.client() as owner:
        assert (await sign_in(owner, account.owner.email)).headers["location"] == "/overview"
    found = await get(account, f"/customers/{account.id}/audit?action=user.signed_in_with_password")
    assert [entry["actor"]["id"] for entry in found["items"]] == [account.owner.id]
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE identity_providers SET is_enabled = 0 WHERE customer_id = $1", account.id)
    async with account.stage.client() as mate:
        assert (await sign_in(mate, email, NEW)).headers["location"] == "/overview"
