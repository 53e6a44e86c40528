"""Coming in: links that are mailed, slowed guessing, the second factor, and where one is signed in."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec
import pytest
from cast import PASSWORD, Account
from make.posting import get, post
from make.site import send
from make.site import visit as _visit

from formwright.core.kernel import totp
from formwright.domain.mail.letter import Written
from formwright.domain.people import persons
from formwright.domain.people.rights import NewPerson

NEW = "a new and longer one"
HERE = "/settings/account"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0"


@asynccontextmanager
async def _in(account: Account, user_id: str = "") -> AsyncIterator[httpx.AsyncClient]:
    async with _visit(account, user_id) as site:
        yield site.http


@pytest.fixture
async def browser_of_nobody(account: Account) -> AsyncIterator[httpx.AsyncClient]:
    async with account.stage.client(**{"user-agent": FIREFOX}) as http:
        yield http


async def _sign_in(
    http: httpx.AsyncClient, email: str, password: str = PASSWORD, next_: str = "", **headers: str
) -> httpx.Response:
    http.headers.update(headers)
    return await send(http, "/sign-in", email=email, password=password, next=next_)


async def _mailed(account: Account, user_id: str) -> str:
    """The path of the link in the one mail that waits for somebody."""
    async with account.house.db.reading() as tx:
        sql = "SELECT body FROM mails WHERE customer_id = $1 AND subject_id = $2 AND status = 'WAITING' AND until > 0"
        [row] = await tx.fetch(sql, account.id, user_id)
    text = msgspec.json.decode(account.house.seal.open(row[0]), type=Written).text
    found = re.search(r"https://forms\.test(/set-password/\w+)", text)
    assert found
    return found[1]


async def _mails(account: Account, purpose: str) -> int:
    async with account.house.db.reading() as tx:
        sql = "SELECT count(*) FROM mails WHERE customer_id = $1 AND purpose = $2"
        [row] = await tx.fetch(sql, account.id, purpose)
    return int(row[0])


async def _after(account: Account, ms: int) -> None:
    async with account.house.db.writing() as tx:
        await tx.execute("UPDATE throttles SET last = last - $1, until = until - $1", ms)


def _code(account: Account, secret: str, steps: int = 0) -> str:
    return totp.code(secret, account.house.clock.now() // 1000 // totp.STEP_S + steps)


async def _factor(account: Account, http: httpx.AsyncClient) -> tuple[str, list[str]]:
    """Switch the second factor on: its secret, and the recovery codes."""
    await send(http, f"{HERE}/second-factor")
    shown = (await http.get(f"{HERE}/second-factor")).text
    found = re.search(r'id="secret" value="([A-Z2-7 ]+)"', shown)
    assert found
    secret = found[1].replace(" ", "")
    await send(http, f"{HERE}/second-factor/confirm", code=_code(account, secret, -1))
    codes = re.findall(r"\b(?:[a-z2-9]{4}-){3}[a-z2-9]{4}\b", (await http.get(f"{HERE}/second-factor")).text)
    assert len(codes) == 10
    return secret, codes


# Links


async def test_an_invited_person_comes_in_by_the_link_in_her_mail(
    account: Account, browser_of_nobody: httpx.AsyncClient
) -> None:
    http = browser_of_nobody
    body = {"email": f"new.{account.owner.email}", "name": "New"}
    made = await post(account, f"/customers/{account.id}/users", body)
    link = await _mailed(account, made["id"])
    for _ in range(2):  # as a mail scanner does: nothing is used up
        assert "You are invited to" in (await http.get(link)).text
    for form, words in [
        ({"name": "Ann", "password": "short", "again": "short"}, "A password has 10 to 200 characters."),
        ({"name": "Ann", "password": NEW, "again": NEW + "x"}, "The two are not the same."),
        ({"name": " ", "password": NEW, "again": NEW}, "Enter your name"),
        ({"name": "Ann", "password": body["email"], "again": body["email"]}, "other than your e-mail address"),
    ]:
        refused = await send(http, link, **form)
        assert (refused.status_code, words in refused.text) == (422, True)
    came = await send(http, link, name="<b>Ann</b>\0", password=NEW, again=NEW)
    assert (came.status_code, came.headers["location"]) == (303, "/forms")
    assert "&lt;b&gt;Ann&lt;/b&gt;" in (await http.get("/forms")).text
    user = await get(account, f"/customers/{account.id}/users/{made['id']}")
    assert (user["status"], user["name"]) == ("ACTIVE", "<b>Ann</b>")
    used = await http.get(link)
    assert (used.status_code, "does not work any more" in used.text) == (404, True)
    assert (await send(http, link, name="x", password=NEW, again=NEW)).status_code == 404


async def test_a_forgotten_password_is_set_anew(account: Account, browser_of_nobody: httpx.AsyncClient) -> None:
    http = browser_of_nobody
    async with account.stage.client() as elsewhere:
        await _sign_in(elsewhere, account.owner.email)
        known = await send(http, "/forgot-password", email=account.owner.email)
        unknown = await send(http, "/forgot-password", email="nobody@example.org")
        link = await _mailed(account, account.owner.id)
        assert (await send(http, link, password=NEW, again=NEW)).status_code == 303
        assert (await http.get("/forms")).status_code == 200
        assert (await elsewhere.get("/forms")).status_code == 303
    same = [re.sub(r"<bdi>.*?</bdi>|req_\w+|value=\"\w+\"", "", answer.text) for answer in (known, unknown)]
    assert same[0] == same[1]
    assert known.status_code == unknown.status_code == 200
    assert await _mails(account, "user.changed") == 1
    async with account.stage.client() as other:
        assert (await _sign_in(other, account.owner.email)).status_code == 422
        assert (await _sign_in(other, account.owner.email, NEW)).status_code == 303


async def test_three_mails_and_then_one_an_hour(account: Account, browser_of_nobody: httpx.AsyncClient) -> None:
    async with account.stage.client() as hers:
        await _sign_in(hers, account.owner.email)
    for _ in range(6):
        answer = await send(browser_of_nobody, "/forgot-password", email=account.owner.email)
        assert "Look into your mail" in answer.text
    assert await _mails(account, "user.reset") == 3


async def test_a_stranger_does_not_say_where_a_link_leads(account: Account) -> None:
    """A request may name any host; what it names must not stand in somebody else's mail."""
    async with account.stage.client() as stranger:
        token = re.search(r'name="_csrf_token" value="(\w+)"', (await stranger.get("/forgot-password")).text)
        assert token
        form = {"_csrf_token": token[1], "email": account.owner.email}
        await stranger.post("/forgot-password", data=form, headers={"host": "evil.example"})
        assert await _mails(account, "user.reset") == 0
        await _sign_in(stranger, account.owner.email)
        await stranger.post("/forgot-password", data=form, headers={"host": "evil.example"})
    assert (await _mailed(account, account.owner.id)).startswith("/set-password/")


# Guessing


async def test_guessing_is_slowed_and_the_right_password_works_after_the_wait(account: Account) -> None:
    async with account.stage.client() as http:
        for _ in range(5):
            assert (await _sign_in(http, account.owner.email, "wrong password")).status_code == 422
        slowed = await _sign_in(http, account.owner.email)
        assert (slowed.status_code, slowed.headers["retry-after"]) == (429, "5")
        assert "Too many tries. Wait 5 seconds" in slowed.text
        assert f'value="{account.owner.email}"' in slowed.text
        await _after(account, 5000)
        assert (await _sign_in(http, account.owner.email)).status_code == 303


async def test_who_is_not_known_is_slowed_in_the_same_way(account: Account) -> None:
    async with account.stage.client() as http:
        answers = [await _sign_in(http, f"nobody.{account.owner.email}", "wrong password") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [422] * 5 + [429]


async def test_a_browser_that_she_knows_is_not_held_up_by_others(account: Account) -> None:
    async with account.stage.client() as hers, account.stage.client() as attacker:
        await _sign_in(hers, account.owner.email)
        token = re.search(r'name="_csrf_token" value="(\w+)"', (await hers.get("/forms")).text)
        assert token
        await hers.post("/sign-out", data={"_csrf_token": token[1]})
        for _ in range(6):
            answer = await _sign_in(attacker, account.owner.email, "wrong password")
        assert answer.status_code == 429
        assert (await _sign_in(hers, account.owner.email)).status_code == 303


# Several accounts


async def test_one_person_in_several_accounts_chooses(account: Account, stranger: Account) -> None:
    async with stranger.house.db.writing() as tx:
        hash_ = await account.house.passwords.hash(PASSWORD)
        await persons.add(tx, stranger.actor, NewPerson(account.owner.email, "Also she"), password_hash=hash_)
    async with account.stage.client() as http:
        asked = await _sign_in(http, account.owner.email, next_="/settings")
        assert asked.headers["location"] == "/sign-in/second"
        assert account.customer.name in (await http.get("/sign-in/second")).text
        assert (await http.get("/forms")).status_code == 303
        assert (await send(http, "/sign-in/second/account", account="cus_x")).status_code == 422
        came = await send(http, "/sign-in/second/account", account=stranger.id)
        assert came.headers["location"] == "/settings"
        assert "Also she" in (await http.get("/settings")).text


# The second factor


async def test_with_a_second_factor_the_password_is_not_enough(account: Account) -> None:
    async with _in(account) as http:
        secret, codes = await _factor(account, http)
        assert codes[0] not in (await http.get(f"{HERE}/second-factor")).text
    async with account.stage.client() as http:
        asked = await _sign_in(http, account.owner.email, next_="/settings")
        assert asked.headers["location"] == "/sign-in/second"
        assert (await http.get("/forms")).status_code == 303
        wrong = await send(http, "/sign-in/second", code="000000")
        assert (wrong.status_code, "This code is wrong" in wrong.text) == (422, True)
        came = await send(http, "/sign-in/second", code=_code(account, secret))
        assert came.headers["location"] == "/settings"
    async with account.stage.client() as http:
        await _sign_in(http, account.owner.email)
        assert (await send(http, "/sign-in/second", code=_code(account, secret))).status_code == 422
        assert (await send(http, "/sign-in/second", code=codes[3])).status_code == 303
        assert "9 of 10 recovery codes" in (await http.get(HERE)).text


async def test_guessing_codes_is_slowed(account: Account) -> None:
    async with _in(account) as http:
        secret, _ = await _factor(account, http)
    async with account.stage.client() as http:
        await _sign_in(http, account.owner.email)
        tries = [await send(http, "/sign-in/second", code="000000") for _ in range(6)]
        assert [answer.status_code for answer in tries] == [422] * 5 + [429]
        assert (await send(http, "/sign-in/second", code=_code(account, secret))).status_code == 429
        await _after(account, 5000)
        assert (await send(http, "/sign-in/second", code=_code(account, secret))).status_code == 303


async def test_another_password_ends_what_was_half_way_in(account: Account) -> None:
    async with _in(account) as http:
        secret, _ = await _factor(account, http)
    async with account.stage.client() as http:
        await _sign_in(http, account.owner.email)
        async with account.house.db.writing() as tx:
            await tx.execute("UPDATE users SET password_hash = 'x' WHERE id = $1", account.owner.id)
        came = await send(http, "/sign-in/second", code=_code(account, secret))
        assert came.headers["location"] == "/sign-in"


async def test_a_reset_does_not_go_around_the_second_factor(account: Account) -> None:
    async with _in(account) as http:
        secret, _ = await _factor(account, http)
    async with account.stage.client() as http:
        await _sign_in(http, account.owner.email)
        await send(http, "/sign-in/second", code=_code(account, secret))
    async with account.stage.client() as http:
        await send(http, "/forgot-password", email=account.owner.email)
        came = await send(http, await _mailed(account, account.owner.id), password=NEW, again=NEW)
        assert came.headers["location"] == "/sign-in/second"
        assert (await http.get("/forms")).status_code == 303
        assert (await send(http, "/sign-in/second", code=_code(account, secret, 1))).status_code == 303


async def test_switching_off_asks_for_the_password(account: Account) -> None:
    async with _in(account) as http:
        await _factor(account, http)
        for path in ("off", "codes"):
            refused = await send(http, f"{HERE}/second-factor/{path}", password="wrong")
            assert (refused.status_code, "not your password" in refused.text) == (422, True)
        await send(http, f"{HERE}/second-factor/off", password=PASSWORD)
        assert ">Set up<" in (await http.get(f"{HERE}/second-factor")).text
        assert (await http.get(f"{HERE}/second-factor/qr.svg")).text.startswith("<svg")
    assert await _mails(account, "user.changed") == 2


# The account page


async def test_where_one_is_signed_in_is_listed_and_ended(account: Account, stranger: Account) -> None:
    async with account.stage.client(**{"user-agent": FIREFOX}) as first, account.stage.client() as second:
        await _sign_in(first, account.owner.email)
        await _sign_in(second, account.owner.email, **{"user-agent": "curl/8"})
        shown = (await first.get(HERE)).text
        assert shown.count("This browser") == 1
        assert "Firefox on Windows" in shown
        assert "A program" in shown
        [other] = re.findall(rf'action="{HERE}/sessions/(ses_\w+)/end"', shown)
        async with _in(stranger) as neighbour:
            await send(neighbour, f"{HERE}/sessions/{other}/end")
        assert (await second.get(HERE)).status_code == 200
        await send(first, f"{HERE}/sessions/{other}/end")
        assert (await second.get(HERE)).status_code == 303
        async with _in(account) as third:
            await send(first, f"{HERE}/sessions/end-others")
            assert (await third.get(HERE)).status_code == 303
        assert (await first.get(HERE)).status_code == 200


async def test_a_session_is_seen_to_be_used(account: Account) -> None:
    async with _in(account) as http:
        async with account.house.db.writing() as tx:
            await tx.execute("UPDATE sessions SET seen = seen - 400000 WHERE customer_id = $1", account.id)
        await http.get("/forms")
        async with account.house.db.reading() as tx:
            [row] = await tx.fetch("SELECT seen - created FROM sessions WHERE customer_id = $1", account.id)
    assert row[0] >= 0


async def test_the_password_is_changed_by_who_knows_it(account: Account) -> None:
    async with _in(account) as http, _in(account) as elsewhere:
        form = {"current": PASSWORD, "password": NEW, "again": NEW}
        for wrong, words in [
            ({"current": "wrong"}, "not your password"),
            ({"again": "other"}, "not the same"),
            ({"password": "x", "again": "x"}, "10 to 200"),
        ]:
            refused = await send(http, f"{HERE}/password", **form | wrong)
            assert (refused.status_code, words in refused.text) == (422, True)
        assert (await send(http, f"{HERE}/password", **form)).headers["location"] == f"{HERE}?saved=password"
        assert (await http.get(HERE)).status_code == 200
        assert (await elsewhere.get(HERE)).status_code == 303


async def test_name_and_language(account: Account) -> None:
    async with _in(account) as http:
        await send(http, HERE, name=" Zoë <b>🎉\0 ", language="de")
        refused = await send(http, HERE, name=" ", language="xx")
        assert (refused.status_code, "Enter a name" in refused.text) == (422, True)
    user = await get(account, f"/customers/{account.id}/users/{account.owner.id}")
    assert (user["name"], user["language"]) == ("Zoë <b>🎉", "de")


async def test_the_organisation_is_changed_by_its_owner(account: Account) -> None:
    here = "/settings/organisation"
    async with _in(account) as http:
        assert (await send(http, here, name="Hafen", locale="de", zone="Europe/Berlin")).status_code == 303
        assert '<span class="account">Hafen</span>' in (await http.get(here)).text
        refused = await send(http, here, name="", locale="<b>", zone="Mars/Olympus")
        assert refused.status_code == 422
        assert all(words in refused.text for words in ("Enter a name", "no language", "no time zone", "Mars/Olympus"))
    customer = await get(account, f"/customers/{account.id}")
    assert (customer["name"], customer["locale"], customer["timeZone"]) == ("Hafen", "de", "Europe/Berlin")


# Of others


async def test_an_invitation_is_sent_again_and_a_factor_taken_off_and_the_log_tells_of_all(account: Account) -> None:
    body = {"email": f"new.{account.owner.email}", "name": "New"}
    made = await post(account, f"/customers/{account.id}/users", body)
    here = f"/people/{made['id']}"
    first = await _mailed(account, made["id"])
    async with _in(account) as http:
        assert "Waiting" in (await http.get(here)).text
        again = await send(http, f"{here}/invitation")
        assert again.headers["location"] == f"{here}?done=sent"
        link = await _mailed(account, made["id"])
        assert (await http.get(first)).status_code == 404
        async with account.stage.client() as hers:
            await send(hers, link, name="Ann", password=NEW, again=NEW)
            await _factor(account, hers)
        # She has come in: nothing is sent any more.
        assert (await send(http, f"{here}/invitation")).headers["location"] == here
        assert "Take the second factor of" in (await http.get(here)).text
        assert (await send(http, f"{here}/second-factor")).headers["location"] == f"{here}?done=factor"
        async with account.stage.client() as hers:
            assert (await _sign_in(hers, body["email"], NEW)).headers["location"] == "/forms"
    assert await _mails(account, "user.changed") == 2
    lines = (await get(account, f"/customers/{account.id}/audit?resourceId={made['id']}"))["items"]
    assert [(line["action"], line["changed"], line["actor"]["name"]) for line in reversed(lines)][1:] == [
        ("user.invited", [], "Owner"),
        ("user.updated", ["name", "status"], "Ann"),
        ("user.updated", ["password"], "Ann"),
        ("user.signed_in", [], "Ann"),
        ("user.updated", ["secondFactor"], "Ann"),
        ("user.updated", ["secondFactor"], "Owner"),
        ("user.signed_in", [], "Ann"),
    ]


# The gate


@pytest.mark.parametrize(
    ("content_type", "length"),
    [("multipart/form-data; boundary=x", 100), ("application/x-www-form-urlencoded", 100_000)],
)
async def test_nothing_large_is_read_from_a_stranger(account: Account, content_type: str, length: int) -> None:
    read: list[int] = []

    async def body() -> Any:
        read.append(1)
        yield b"x" * length

    headers = {"content-type": content_type, "content-length": str(length)}
    async with account.stage.client() as stranger, _in(account) as http:
        for path in ("/sign-in", "/forgot-password", "/settings/mail/test", "/nowhere"):
            answer = await stranger.post(path, content=body(), headers=headers)
            assert (answer.status_code, read) == (404 if path == "/nowhere" else 303, [])
        assert (
            await stranger.post("/sign-in", content=body(), headers={"content-type": content_type})
        ).status_code == 303
        assert read == []
        # The same from somebody who has signed in is read, and refused as damaged or for its missing token.
        assert (await http.post("/sign-in", content=body(), headers=headers)).status_code in (400, 403)
        assert read == [1]


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 303), ("none", 303)]
)
async def test_what_another_site_sends_is_refused(account: Account, site: str, status: int) -> None:
    async with _in(account) as http:
        http.headers["sec-fetch-site"] = site
        assert (await send(http, HERE, name="Ann", language="en")).status_code == status


async def test_cookies_are_for_https_alone_also_behind_a_proxy(account: Account) -> None:
    async with account.stage.client() as http:
        answer = await _sign_in(http, account.owner.email)
    cookies = answer.headers.get_list("set-cookie")
    assert len(cookies) >= 2
    for cookie in cookies:
        assert cookie.lower().count("secure") == 1
        assert "httponly" in cookie.lower()
