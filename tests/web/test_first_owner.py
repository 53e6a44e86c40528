"""Setup of an empty installation: the first owner uses the link that the server prints at the start."""

import asyncio
import re
from collections.abc import Iterator

import httpx
import pytest
from fixtures import axe
from fixtures.accounts import csrf
from fixtures.app_contexts import open_migrated_context
from fixtures.browser import WatchedPage
from fixtures.server_process import Server
from playwright.async_api import expect

from formwright.cli.welcome import welcome
from formwright.domain.users import service as people
from formwright.domain.users import setup
from formwright.domain.users.auth.models import LinkExpired
from formwright.settings import Settings

PASSWORD = "correct horse battery"
FORM = {"account": "Harbour Ltd", "password": PASSWORD, "again": PASSWORD}


@pytest.fixture
def empty(own_settings: Settings) -> Iterator[Server]:
    server = Server(own_settings.data_dir, database_url=own_settings.database_url)
    yield server
    server.close()


def link_in(words: str) -> str:
    [found] = re.findall(r"https://\S+/first-owner/\S+", words)
    return str(found)


@pytest.mark.parametrize("own_settings", ["sqlite"], indirect=True)
async def test_the_first_owner_sets_up_an_account_and_is_signed_in(empty: Server, desktop_page: WatchedPage) -> None:
    await empty.start()
    link, page = link_in(empty.words()), desktop_page.page
    await axe.bring(page)
    await page.goto(link)
    assert not await axe.faults(page)
    await page.get_by_label("Account name").fill("Harbour Ltd")
    await page.get_by_label("Email").fill("ann@example.org")
    await page.get_by_label("Password", exact=True).fill("short")
    await page.get_by_label("Repeat password").fill("short")
    await page.get_by_role("button", name="Create account").click()
    await expect(page.get_by_role("alert")).to_contain_text("10 to 200")
    await expect(page.get_by_label("Account name")).to_have_value("Harbour Ltd")
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_label("Repeat password").fill(PASSWORD)
    await page.get_by_role("button", name="Create account").click()
    await expect(page).to_have_url(empty.base_url + "/overview")
    await page.goto(link)
    await expect(page.get_by_role("heading", name="Formwright is already set up")).to_be_visible()
    assert link.rpartition("/")[2] not in empty.log()
    before = len(empty.words())
    await empty.stop()
    await empty.start()
    assert "first-owner/" not in empty.words()[before:]


@pytest.mark.slow
async def test_only_one_of_several_concurrent_uses_of_the_link_succeeds(empty: Server) -> None:
    await empty.start("--workers", "2")
    path = "/first-owner/" + link_in(empty.words()).rpartition("/")[2]

    async def use(number: int) -> int:
        async with empty.client() as http:
            sent = FORM | {"_csrf_token": csrf(await http.get(path, timeout=30)), "email": f"p{number}@example.org"}
            await barrier.wait()
            return (await http.post(path, data=sent, timeout=60)).status_code

    barrier = asyncio.Barrier(5)
    assert sorted(await asyncio.gather(*(use(number) for number in range(5)))) == [303, 404, 404, 404, 404]
    async with empty.client() as http:
        assert "already set up" in (await http.get(path)).text
        # The form needs the CSRF token, too.
        assert (await http.post(path, data=FORM)).status_code == 403


async def test_a_new_link_replaces_the_previous_one_and_links_expire(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as one, open_migrated_context(own_settings) as other:
        messages = [await welcome(ctx, "https://forms.test", with_demo=False) for ctx in (one, other)]
        older, newer = (link_in(words).rpartition("/")[2] for words in messages)
        async with one.db.reading() as tx:
            await setup.check_link(tx, newer, one.clock.now())
            for token, now in ((older, one.clock.now()), ("", 0), (newer, one.clock.now() + setup.LIFETIME_MS + 1000)):
                with pytest.raises(LinkExpired):
                    await setup.check_link(tx, token, now)
            [(stored,)] = [tuple(row) for row in await tx.fetch("SELECT token_hash FROM first_owner_link")]
            assert stored
            assert newer not in stored
        async with one.db.writing() as tx:
            await people.open_account(tx, name="Ark", email="a@example.org", password_hash="x")
        assert "first-owner" not in await welcome(other, "https://forms.test", with_demo=False)
        async with one.db.reading() as tx:
            with pytest.raises(setup.AlreadySetUp):
                await setup.check_link(tx, newer, one.clock.now())


async def test_an_unknown_link_is_not_found(http: httpx.AsyncClient) -> None:
    assert (await http.get("/first-owner/fws_unknown")).status_code == 404
