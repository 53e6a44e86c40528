"""Rows synchronised from a URL: setting it up, watching and stopping it on the pages, with a real server."""

import pytest
from actors import Account
from factories.requests import get, post
from factories.row_files import CSV, csv_file
from factories.web_client import visit
from fixtures.accounts import Person
from fixtures.browser import WatchedPage
from fixtures.row_source import Source, page
from playwright.async_api import expect
from web.datasources.pages import call_api, create_datasource, list_rows

ROWS = csv_file([["number", "name"], ["C-1", "Harbour"], ["C-2", "Mill"]])
SECRET = "Bearer s3cret-of-the-source"


@pytest.mark.slow
async def test_a_datasource_is_synchronised_and_errors_are_shown(phone: WatchedPage, person: Person) -> None:
    sheet, state = phone.page, phone.page.locator("#pull-state")
    async with Source(page(ROWS, content_type=CSV)) as source:
        await sheet.goto(person.path("/datasources/new"))
        section = sheet.locator("section", has=sheet.get_by_role("heading", name="From a URL"))
        await section.get_by_label("Name").fill("Sites")
        await section.get_by_label("URL").fill(source.url)
        await section.get_by_label("Key column").fill("number")
        await section.get_by_role("button", name="Add and import").click()
        await sheet.wait_for_url("**/schedule?saved=yes")
        await expect(state).to_contain_text("Done")
        await expect(state).to_contain_text("Rows")
        [one] = (await call_api(person, "GET", "/datasources"))["items"]
        assert len(await list_rows(person, one["id"])) == 2

        await sheet.get_by_role("button", name="Add header").click()
        await sheet.get_by_label("Name of header 1").fill("Authorization")
        await sheet.get_by_label("Value of header 1").fill(SECRET)
        await sheet.get_by_label("Frequency").select_option("PT6H")
        await sheet.get_by_role("button", name="Save schedule").click()
        await expect(sheet.get_by_text("Schedule saved.")).to_be_visible()
        await expect(sheet.get_by_label("Name of header 1")).to_have_value("Authorization")
        assert SECRET not in await sheet.content()
        await expect(state).to_contain_text("No changes")

        source.talk = page(csv_file([["number", "name"], ["", "nameless"]]), content_type=CSV)
        await sheet.get_by_role("button", name="Import now").click()
        await expect(state).to_contain_text("Failed")
        await state.get_by_text("Invalid rows").click()
        await expect(state).to_contain_text("Every row needs a value in the key column.")
        assert len(await list_rows(person, one["id"])) == 2
        assert [ask["authorization"] for ask in source.asks if "authorization" in ask][-1] == SECRET
    await sheet.get_by_role("link", name="Imports").click()
    await expect(sheet.get_by_role("row").filter(has_text="Failed")).to_contain_text("Formwright")
    await sheet.get_by_role("link", name="Schedule").click()
    await sheet.get_by_role("button", name="Stop schedule").click()
    await expect(sheet.get_by_text("Schedule stopped.")).to_be_visible()
    assert (await call_api(person, "GET", f"/customers/{{c}}/datasources/{one['id']}"))["pull"] is None
    assert phone.errors == []


async def test_invalid_settings_are_reported_next_to_their_input(desktop: WatchedPage, person: Person) -> None:
    sheet = desktop.page
    one = await create_datasource(person, [{"number": "1"}])
    await sheet.goto(person.path(f"/datasources/{one['id']}/schedule"))
    await sheet.get_by_label("URL").fill("https://192.168.0.7/rows.csv")
    await sheet.get_by_role("button", name="Add header").click()
    await sheet.get_by_label("Name of header 1").fill("Host")
    await sheet.get_by_label("Value of header 1").fill("x")
    await sheet.get_by_role("button", name="Save schedule").click()
    await expect(sheet.locator("#url-fault")).to_contain_text("cannot pull from this URL")
    await expect(sheet.locator("#header-1-fault")).to_contain_text("The server sets this header itself. Remove it.")
    await expect(sheet.get_by_label("URL")).to_have_value("https://192.168.0.7/rows.csv")
    await expect(sheet.get_by_label("Name of header 1")).to_have_value("Host")
    await expect(sheet.get_by_label("Value of header 1")).to_have_value("x")
    assert (await call_api(person, "GET", f"/customers/{{c}}/datasources/{one['id']}"))["pull"] is None


async def test_a_url_that_is_too_long_is_reported_and_not_cut_off(account: Account) -> None:
    new = {"name": "Sites", "keyColumn": "n", "rows": [{"n": "1"}]}
    one = await post(account, f"/customers/{account.id}/datasources", new)
    long = "https://erp.example.org/rows.csv?signature=" + "a" * 2048
    async with visit(account) as site:
        for path, sent in (
            (f"/datasources/{one['id']}/schedule", {}),
            ("/datasources/pulled", {"name": "B", "key": "n"}),
        ):
            refused = await site.post(path, sent | {"url": long, "every": "P1D"})
            assert refused.status_code == 422
            assert "longer than 2048 characters" in refused.text
            assert long in refused.text
    assert (await get(account, f"/customers/{account.id}/datasources/{one['id']}"))["pull"] is None


async def test_headers_are_sent_to_another_server_only_if_typed_again(account: Account) -> None:
    pull = {"url": "https://erp.example.org/rows.csv", "headers": {"Authorization": SECRET}, "every": "P1D"}
    body = {"name": "Sites", "keyColumn": "number", "pull": pull}
    one = await post(account, f"/customers/{account.id}/datasources", body)
    here, path = f"/datasources/{one['id']}/schedule", f"/customers/{account.id}/datasources/{one['id']}"
    sent = {"url": "https://other.example.org/rows.csv", "every": "PT6H", "header": ["Authorization"], "value": [""]}
    async with visit(account) as site:
        refused = await site.post(here, sent)
        assert refused.status_code == 422
        for words in ("This URL is on a different server.", "Enter the value of this header", 'value="PT6H" selected'):
            assert words in refused.text
        assert (await get(account, path))["pull"]["url"] == pull["url"]
        more = await site.post(here, sent | {"row": "add"})
        assert (more.status_code, more.text.count('name="header"')) == (200, 3)
        assert (await site.post(here, sent | {"row": "drop"})).status_code == 303
    now = (await get(account, path))["pull"]
    assert (now["url"], now["headers"], now["every"]) == (sent["url"], {}, "PT6H")
