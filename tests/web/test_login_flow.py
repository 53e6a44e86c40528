"""Signing in: emailed links, throttling, people with several accounts, and limits for anonymous requests."""

import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from actors import PASSWORD, Account
from factories.requests import get, post
from factories.sign_in import FIREFOX, HERE, NEW, after, factor, inside, mailed, mails, sign_in
from factories.web_client import send

from formwright.domain.users import management
from formwright.domain.users.models import NewUser


@pytest.fixture
async def anonymous(account: Account) -> AsyncIterator[httpx.AsyncClient]:
    async with account.stage.client(**{"user-agent": FIREFOX}) as http:
        yield http


# Links


async def test_an_invited_person_signs_in_through_the_emailed_link(
    account: Account, anonymous: httpx.AsyncClient
) -> None:
    http = anonymous
    body = {"email": f"new.{account.owner.email}", "name": "New"}
    new_user = await post(account, f"/customers/{account.id}/users", body)
    link = await mailed(account, new_user["id"])
    for _ in range(2):  # Mail scanners open links, too. That must not use them up.
        assert "You’ve been invited to" in (await http.get(link)).text
    for form, words in [
        ({"name": "Ann", "password": "short", "again": "short"}, "Enter a password of 10 to 200 characters."),
        ({"name": "Ann", "password": NEW, "again": NEW + "x"}, "The passwords don’t match."),
        ({"name": " ", "password": NEW, "again": NEW}, "Enter your name"),
        ({"name": "Ann", "password": body["email"], "again": body["email"]}, "can’t be your email address"),
    ]:
        refused = await send(http, link, **form)
        assert (refused.status_code, words in refused.text) == (422, True)
    came = await send(http, link, name="<b>Ann</b>\0", password=NEW, again=NEW)
    assert (came.status_code, came.headers["location"]) == (303, "/overview")
    assert "&lt;b&gt;Ann&lt;/b&gt;" in (await http.get("/forms")).text
    user = await get(account, f"/customers/{account.id}/users/{new_user['id']}")
    assert (user["status"], user["name"]) == ("ACTIVE", "<b>Ann</b>")
    used = await http.get(link)
    assert (used.status_code, "This link has expired" in used.text) == (404, True)
    assert (await send(http, link, name="x", password=NEW, again=NEW)).status_code == 404


async def test_a_forgotten_password_is_reset(account: Account, anonymous: httpx.AsyncClient) -> None:
    http = anonymous
    async with account.stage.client() as elsewhere:
        await sign_in(elsewhere, account.owner.email)
        known = await send(http, "/forgot-password", email=account.owner.email)
        unknown = await send(http, "/forgot-password", email="nobody@example.org")
        link = await mailed(account, account.owner.id)
        assert (await send(http, link, password=NEW, again=NEW)).status_code == 303
        assert (await http.get("/forms")).status_code == 200
        assert (await elsewhere.get("/forms")).status_code == 303
    same = [re.sub(r"<bdi>.*?</bdi>|req_\w+|value=\"\w+\"", "", response.text) for response in (known, unknown)]
    assert same[0] == same[1]
    assert known.status_code == unknown.status_code == 200
    assert await mails(account, "user.changed") == 1
    async with account.stage.client() as other:
        assert (await sign_in(other, account.owner.email)).status_code == 422
        assert (await sign_in(other, account.owner.email, NEW)).status_code == 303


async def test_three_reset_emails_are_sent_and_then_one_per_hour(
    account: Account, anonymous: httpx.AsyncClient
) -> None:
    async with account.stage.client() as signed_in:
        await sign_in(signed_in, account.owner.email)
    for _ in range(6):
        response = await send(anonymous, "/forgot-password", email=account.owner.email)
        assert "Ask an owner of your account" in response.text
    assert await mails(account, "user.reset") == 3


async def test_the_host_header_does_not_change_the_links_in_emails(account: Account) -> None:
    """A request may name any host, which must not appear in an email to somebody else."""
    async with account.stage.client() as stranger:
        token = re.search(r'name="_csrf_token" value="(\w+)"', (await stranger.get("/forgot-password")).text)
        assert token
        form = {"_csrf_token": token[1], "email": account.owner.email}
        assert (await stranger.post("/forgot-password", data=form, headers={"host": "evil.example"})).status_code == 421
        await stranger.post("/forgot-password", data=form, headers={"host": "forms.example.org"})
        assert await mails(account, "user.reset") == 0
        await sign_in(stranger, account.owner.email)
        assert (await stranger.post("/forgot-password", data=form, headers={"host": "evil.example"})).status_code == 421
        await stranger.post("/forgot-password", data=form, headers={"host": "forms.example.org"})
    assert (await mailed(account, account.owner.id)).startswith("/set-password/")


# Throttling


async def test_guessing_is_throttled_and_the_right_password_works_after_the_wait(account: Account) -> None:
    async with account.stage.client() as http:
        for _ in range(5):
            assert (await sign_in(http, account.owner.email, "wrong password")).status_code == 422
        slowed = await sign_in(http, account.owner.email)
        assert (slowed.status_code, slowed.headers["retry-after"]) == (429, "5")
        assert "Too many attempts. Try again in 5 seconds" in slowed.text
        assert f'value="{account.owner.email}"' in slowed.text
        await after(account, 5000)
        assert (await sign_in(http, account.owner.email)).status_code == 303


async def test_unknown_users_are_throttled_in_the_same_way(account: Account) -> None:
    async with account.stage.client() as http:
        answers = [await sign_in(http, f"nobody.{account.owner.email}", "wrong password") for _ in range(6)]
    assert [response.status_code for response in answers] == [422] * 5 + [429]


async def test_a_known_browser_is_not_throttled_by_the_attempts_of_others(account: Account) -> None:
    async with account.stage.client() as signed_in, account.stage.client() as attacker:
        await sign_in(signed_in, account.owner.email)
        token = re.search(r'name="_csrf_token" value="(\w+)"', (await signed_in.get("/forms")).text)
        assert token
        await signed_in.post("/sign-out", data={"_csrf_token": token[1]})
        for _ in range(6):
            response = await sign_in(attacker, account.owner.email, "wrong password")
        assert response.status_code == 429
        assert (await sign_in(signed_in, account.owner.email)).status_code == 303


# Several accounts


async def test_a_person_in_several_accounts_chooses_one(account: Account, stranger: Account) -> None:
    async with stranger.ctx.db.writing() as tx:
        hash_ = await account.ctx.passwords.hash(PASSWORD)
        await management.create(tx, stranger.actor, NewUser(account.owner.email, "Also Ann"), password_hash=hash_)
    async with account.stage.client() as http:
        asked = await sign_in(http, account.owner.email, next_="/settings")
        assert asked.headers["location"] == "/sign-in/second"
        assert account.customer.name in (await http.get("/sign-in/second")).text
        assert (await http.get("/forms")).status_code == 303
        assert (await send(http, "/sign-in/second/account", account="cus_x")).status_code == 422
        came = await send(http, "/sign-in/second/account", account=stranger.id)
        assert came.headers["location"] == "/settings"
        assert "Also Ann" in (await http.get("/settings")).text


# Actions on other users


async def test_an_invitation_is_resent_two_factor_disabled_and_both_are_logged(account: Account) -> None:
    body = {"email": f"new.{account.owner.email}", "name": "New"}
    user = await post(account, f"/customers/{account.id}/users", body)
    here = f"/people/{user['id']}"
    first = await mailed(account, user["id"])
    async with inside(account) as http:
        assert "Queued" in (await http.get(here)).text
        again = await send(http, f"{here}/invitation")
        assert again.headers["location"] == f"{here}?done=sent"
        link = await mailed(account, user["id"])
        assert (await http.get(first)).status_code == 404
        async with account.stage.client() as signed_in:
            await send(signed_in, link, name="Ann", password=NEW, again=NEW)
            await factor(account, signed_in)
        # The invitation is accepted, so it cannot be sent again.
        assert (await send(http, f"{here}/invitation")).headers["location"] == here
        assert "Turn off two-factor authentication for" in (await http.get(here)).text
        assert (await send(http, f"{here}/second-factor")).headers["location"] == f"{here}?done=factor"
        async with account.stage.client() as signed_in:
            assert (await sign_in(signed_in, body["email"], NEW)).headers["location"] == "/overview"
    assert await mails(account, "user.changed") == 2
    lines = (await get(account, f"/customers/{account.id}/audit?resourceId={user['id']}"))["items"]
    assert [(line["action"], line["changed"], line["actor"]["name"]) for line in reversed(lines)][1:] == [
        ("user.invited", [], "Owner"),
        ("user.updated", ["name", "status"], "Ann"),
        ("user.updated", ["password"], "Ann"),
        ("user.signed_in", [], "Ann"),
        ("user.updated", ["secondFactor"], "Ann"),
        ("user.updated", ["secondFactor"], "Owner"),
        ("user.signed_in", [], "Ann"),
    ]


# Anonymous requests

UUID = "00000000-0000-4000-8000-000000000001"


@pytest.mark.parametrize(
    ("content_type", "length"),
    [("multipart/form-data; boundary=x", 100), ("application/x-www-form-urlencoded", 100_000)],
)
async def test_large_bodies_of_anonymous_requests_are_not_read(
    account: Account, content_type: str, length: int
) -> None:
    read: list[int] = []

    async def body() -> Any:
        read.append(1)
        yield b"x" * length

    headers = {"content-type": content_type, "content-length": str(length)}
    async with account.stage.client() as stranger, inside(account) as http:
        for path in ("/sign-in", "/forgot-password", "/settings/mail/test", "/nowhere"):
            response = await stranger.post(path, content=body(), headers=headers)
            is_too_large = path in ("/sign-in", "/forgot-password") and length > 16_384
            assert (response.status_code, read) == (404 if path == "/nowhere" else 413 if is_too_large else 303, [])
        assert (
            await stranger.post("/sign-in", content=body(), headers={"content-type": content_type})
        ).status_code == 303
        assert read == []
        # The forms of the sign-in pages are small for everybody.
        refused = await http.post("/sign-in", content=body(), headers=headers)
        assert refused.status_code == (413 if length > 16_384 else 303)
        assert read == []
        # The same body of a signed-in user is read, and rejected as malformed or for its missing token.
        assert (await http.post(HERE, content=body(), headers=headers)).status_code in (400, 403)
        assert read == [1]


async def test_no_body_is_read_before_the_session_or_link_is_verified(account: Account) -> None:
    read: list[int] = []

    async def body() -> Any:
        read.append(1)
        yield b"a=1"

    headers = {"content-type": "application/x-www-form-urlencoded", "content-length": "3"}
    nobody = "/fill/" + "x" * 30
    async with account.stage.client() as stranger:
        for path in (HERE, "/forms/new", "/settings/mail/test"):
            assert (await stranger.post(path, content=body(), headers=headers)).status_code == 303
        for method, path in (("PUT", f"/submissions/{UUID}"), ("POST", f"/submissions/{UUID}"), ("POST", "/files")):
            response = await stranger.request(method, nobody + path, content=body(), headers=headers)
            assert response.status_code == 404, response.text
        assert (await stranger.post(f"{nobody}/decline", content=body(), headers=headers)).status_code == 303
    assert read == []


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 303), ("none", 303)]
)
async def test_requests_from_other_sites_are_rejected(account: Account, site: str, status: int) -> None:
    async with inside(account) as http:
        http.headers["sec-fetch-site"] = site
        assert (await send(http, HERE, name="Ann", language="en")).status_code == status


async def test_cookies_are_secure_also_behind_a_proxy(account: Account) -> None:
    async with account.stage.client() as http:
        response = await sign_in(http, account.owner.email)
    cookies = response.headers.get_list("set-cookie")
    assert len(cookies) >= 2
    for cookie in cookies:
        assert cookie.lower().count("secure") == 1
        assert "httponly" in cookie.lower()
