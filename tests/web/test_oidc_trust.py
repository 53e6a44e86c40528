"""Signing in without `email_verified`: addresses that an owner trusts, and users created by provisioning."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from actors import PASSWORD, Account
from factories.oidc_provider import (
    CLIENT_SECRET,
    FakeProvider,
    add_provider,
    authorize,
    come_back,
    fake_provider,
    sign_in_at,
)
from factories.requests import get
from factories.sign_in import inside
from factories.web_client import send
from fixtures.scim import ScimClient, scim_client

from formwright.core.auth.actor import ResourceType
from formwright.core.errors import Denied, Invalid
from formwright.domain.identity_providers import service
from formwright.domain.identity_providers.identities import provider_actor
from formwright.domain.identity_providers.models import IdentityProvider, ProviderEdit, VerifiedClaims
from formwright.domain.identity_providers.provisioned_links import find_provisioned
from formwright.domain.users import management
from formwright.domain.users import service as people
from formwright.domain.users.models import Grant, NewUser, UserEdit, UserStatus

TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47"
GUEST = {"tid": TENANT, "idp": "https://sts.windows.net/9b2c1c4e-7a0f-4c3e-8f11-3d8a6c2b7e55/"}


@pytest.fixture
async def idp(account: Account) -> AsyncIterator[FakeProvider]:
    async with fake_provider(account) as running:
        yield running


async def add_user(account: Account, email: str) -> str:
    """Add an active user with a password."""
    async with account.ctx.db.writing() as tx:
        hash_ = await account.ctx.passwords.hash(PASSWORD)
        return (await management.create(tx, account.actor, NewUser(email, "Bo"), password_hash=hash_)).id


async def make_owner(account: Account, user_id: str) -> None:
    [mine] = (await get(account, f"/customers/{account.id}/users/{account.owner.id}"))["grants"]
    async with account.ctx.db.writing() as tx:
        ownership = Grant(mine["roleId"], ResourceType.ACCOUNT, account.id)
        await management.add_grant(tx, account.actor, ownership, user_id=user_id)


async def attempt(account: Account, idp: FakeProvider, provider: IdentityProvider, person: dict[str, Any]) -> str:
    """Let a person sign in. Returns the id of the user they are, or why they were refused."""
    idp.person = person
    async with account.stage.client() as http:
        came = await sign_in_at(http, idp, provider)
        assert came.status_code in (303, 403), came.text
        # The cookie tells who is signed in, so what the account says about the last sign-in is not needed.
        assert ((await http.get("/settings/account")).status_code == 200) is (came.status_code == 303)
    if came.status_code == 403:
        assert "You couldn’t be signed in." in came.text
        found = await get(account, f"/customers/{account.id}/audit?action=identity_provider.sign_in_failed")
        reason: str = found["items"][0]["resource"]["name"]
        return reason.removeprefix("Acme: ")
    entries = await get(account, f"/customers/{account.id}/audit?action=user.signed_in")
    actor: str = entries["items"][0]["actor"]["id"]
    return actor


async def status_of(account: Account, user_id: str) -> str:
    status: str = (await get(account, f"/customers/{account.id}/users/{user_id}"))["status"]
    return status


NOT_LINKED = "The person isn’t linked to a user, and "
UNSAID = (
    NOT_LINKED + "the provider doesn’t say whether their email address is verified (see “Trust its email addresses”)."
)
DENIED = NOT_LINKED + "the provider says that their email address isn’t verified."
MISSING = NOT_LINKED + "the provider sent no email address."
IS_GUEST = NOT_LINKED + "a guest’s email address only counts if the provider says that it is verified."
LINKED = ""

ADDRESSES: list[tuple[dict[str, Any], str, str]] = [
    # What the provider says beside the address, and what follows without and with the switch.
    ({}, UNSAID, LINKED),
    ({"email_verified": None, "tid": TENANT, "oid": "o"}, UNSAID, LINKED),
    ({"email_verified": True}, LINKED, LINKED),
    ({"email_verified": "true"}, LINKED, LINKED),
    ({"email_verified": False}, DENIED, DENIED),
    ({"email_verified": "false"}, DENIED, DENIED),
    ({"email_verified": "yes"}, DENIED, DENIED),
    ({"xms_edov": True}, LINKED, LINKED),
    ({"xms_edov": "1"}, LINKED, LINKED),
    ({"xms_edov": False}, DENIED, DENIED),
    ({"xms_edov": "0"}, DENIED, DENIED),
    ({"email_verified": True, "xms_edov": False}, DENIED, DENIED),
    (GUEST, UNSAID, IS_GUEST),
    (GUEST | {"xms_edov": True}, LINKED, LINKED),
    ({"email": None}, MISSING, MISSING),
    ({"email": None, "preferred_username": "{email}"}, MISSING, MISSING),
    ({"email": "{email}.evil.example"}, UNSAID, "{domain}"),
    ({"email": "{email}.evil.example", "email_verified": "true"}, "{domain}", "{domain}"),
]


@pytest.mark.parametrize("trusts", [False, True])
async def test_addresses_count_if_they_are_verified_or_trusted(
    account: Account, idp: FakeProvider, trusts: bool
) -> None:
    provider = await add_provider(account, idp.issuer, links=True, domain="acme.example", trusts_addresses=trusts)
    for index, (claims, plain, trusted) in enumerate(ADDRESSES):
        email = f"p{index}.{account.id}@acme.example"
        user_id = await add_user(account, email)
        texts = {name: value.format(email=email) if isinstance(value, str) else value for name, value in claims.items()}
        outcome = await attempt(account, idp, provider, {"sub": f"p{index}", "email": email, **texts})
        domain = NOT_LINKED + "the account hasn’t claimed the domain acme.example.evil.example."
        expected = (trusted if trusts else plain).format(domain=domain) or user_id
        assert outcome == expected, (claims, trusts)


async def test_a_trusted_address_links_and_creates_users_as_a_verified_one(account: Account, idp: FakeProvider) -> None:
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example", trusts_addresses=True)
    email = f"new.{account.id}@acme.example"
    created = await attempt(account, idp, provider, {"email": email})
    assert (await get(account, f"/customers/{account.id}/users/{created}"))["email"] == email
    existing = await add_user(account, f"old.{account.id}@acme.example")
    person = {"sub": "p2", "email": f"old.{account.id}@acme.example"}
    linking_is_off = f"The user {existing} isn’t linked. They can link themselves on their account page."
    assert await attempt(account, idp, provider, person) == linking_is_off
    async with account.ctx.db.writing() as tx:
        await management.edit(tx, account.actor, UserEdit(status=UserStatus.DISABLED), user_id=created)
    assert await attempt(account, idp, provider, {"email": email}) == f"The user {created} is disabled."


async def test_an_owner_with_a_password_is_only_linked_by_a_verified_address(
    account: Account, idp: FakeProvider
) -> None:
    provider = await add_provider(account, idp.issuer, links=True, domain="acme.example", trusts_addresses=True)
    email = f"boss.{account.id}@acme.example"
    owner = await add_user(account, email)
    await make_owner(account, owner)
    reason = await attempt(account, idp, provider, {"email": email})
    assert reason.startswith(f"The user {owner} is an owner with a password, and the provider doesn’t say that")
    assert await attempt(account, idp, provider, {"email": email, "email_verified": True}) == owner
    # Once linked, the subject counts.
    assert await attempt(account, idp, provider, {"email": email}) == owner


@pytest.mark.parametrize("links", [False, True])
async def test_users_created_by_provisioning_are_linked_by_their_identifiers(
    scim: ScimClient, stranger: Account, idp: FakeProvider, links: bool
) -> None:
    account = scim.account
    provider = await add_provider(account, idp.issuer, links_provisioned=links)
    accepted: list[tuple[dict[str, Any], dict[str, Any]]] = [
        # Attributes of the user, and claims of the person.
        ({"externalId": "o-1"}, {"oid": "o-1"}),
        ({"externalId": "s-2"}, {"sub": "s-2", "oid": "o-2"}),
        ({"externalId": "o-3"}, {"oid": "o-3", **GUEST}),
        ({}, {"preferred_username": "{userName}"}),
        ({"externalId": "nick"}, {"oid": "o-5", "preferred_username": "{USERNAME}"}),
        ({"userName": "Ann.Löwe", "emails": [{"value": "ann.{n}@acme.example"}]}, {"preferred_username": "ann.löwe"}),
        # Neither a denial nor another address matters, because the address does not count here.
        ({"externalId": "o-7"}, {"oid": "o-7", "email": "x@evil.example", "email_verified": False}),
    ]
    refused: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"externalId": "o-A"}, {"oid": "o-a"}),
        ({"externalId": "o-B"}, {"oid": ["o-B"], "email": "{userName}"}),
        ({"externalId": "7"}, {"oid": 7}),
        ({"externalId": "o-D"}, {"upn": "o-D", "preferred_username": "o-D", "name": "o-D"}),
        ({}, {"oid": "", "preferred_username": ""}),
        ({}, {"email": "{userName}"}),
        ({}, {"preferred_username": "{userName}", **GUEST}),
        ({}, {"preferred_username": "{userName}", "acct": 1, "tid": TENANT}),
        ({}, {"preferred_username": "{userName}\x00"}),
        ({}, {"preferred_username": ["{userName}"]}),
        ({"userName": "e{n}", "emails": [{"value": "e{n}@acme.example"}]}, {"preferred_username": "e{n}@acme.example"}),
    ]
    for index, (attributes, claims) in enumerate(accepted + refused):
        name = f"u{index}"
        user = await scim.add_user(name, **_format(attributes, n=f"{index}.{account.id}"))
        texts = {"userName": user["userName"], "USERNAME": user["userName"].upper(), "n": f"{index}.{account.id}"}
        outcome = await attempt(account, idp, provider, {"sub": f"p{index}", **_format(claims, **texts)})
        is_accepted = links and index < len(accepted)
        assert (outcome == user["id"]) is is_accepted, (attributes, claims, outcome)
        assert is_accepted or outcome.startswith(NOT_LINKED)
        assert await status_of(account, user["id"]) == ("ACTIVE" if is_accepted else "INVITED")
        if is_accepted:
            assert await attempt(account, idp, provider, {"sub": idp.person["sub"]}) == user["id"], "linked for good"
    # The user of another account, although the identifier is the same.
    async with scim_client(stranger) as elsewhere:
        await elsewhere.add_user("far", externalId="o-far")
    assert (await attempt(account, idp, provider, {"sub": "far", "oid": "o-far"})).startswith(NOT_LINKED)


def _format(value: Any, **texts: str) -> Any:
    if isinstance(value, str):
        return value.format(**texts)
    if isinstance(value, dict):
        return {name: _format(one, **texts) for name, one in value.items()}
    return [_format(one, **texts) for one in value] if isinstance(value, list) else value


async def test_the_user_name_may_come_from_userinfo(scim: ScimClient, idp: FakeProvider) -> None:
    account = scim.account
    provider = await add_provider(account, idp.issuer, links_provisioned=True)
    user = await scim.add_user("ada")
    idp.userinfo = {"sub": "p1", "preferred_username": user["userName"]}
    assert await attempt(account, idp, provider, {"email": "ada@elsewhere.example"}) == user["id"]


async def test_a_shared_issuer_recognises_provisioned_users_by_its_subject_only(scim: ScimClient) -> None:
    account, issuer = scim.account, "https://accounts.google.com"
    user = await scim.add_user("ada", externalId="x-1")
    async with account.ctx.db.writing() as tx:
        new = edit(issuer, links_provisioned=True)
        provider = await service.create(tx, account.actor, new, account.ctx.secret_box)

    async def find(**claims: str) -> str | None:
        async with account.ctx.db.reading() as tx:
            person = VerifiedClaims(issuer, claims["sub"], "", "", claims)
            found = await find_provisioned(tx, provider_actor(provider), provider, person)
        return found[1].id if found else None

    assert await find(sub="p1", oid="x-1") is None
    assert await find(sub="p1", preferred_username=user["userName"]) is None
    assert await find(sub="x-1") == user["id"]


async def test_linking_a_provisioned_user_is_audited_and_raises_the_event(scim: ScimClient, idp: FakeProvider) -> None:
    account = scim.account
    provider = await add_provider(account, idp.issuer, links_provisioned=True)
    user = await scim.add_user("ada", externalId="o-1")
    assert await attempt(account, idp, provider, {"oid": "o-1"}) == user["id"]
    assert await scim.events() == ["user.created", "user.updated"]
    entries = (await get(account, f"/customers/{account.id}/audit?resourceId={user['id']}"))["items"]
    found = [(entry["actor"]["name"], entry["changed"]) for entry in entries if entry["action"] == "user.updated"]
    assert sorted(found) == [("Acme (identity provider)", ["identities"]), ("Acme (identity provider)", ["status"])]
    assert (await scim.call("GET", f"/Users/{user['id']}"))["active"] is True


async def test_provisioning_cannot_hand_over_users_whom_it_has_not_created(scim: ScimClient, idp: FakeProvider) -> None:
    """Whoever has the token could otherwise give the external ID of an accomplice to an owner."""
    account = scim.account
    provider = await add_provider(account, idp.issuer, links_provisioned=True)
    invited_email = f"in.{account.id}@acme.example"
    async with account.ctx.db.writing() as tx:
        invited = (await management.invite(tx, account.actor, NewUser(invited_email, "In"))).id
    colleague = await add_user(account, f"bo.{account.id}@acme.example")
    for index, user_id in enumerate((account.owner.id, invited, colleague)):
        path = f"/Users/{user_id}"
        await scim.patch(path, {"op": "replace", "path": "externalId", "value": f"o-{index}"})
        await scim.patch(path, {"op": "replace", "path": "userName", "value": f"name-{index}"}, status=400)
        name = (await scim.call("GET", path))["userName"]
        for claims in ({"oid": f"o-{index}"}, {"sub": f"o-{index}"}, {"preferred_username": name}):
            outcome = await attempt(account, idp, provider, {"sub": f"p{index}", **claims})
            assert outcome == MISSING, (user_id, claims)
    # Also those whom it has created, once they are owners with a password.
    user = await scim.add_user("boss", externalId="o-boss")
    async with account.ctx.db.writing() as tx:
        await people.set_password(tx, account.actor, user["id"], await account.ctx.passwords.hash(PASSWORD))
    await make_owner(account, user["id"])
    assert await attempt(account, idp, provider, {"oid": "o-boss"}) == MISSING
    assert await attempt(account, idp, provider, {"preferred_username": user["userName"]}) == MISSING


async def test_identifiers_do_not_move_people_to_other_users(scim: ScimClient, idp: FakeProvider) -> None:
    account = scim.account
    provider = await add_provider(
        account, idp.issuer, links=True, domain="acme.example", links_provisioned=True, trusts_addresses=True
    )
    ann, bob = await scim.add_user("ann", externalId="o-ann"), await scim.add_user("bob", externalId="o-bob")
    several = await attempt(account, idp, provider, {"sub": "o-bob", "oid": "o-ann"})
    assert several.startswith("The person’s identifiers belong to several provisioned users: usr_")
    # The external ID counts more than the user name and the address, which can get to somebody else.
    claims = {"oid": "o-ann", "preferred_username": bob["userName"], "email": bob["userName"], "email_verified": True}
    assert await attempt(account, idp, provider, {"sub": "p-ann", **claims}) == ann["id"]
    assert await status_of(account, bob["id"]) == "INVITED"
    assert await attempt(account, idp, provider, {"sub": "p-ann", "oid": "o-bob"}) == ann["id"], "the link stays"
    taken = f"The user {ann['id']} is already linked to another person at this provider."
    for claims in ({"oid": "o-ann"}, {"preferred_username": ann["userName"]}, {"email": ann["userName"]}):
        assert await attempt(account, idp, provider, {"sub": "p-eve", **claims}) == taken
    # Disabled users stay out, whether or not they are linked.
    for form, person in ((ann, {"sub": "p-ann"}), (bob, {"sub": "p-bob", "oid": "o-bob"})):
        await scim.patch(f"/Users/{form['id']}", {"op": "replace", "path": "active", "value": False})
        assert await attempt(account, idp, provider, person) == f"The user {form['id']} is disabled."
        assert await status_of(account, form["id"]) == "DISABLED"


async def test_a_person_whose_user_was_provisioned_again_gets_the_new_one(scim: ScimClient, idp: FakeProvider) -> None:
    account = scim.account
    provider = await add_provider(account, idp.issuer, creates=True, domain="acme.example", links_provisioned=True)
    first = await scim.add_user("ann", externalId="o-ann")
    person = {"sub": "p-ann", "oid": "o-ann", "email": first["userName"], "email_verified": True}
    assert await attempt(account, idp, provider, person) == first["id"]
    await scim.call("DELETE", f"/Users/{first['id']}", status=204)
    assert await attempt(account, idp, provider, person) == "The user was deleted.", "and is not created again"
    second = await scim.add_user("ann", externalId="o-ann")
    assert await attempt(account, idp, provider, person) == second["id"]
    assert await attempt(account, idp, provider, {"sub": "p-ann"}) == second["id"]


def edit(issuer: str, name: str = "Acme", **more: Any) -> ProviderEdit:
    return ProviderEdit(name, issuer, "forms", CLIENT_SECRET, "openid", False, True, False, **more)


async def test_the_switches_are_refused_where_they_are_not_safe(account: Account, stranger: Account) -> None:
    shared, own = "https://accounts.google.com", "https://login.example.org/realms/staff"

    async def refusal(call: Any) -> list[tuple[str, str]]:
        async with account.ctx.db.writing() as tx:
            with pytest.raises(Invalid) as refused:
                await call(tx)
        return [(fault.pointer, fault.code) for fault in refused.value.faults]

    box, actor = account.ctx.secret_box, account.actor
    expected = [("/trust", "identity_provider.shared_issuer")]
    assert await refusal(lambda tx: service.create(tx, actor, edit(shared, trusts_addresses=True), box)) == expected
    async with account.ctx.db.writing() as tx:
        first = await service.create(tx, actor, edit(own, trusts_addresses=True, links_provisioned=True), box)
        second = await service.create(tx, actor, edit(shared, "Google"), box)
        assert (await service.get(tx, actor, provider_id=first.id)).trusts_addresses
    for provider, issuer in ((first, "https://login.microsoftonline.com/common/v2.0"), (second, shared)):
        changes = edit(issuer, trusts_addresses=True)
        assert (
            await refusal(lambda tx, p=provider, c=changes: service.update(tx, actor, c, box, provider_id=p.id))
            == expected
        )
    # Only one provider of an account provisions it; another account is not concerned.
    taken = [("/provisioned", "identity_provider.provisioning_taken")]
    changes = edit(shared, links_provisioned=True)
    assert await refusal(lambda tx: service.update(tx, actor, changes, box, provider_id=second.id)) == taken
    async with stranger.ctx.db.writing() as tx:
        await service.create(tx, stranger.actor, edit(own, links_provisioned=True), stranger.ctx.secret_box)
    member = await add_user(account, f"bo.{account.id}@acme.example")
    async with account.ctx.db.writing() as tx:
        someone = await people.load_actor(tx, await people.get(tx, actor, user_id=member))
        with pytest.raises(Denied):
            await service.update(tx, someone, edit(own), box, provider_id=first.id)


async def test_an_owner_sets_the_switches_on_the_page(account: Account, idp: FakeProvider) -> None:
    provider = await add_provider(account, idp.issuer)
    path = f"/settings/sign-in/{provider.id}"
    form = {"name": "Acme", "issuer": idp.issuer, "clientId": "forms", "scopes": "openid email", "enabled": "1"}
    async with inside(account) as http:
        page = (await http.get(path)).text
        assert _box(page, "trust") == _box(page, "provisioned") == ""
        assert "Provisioning</a> is off." in page
        assert (await send(http, path, **form, trust="1", provisioned="1")).status_code == 303
        page = (await http.get(path)).text
        assert _box(page, "trust") == _box(page, "provisioned") == " checked"
        assert (await send(http, path, **form)).status_code == 303
        page = (await http.get(path)).text
        assert _box(page, "trust") == _box(page, "provisioned") == ""
        google = await _add_google(account)
        page = (await http.get(google)).text
        assert _box(page, "trust") == " disabled"
        assert "Not available. This issuer signs in people of other organisations, too" in page
        form = {"name": "Google", "issuer": "https://accounts.google.com", "clientId": "forms"}
        refused = await send(http, google, **form, trust="1")
        assert (refused.status_code, "This issuer signs in people of other organisations, too" in refused.text) == (
            422,
            True,
        )
        assert 'aria-errormessage="trust-fault"' in refused.text
        assert _box(refused.text, "trust") == " checked", "so that it can be unchecked"
    entries = await get(account, f"/customers/{account.id}/audit?action=identity_provider.updated")
    assert [entry["changed"] for entry in entries["items"]] == [["trustsAddresses", "linksProvisioned"]] * 2
    member = await add_user(account, f"bo.{account.id}@acme.example")
    async with inside(account, member) as http:
        assert (await send(http, path, **form, trust="1")).status_code == 403


async def test_an_address_for_all_tenants_is_explained(account: Account, idp: FakeProvider) -> None:
    form = {"name": "Entra", "issuer": idp.issuer, "clientId": "forms", "enabled": "1", "trust": "1"}
    idp.issuer = "https://login.microsoftonline.com/{tenantid}/v2.0"
    async with inside(account) as http:
        refused = await send(http, "/settings/sign-in/new", **form)
    assert (refused.status_code, "Use the address with the ID of your own tenant." in refused.text) == (422, True)


async def _add_google(account: Account) -> str:
    async with account.ctx.db.writing() as tx:
        new = edit("https://accounts.google.com", "Google")
        created = await service.create(tx, account.actor, new, account.ctx.secret_box)
    return f"/settings/sign-in/{created.id}"


def _box(page: str, name: str) -> str:
    """Return the state of a checkbox."""
    attributes = page.split(f'name="{name}" value="1"')[1].partition(" aria-")[0]
    return attributes.partition(">")[0]


async def test_the_test_of_a_provider_says_which_rule_applies(scim: ScimClient, idp: FakeProvider) -> None:
    account = scim.account
    provider = await add_provider(
        account, idp.issuer, links=True, domain="acme.example", links_provisioned=True, trusts_addresses=True
    )
    ada = await scim.add_user("ada", externalId="o-1")
    email = f"bo.{account.id}@acme.example"
    await add_user(account, email)
    cases = [
        ({"oid": "o-1"}, "Signs in as ada, whom provisioning has created with this external ID."),
        (
            {"preferred_username": ada["userName"]},
            "Signs in as ada, whom provisioning has created with this user name.",
        ),
        ({"email": email}, "Signs in as Bo, who has the trusted email address"),
        ({"email": email}, "Trusted email address: <bdi>bo."),
        ({"email": email, "xms_edov": "1"}, "Verified email address: <bdi>bo."),
        ({"email": email, "email_verified": "false"}, "the provider says that their email address isn’t verified"),
    ]
    async with inside(account) as site:
        for person, text in cases:
            idp.person = person
            started = await site.get(f"/settings/sign-in/{provider.id}/try")
            page = await come_back(site, provider, authorize(idp, started.headers["location"]))
            assert text in page.text, (person, text)
    assert await status_of(account, ada["id"]) == "INVITED"
