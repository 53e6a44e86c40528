"""The account pages: sessions, password, name and language, and the organisation."""

import re

from actors import PASSWORD, Account
from factories.requests import get
from factories.sign_in import FIREFOX, HERE, NEW, inside, sign_in
from factories.web_client import send


async def test_sessions_are_listed_and_can_be_ended(account: Account, stranger: Account) -> None:
    async with account.stage.client(**{"user-agent": FIREFOX}) as first, account.stage.client() as second:
        await sign_in(first, account.owner.email)
        await sign_in(second, account.owner.email, **{"user-agent": "curl/8"})
        shown = (await first.get(HERE)).text
        assert shown.count("This browser") == 1
        assert "Firefox on Windows" in shown
        assert "A program" in shown
        [other] = re.findall(rf'action="{HERE}/sessions/(ses_\w+)/end"', shown)
        async with inside(stranger) as stranger_http:
            await send(stranger_http, f"{HERE}/sessions/{other}/end")
        assert (await second.get(HERE)).status_code == 200
        await send(first, f"{HERE}/sessions/{other}/end")
        assert (await second.get(HERE)).status_code == 303
        async with inside(account) as third:
            await send(first, f"{HERE}/sessions/end-others")
            assert (await third.get(HERE)).status_code == 303
        assert (await first.get(HERE)).status_code == 200


async def test_the_last_use_of_a_session_is_saved(account: Account) -> None:
    async with inside(account) as http:
        async with account.ctx.db.writing() as tx:
            await tx.execute("UPDATE sessions SET seen = seen - 400000 WHERE customer_id = $1", account.id)
        await http.get("/forms")
        async with account.ctx.db.reading() as tx:
            [row] = await tx.fetch("SELECT seen - created FROM sessions WHERE customer_id = $1", account.id)
    assert row[0] >= 0


async def test_changing_the_password_requires_the_current_one(account: Account) -> None:
    async with inside(account) as http, inside(account) as elsewhere:
        form = {"current": PASSWORD, "password": NEW, "again": NEW}
        for wrong, words in [
            ({"current": "wrong"}, "Wrong password"),
            ({"again": "other"}, "passwords don’t match"),
            ({"password": "x", "again": "x"}, "10 to 200"),
        ]:
            refused = await send(http, f"{HERE}/password", **form | wrong)
            assert (refused.status_code, words in refused.text) == (422, True)
        assert (await send(http, f"{HERE}/password", **form)).headers["location"] == f"{HERE}?saved=password"
        assert (await http.get(HERE)).status_code == 200
        assert (await elsewhere.get(HERE)).status_code == 303


async def test_change_name_and_language(account: Account) -> None:
    async with inside(account) as http:
        await send(http, HERE, name=" Zoë <b>🎉\0 ", language="de")
        refused = await send(http, HERE, name=" ", language="xx")
        assert (refused.status_code, "Enter a name" in refused.text) == (422, True)
    user = await get(account, f"/customers/{account.id}/users/{account.owner.id}")
    assert (user["name"], user["language"]) == ("Zoë <b>🎉", "de")


async def test_the_owner_edits_the_organisation(account: Account) -> None:
    here = "/settings/organisation"
    async with inside(account) as http:
        assert (await send(http, here, name="Hafen", locale="de", zone="Europe/Berlin")).status_code == 303
        assert '<span class="account">Hafen</span>' in (await http.get(here)).text
        refused = await send(http, here, name="", locale="<b>", zone="Mars/Olympus")
        assert refused.status_code == 422
        assert all(
            words in refused.text
            for words in ("Enter a name", "Enter a language tag", "Choose a time zone", "Mars/Olympus")
        )
    customer = await get(account, f"/customers/{account.id}")
    assert (customer["name"], customer["locale"], customer["timeZone"]) == ("Hafen", "de", "Europe/Berlin")
