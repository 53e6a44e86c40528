"""Addresses that an identity provider may not change, and what ends when an address changes."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from actors import Account
from factories.mail_worker import mail_worker
from factories.oidc_provider import add_provider
from factories.requests import PREFIX, get
from factories.users import built_in, user
from factories.web_client import Visit, csrf, visit
from fixtures.scim import PATCH, ROOT, USER, ScimClient
from fixtures.server_process import eventually
from fixtures.smtp_server import MailServer, mail_server

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import ResourceType
from formwright.domain.identity_providers import identities
from formwright.domain.identity_providers.models import VerifiedClaims
from formwright.domain.users import groups, management
from formwright.domain.users import service as people
from formwright.domain.users.auth import emails, password_links, sessions
from formwright.domain.users.auth.models import LinkExpired, LinkKind
from formwright.domain.users.models import Grant, GroupEdit, NewUser, PasswordCredentials, User, UserEdit

ORIGIN = "https://forms.test"


def put_body(**attributes: Any) -> tuple[str, dict[str, Any]]:
    return "PUT", {"schemas": [USER], **attributes}


def patch_body(*operations: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "PATCH", {"schemas": [PATCH], "Operations": list(operations)}


def spellings(old: str, new: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return requests that would change the address or the user name of a user, by what is special about them."""
    mail, core = {"value": new, "type": "work", "primary": True}, USER
    return {
        "put both": put_body(userName=new, emails=[mail]),
        "put the address": put_body(userName=old, emails=[mail]),
        "put another primary address": put_body(userName=old, emails=[{"value": old, "type": "work"}, mail]),
        "put the user name alone": put_body(userName=new),
        "put with other case": put_body(USERNAME=old, EMAILS=[mail]),
        "patch the list": patch_body({"op": "replace", "path": "emails", "value": [mail]}),
        "patch an object": patch_body({"op": "replace", "path": "emails", "value": mail}),
        "add another primary address": patch_body({"op": "add", "path": "emails", "value": [{**mail, "type": "home"}]}),
        "Entra": patch_body({"op": "Replace", "path": 'emails[type eq "work"].value', "value": new}),
        "Entra, capital letter": patch_body({"op": "Replace", "path": 'emails[type eq "work"].Value', "value": new}),
        "by the old value": patch_body({"op": "replace", "path": f'emails[value eq "{old}"].value', "value": new}),
        "of all": patch_body({"op": "replace", "path": "emails.value", "value": new}),
        "without a path": patch_body({"op": "replace", "value": {"emails": [mail]}}),
        "a dotted name": patch_body({"op": "replace", "value": {'emails[type eq "work"].value': new, "userName": new}}),
        "with the schema": patch_body({"op": "replace", "path": f"{core}:emails", "value": [mail]}),
        "the user name": patch_body({"op": "Replace", "path": "userName", "value": new}),
        "the user name without a path": patch_body({"op": "replace", "value": {"userName": new}}),
        "another type first": patch_body(
            {"op": "replace", "path": 'emails[type eq "work"]', "value": {"type": "other", "primary": False}},
            {"op": "add", "path": 'emails[type eq "work"].value', "value": new},
        ),
        "with other changes": patch_body(
            {"op": "replace", "path": "displayName", "value": "Taken over"},
            {"op": "add", "path": "externalId", "value": "e-1"},
            {"op": "Replace", "path": 'emails[type eq "work"].value', "value": new},
        ),
    }


async def send(scim: ScimClient, user_id: str, request: tuple[str, dict[str, Any]]) -> tuple[int, dict[str, Any]]:
    method, body = request
    response = await scim.http.request(method, f"{ROOT}/Users/{user_id}", json=body)
    return response.status_code, response.json() if response.content else {}


async def fetch_email(account: Account, user_id: str) -> str:
    return str((await get(account, f"/customers/{account.id}/users/{user_id}"))["email"])


async def test_no_spelling_changes_the_address_of_an_owner_who_was_never_provisioned(scim: ScimClient) -> None:
    account, owner = scim.account, scim.account.owner
    before = await scim.call("GET", f"/Users/{owner.id}")
    for name, request in spellings(owner.email, f"evil.{owner.email}").items():
        status, body = await send(scim, owner.id, request)
        assert await scim.call("GET", f"/Users/{owner.id}") == before, name
        assert await fetch_email(account, owner.id) == owner.email, name
        assert (status, body["scimType"]) == (400, "mutability"), (name, body)
        assert "(user.email_protected)" in body["detail"], name
    assert await scim.events() == []


@asynccontextmanager
async def mailbox(account: Account) -> AsyncIterator[Callable[[str], Awaitable[str]]]:
    """Run a mail server and the worker. Yields a function that waits for a mail to an address, and returns its text.

    The worker also sends mails of other tests.
    """
    async with mail_server() as server, mail_worker(account.stage, server):

        async def wait_for(address: str) -> str:
            async def look() -> str:
                return next(iter(texts(server, address)), "")

            return str(await eventually(look))

        yield wait_for


def texts(server: MailServer, address: str) -> list[str]:
    """Return the texts of the mails to this address."""
    found = []
    for envelope, mail in zip(server.taken, server.mails, strict=True):
        body = mail.get_body(("plain",))
        if envelope.rcpt_tos == [address] and body:
            found.append(body.get_content())
    return found


async def forget_password(account: Account, *addresses: str) -> None:
    """Ask for links to set a password."""
    async with account.stage.client() as http:
        token = csrf((await http.get("/sign-in")).text)
        for address in addresses:
            response = await http.post("/forgot-password", data={"_csrf_token": token, "email": address})
            assert response.status_code == 200, response.text


async def test_a_token_does_not_take_over_an_owner(scim: ScimClient) -> None:
    """The whole attack: another address over SCIM, and then a link to it that sets a password."""
    account, owner = scim.account, scim.account.owner
    evil = f"evil.{owner.email}"
    async with mail_server() as server, mail_worker(account.stage, server):
        # Links in mails begin with the origin of the last session.
        async with account.stage.client() as http:
            assert (await Visit(http).sign_in(owner.email)).status_code == 303
        for request in spellings(owner.email, evil).values():
            assert (await send(scim, owner.id, request))[0] == 400
        # The link to the owner's own address arrives, so one to the other address would have.
        await forget_password(account, evil, owner.email)

        async def look() -> list[str]:
            return texts(server, owner.email)

        [text] = await eventually(look)
        assert "/set-password/" in text
        assert texts(server, evil) == []
    async with account.stage.client() as http:
        assert (await Visit(http).sign_in(owner.email)).status_code == 303, "the password is the same"


WHO: dict[str, tuple[bool, bool, bool, str, bool]] = {
    "created": (True, False, False, "", True),
    "created, with a password": (True, False, True, "", True),
    "created, an owner": (True, False, False, "directly", True),
    "created, an owner with a password": (True, False, True, "directly", False),
    "created, an owner by a group, with a password": (True, False, True, "by a group", False),
    "taken over": (False, False, False, "", False),
    "taken over, with a password": (False, False, True, "", False),
    "taken over, an owner": (False, False, False, "directly", False),
    "linked": (False, True, False, "", True),
    "linked, with a password": (False, True, True, "", True),
    "linked, an owner": (False, True, False, "directly", True),
    "linked, an owner with a password": (False, True, True, "directly", False),
}
"""Whether the provider created them, whether they are linked to an identity provider of the account, whether they have
a password, how they are an owner, and whether the provider may change their address."""


async def link(account: Account, user_id: str) -> None:
    """Link a user to an identity provider of the account, as signing in there does."""
    provider = await add_provider(account, "https://idp.example")
    async with account.ctx.db.writing() as tx:
        user = await people.get(tx, account.actor, user_id=user_id)
        claims = VerifiedClaims(provider.issuer, f"sub-{user_id}", user.email, user.name, {})
        await identities.link_own(tx, actors.person(user_id, account.id, ()), provider, claims)


async def set_password(account: Account, user_id: str) -> None:
    async with account.ctx.db.writing() as tx:
        user = await people.get(tx, account.actor, user_id=user_id)
        token, _ = await password_links.create(tx, user, LinkKind.INVITATION)
        await password_links.use(tx, token, password_hash="-")


@pytest.mark.parametrize("who", WHO)
async def test_whose_address_the_provider_may_change(scim: ScimClient, who: str) -> None:
    account = scim.account
    is_created, is_linked, has_password, ownership, may_change = WHO[who]
    email = f"cleo.{account.id}@acme.example"
    if is_created:
        user_id = (await scim.add_user("cleo"))["id"]
    else:
        async with account.ctx.db.writing() as tx:
            user_id = (await management.invite(tx, account.actor, NewUser(email, "Cleo"))).id
        # Taking somebody over makes them nobody else's.
        taken = {"op": "replace", "value": {"displayName": "Cleo C", "externalId": "e-1", "title": "Queen"}}
        await scim.patch(f"/Users/{user_id}", taken)
    if has_password:
        await set_password(account, user_id)
    if is_linked:
        await link(account, user_id)
    grant = Grant(await built_in(account), ResourceType.ACCOUNT, account.id)
    async with account.ctx.db.writing() as tx:
        if ownership == "directly":
            await management.add_grant(tx, account.actor, grant, user_id=user_id)
        elif ownership == "by a group":
            await groups.create(tx, account.actor, GroupEdit("Bosses", [user_id], [grant]))
    for name, request in spellings(email, f"new.{email}").items():
        status, body = await send(scim, user_id, request)
        seen = await scim.call("GET", f"/Users/{user_id}")
        if may_change:
            assert status in (200, 204), (name, body)
            assert f"new.{email}" in (seen["userName"], await fetch_email(account, user_id)), name
            back = put_body(userName=email, emails=[{"value": email, "type": "work", "primary": True}])
            assert (await send(scim, user_id, back))[0] == 200
        else:
            assert (status, body["scimType"]) == (400, "mutability"), (name, body)
            assert (seen["userName"], await fetch_email(account, user_id)) == (email, email), name
    # Whoever leaves is disabled, whatever else the request says.
    leaving = put_body(userName=f"gone.{email}", active=False)
    assert (await send(scim, user_id, leaving))[0] == 200
    seen = await scim.call("GET", f"/Users/{user_id}")
    assert (seen["active"], seen["userName"]) == (False, f"gone.{email}" if may_change else email)
    assert (await fetch_email(account, user_id) == email) is not may_change


async def change_by_scim(scim: ScimClient, user: User, new: str) -> None:
    await scim.patch(f"/Users/{user.id}", {"op": "Replace", "path": 'emails[type eq "work"].value', "value": new})


async def change_by_api(scim: ScimClient, user: User, new: str) -> None:
    response = await scim.account.api.put(f"{PREFIX}/customers/{scim.account.id}/users/{user.id}", json={"email": new})
    assert response.status_code == 200, response.text


async def change_by_upsert(scim: ScimClient, user: User, new: str) -> None:
    body = {"externalId": "hr-1", "email": new, "name": user.name}
    path = f"{PREFIX}/customers/{scim.account.id}/users/by-external-id"
    response = await scim.account.api.put(path, json=body)
    assert response.status_code == 200, response.text


async def change_by_page(scim: ScimClient, user: User, new: str) -> None:
    async with visit(scim.account) as site:
        response = await site.post(f"/people/{user.id}", {"email": new, "name": user.name, "language": "en"})
        assert response.status_code == 303, response.text


PATHS = {"SCIM": change_by_scim, "API": change_by_api, "upsert": change_by_upsert, "page": change_by_page}


@pytest.mark.parametrize("path", PATHS)
async def test_every_change_mails_the_old_address_and_ends_sessions_and_links(scim: ScimClient, path: str) -> None:
    account = scim.account
    user = await scim.add_user("ada", externalId="hr-1")
    await set_password(account, user["id"])
    async with account.ctx.db.writing() as tx:
        ada = await people.get(tx, account.actor, user_id=user["id"])
        token = await sessions.create(tx, PasswordCredentials(account.id, ada.id, "-"))
        link, _ = await password_links.create(tx, ada, LinkKind.RESET)
    new = f"new.{ada.email}"
    async with mailbox(account) as wait_for:
        await PATHS[path](scim, ada, new)
        text = await wait_for(ada.email)
    assert "another email address now" in text
    assert new not in text, "who reads the old address need not learn the new one"
    assert await fetch_email(account, ada.id) == new
    async with account.ctx.db.reading() as tx:
        assert await sessions.find(tx, token, account.ctx.clock.now()) is None
        with pytest.raises(LinkExpired):
            await password_links.find(tx, link, account.ctx.clock.now())


@pytest.mark.parametrize("path", PATHS)
async def test_a_link_that_waits_for_the_old_address_is_never_sent(scim: ScimClient, path: str) -> None:
    account = scim.account
    user = await scim.add_user("bo", externalId="hr-1")
    async with account.ctx.db.writing() as tx:
        bo = await people.get(tx, account.actor, user_id=user["id"])
        await emails.send_invitation(tx, emails.AccountMailer(account.ctx.secret_box, ORIGIN), bo)
    await PATHS[path](scim, bo, f"new.{bo.email}")
    async with account.ctx.db.reading() as tx:
        sql = "SELECT purpose, address, status FROM mails WHERE customer_id = $1 AND subject_id = $2 ORDER BY id"
        rows = [tuple(row) for row in await tx.fetch(sql, account.id, bo.id)]
        [count] = await tx.fetch("SELECT count(*) FROM password_links WHERE customer_id = $1", account.id)
    assert rows[:2] == [("user.invitation", bo.email, "WITHDRAWN"), ("user.changed", bo.email, "WAITING")]
    # The provider's users sign in there. Whom an owner or another system manages gets a new link.
    invited = [] if path == "SCIM" else [("user.invitation", f"new.{bo.email}", "WAITING")]
    assert rows[2:] == invited
    assert count[0] == len(invited)


async def test_only_a_page_changes_the_address_of_an_owner_with_a_password(scim: ScimClient) -> None:
    account, owner = scim.account, scim.account.owner
    new = f"new.{owner.email}"
    for body in ({"email": new}, {"email": new, "grants": []}):
        response = await account.api.put(f"{PREFIX}/customers/{account.id}/users/{owner.id}", json=body)
        assert (response.status_code, response.json()["code"]) == (403, "user.email_protected")
    response = await account.api.put(
        f"{PREFIX}/customers/{account.id}/users/{owner.id}", json={"email": owner.email.upper(), "name": "Same"}
    )
    assert response.status_code == 200, "the same address is none"
    async with mailbox(account) as wait_for, visit(account) as site:
        form = {"email": new, "name": owner.name, "language": "en"}
        assert (await site.post(f"/people/{owner.id}", form)).status_code == 303
        assert "another email address now" in await wait_for(owner.email)
        assert (await site.http.get("/people")).status_code == 303, "they are signed out, too"
        assert (await site.sign_in(new)).status_code == 303
        assert (await site.http.get("/people")).status_code == 200


async def test_nobody_changes_an_address_without_the_means_to_notify(account: Account) -> None:
    mate = await user(account)
    with pytest.raises(TypeError, match="notify"):
        async with account.ctx.db.writing() as tx:
            await management.edit(tx, account.actor, UserEdit(email="a@b.example"), user_id=mate.id)
    assert await fetch_email(account, mate.id) == mate.email
