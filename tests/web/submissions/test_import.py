"""Importing submissions on the page: upload, mapping, preview, options, result and past imports."""

import csv
import io
import re
from html import unescape
from typing import Any

import httpx
import pytest
from actors import Account
from factories.forms import FIELDS, form
from factories.requests import get
from factories.submission_imports import csv_file, submissions_of, xlsx_file
from factories.users import built_in, member
from factories.web_client import Visit, enter, visit
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, PHONE, open_page
from playwright.async_api import Browser, expect

from formwright.core.auth.actor import ResourceType
from formwright.domain.users.models import Grant
from formwright.worker.submission_imports import ImportWorker

TABLE = [
    ["Site", "People", "Received", "Colour"],
    ["Harbour", "3", "2026-03-29 14:30", "red"],
    ["Quay", "many", "2026-03-29 14:30", "blue"],
]


async def upload(site: Visit, form_: dict[str, Any], content: bytes, name: str = "visits.csv") -> httpx.Response:
    return await site.post(f"/forms/{form_['id']}/imports", files={"file": (name, content)})


async def stage(site: Visit, form_: dict[str, Any], content: bytes, name: str = "visits.csv") -> str:
    """Upload a file and return the address of its preview."""
    response = await upload(site, form_, content, name)
    assert response.status_code == 303, response.text
    return str(response.headers["location"])


def inputs(text: str) -> dict[str, str]:
    """Return what the form of the preview sends if nobody changes it."""
    form_ = text[text.index('id="preview"') :]
    found = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form_))
    for name, options in re.findall(r'<select [^>]*name="([^"]*)".*?>(.*?)</select>', form_, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        found[name] = chosen[1] if chosen else ""
    radios = re.findall(r'<input type="radio" name="([^"]*)"[^>]*value="([^"]*)"[^>]* checked', form_)
    return {unescape(name): unescape(value) for name, value in [*found.items(), *radios] if name != "_csrf_token"}


async def work(account: Account) -> None:
    worker = ImportWorker(account.ctx)
    while await worker.run_batch():
        pass


async def test_columns_are_mapped_previewed_and_imported(account: Account) -> None:
    f = await form(account)
    async with visit(account) as site:
        listed = (await site.http.get(f"/submissions?form={f['id']}")).text
        assert f'href="/forms/{f["id"]}/imports"' in listed
        assert "No imports yet." in (await site.http.get(f"/forms/{f['id']}/imports")).text
        url = await stage(site, f, csv_file(TABLE))
        page = (await site.http.get(url)).text
        sent = inputs(page)
        assert (sent["column:Site"], sent["column:People"], sent["column:Received"]) == (
            "answers.site",
            "answers.people",
            "",
        )
        assert "is not a number" in page
        assert "1 of the first 2 is invalid." in page
        # Starting with another mapping than the previewed one shows its preview first.
        chosen = sent | {"column:Received": "submittedAt", "bad_rows": "skip", "silent": "1"}
        changed = await site.post(url + "/start", chosen)
        assert changed.headers["location"] == url + "?changed=1"
        page = (await site.http.get(url)).text
        assert "29 Mar 2026" in page
        sent = inputs(page)
        assert (sent["column:Received"], sent["bad_rows"]) == ("submittedAt", "skip")
        assert await submissions_of(account, f) == []
        assert (await site.post(url + "/start", sent | {"silent": "1"})).headers["location"] == url
        assert (await site.post(url + "/start", sent)).headers["location"] == url, "the second click changes nothing"
        assert 'data-working="' in (await site.http.get(url)).text
        assert (await site.http.get(url + "/state")).json()["working"] is True
        await work(account)
        result = (await site.http.get(url)).text
        assert "1 row imported. 1 row skipped, because it is invalid." in result
        assert "sends no webhooks" in result
        errors = await site.http.get(url + "/errors.csv")
        rows = list(csv.reader(io.StringIO(errors.text.removeprefix("\ufeff"))))
        assert rows[0] == ["Line", "Column", "Code", "Problem"]
        assert rows[1][:3] == ["3", "People", "import.cell.number"]
        past = (await site.http.get(f"/forms/{f['id']}/imports")).text
        assert "1 imported, 1 invalid" in past
        assert "visits.csv" in past
    (submission,) = await submissions_of(account, f)
    assert (submission["data"], submission["submittedAt"]) == (
        {"site": "Harbour", "people": 3},
        "2026-03-29T14:30:00.000Z",
    )


async def test_a_field_has_one_column_and_the_one_chosen_last_wins(account: Account) -> None:
    f = await form(account)
    async with visit(account) as site:
        url = await stage(site, f, csv_file([["Site", "Where\nexactly"], ["A", "B"]]))
        sent = inputs((await site.http.get(url)).text)
        second = next(name for name in sent if name.startswith("column:Where"))
        await site.post(url + "/preview", sent | {second: "answers.site"})
        sent = inputs((await site.http.get(url)).text)
        assert (sent["column:Site"], sent[second]) == ("", "answers.site")
        await site.post(url + "/preview", sent | {second: ""})
        page = (await site.http.get(url)).text
        assert "No column has the name of a field." in page
        assert 'id="column-0"' in page
        assert "<button>Import</button>" not in page


async def test_the_preview_says_how_the_file_is_read_and_shows_its_letters(account: Account) -> None:
    fields = [*FIELDS, {"type": "decimal", "name": "price", "label": "Price"}]
    f = await form(account, fields=fields)
    lines = "".join(f"Pier {number};1,5;13/2/2026\n" for number in range(20))
    async with visit(account) as site:
        url = await stage(site, f, f"Site;Price;Day\n{lines}Łódź;1.234;3/4/2026\n".encode("iso8859-2"))
        page = unescape((await site.http.get(url)).text)
        assert "Semicolon ; · Central European (ISO 8859-2) · Comma: 1234,5 · Day first: 31/12/2026" in page
        assert "<bdi>Łódź</bdi>" in page
        for option in ("Comma: 1234,5", "Day first: 31/12/2026"):
            assert f">Automatic: {option}</option>" in page
        sent = inputs(page)
        # Read with another encoding, the sample is another one.
        await site.post(url + "/preview", sent | {"encoding": "cp1252"})
        assert "<bdi>£ód¼</bdi>" in unescape((await site.http.get(url)).text)
        await site.post(url + "/preview", sent)
        assert (await site.post(url + "/start", inputs((await site.http.get(url)).text))).headers["location"] == url
        await work(account)
    created = {one["data"]["site"]: one["data"] for one in await submissions_of(account, f)}
    assert created["Łódź"] == {"site": "Łódź", "price": 1234, "day": "2026-04-03"}


async def test_contradicting_numbers_and_uncertain_letters_are_faults_of_the_preview(account: Account) -> None:
    f = await form(account, fields=[*FIELDS, {"type": "decimal", "name": "price", "label": "Price"}])
    async with visit(account) as site:
        url = await stage(site, f, b"Site;Price\nQuay;1.5\nPier;1,5\n")
        page = unescape((await site.http.get(url)).text)
        assert "Some numbers have a decimal point, others a decimal comma" in page
        assert 'id="import"' not in page
        sent = inputs(page)
        assert sent["column:Price"] == "answers.price", "the mapping remains"
        await site.post(url + "/preview", sent | {"decimal_mark": "point", "bad_rows": "skip"})
        page = unescape((await site.http.get(url)).text)
        assert "'1,5' is not a number with a decimal point, as in this file." in page
        assert 'id="import"' in page
        url = await stage(site, f, "Site\ntrès\n".encode("cp1252"))
        page = unescape((await site.http.get(url)).text)
        assert "The encoding of the file is not certain" in page
        sent = inputs(page) | {"encoding": "cp1252"}
        await site.post(url + "/preview", sent)
        page = (await site.http.get(url)).text
        assert "<bdi>très</bdi>" in page
        assert (await site.post(url + "/start", inputs(page))).headers["location"] == url
        await work(account)
    assert [one["data"]["site"] for one in await submissions_of(account, f)] == ["très"]


async def test_a_workbook_has_a_decimal_mark_for_its_texts(account: Account) -> None:
    f = await form(account, fields=[*FIELDS, {"type": "decimal", "name": "price", "label": "Price"}])
    async with visit(account) as site:
        url = await stage(site, f, xlsx_file({"Visits": [["Site", "Price"], ["Quay", "1.234"]]}), "visits.xlsx")
        page = unescape((await site.http.get(url)).text)
        assert "'1.234' has two readings: 1.234 or 1234." in page
        await site.post(url + "/preview", inputs(page) | {"decimal_mark": "comma"})
        page = (await site.http.get(url)).text
        assert "has two readings" not in page
        assert (await site.post(url + "/start", inputs(page))).headers["location"] == url
        await work(account)
    assert [one["data"]["price"] for one in await submissions_of(account, f)] == [1234]


async def test_a_file_that_is_no_table_a_form_that_is_closed_and_a_discarded_file(account: Account) -> None:
    f = await form(account)
    draft = await form(account, publish=False)
    async with visit(account) as site:
        for content, text in ((b"", "The file is empty"), (b"%PDF-1.7", "looks like a PDF"), (b"PK\x03\x04", "ZIP")):
            response = await upload(site, f, content)
            shown = response if response.status_code == 422 else await site.http.get(response.headers["location"])
            assert text in shown.text
        assert (await site.post(f"/forms/{f['id']}/imports", {"file": "x"})).status_code == 422
        assert "isn’t published yet" in (await site.http.get(f"/forms/{draft['id']}/imports")).text
        assert (await upload(site, draft, csv_file(TABLE))).status_code == 422
        url = await stage(site, f, csv_file(TABLE))
        assert (await site.post(url + "/discard")).headers["location"] == f"/forms/{f['id']}/imports"
        assert (await site.http.get(url)).status_code == 404
    folder = account.ctx.settings.files_folder / "imports" / account.id
    left = [path.name for path in folder.rglob("*") if path.is_file()]
    assert url.rpartition("/")[2] not in " ".join(left)


@pytest.mark.slow
async def test_a_sheet_is_chosen_and_the_rows_of_a_repeat_are_shown(account: Account) -> None:
    repeat = {
        "type": "repeat",
        "name": "defects",
        "label": "Defects",
        "fields": [{"type": "text", "name": "what", "label": "What"}],
    }
    f = await form(account, fields=[*FIELDS, repeat])
    sheets = {
        "Notes": [["About"], ["text"]],
        "Visits": [["id", "Site"], ["v1", "Harbour"]],
        "Defects": [["id", "What"], ["v1", "Crack"]],
    }
    async with visit(account) as site:
        url = await stage(site, f, xlsx_file(sheets), "visits.xlsx")
        sent = inputs((await site.http.get(url)).text)
        assert sent["sheet"] == "Notes"
        await site.post(url + "/preview", sent | {"sheet": "Visits"})
        page = (await site.http.get(url)).text
        sent = inputs(page)
        assert (sent["column:id"], sent["column:Site"]) == ("id", "answers.site")
        assert '<th scope="col" dir="auto">Defects</th>' in page
        assert (await site.post(url + "/start", sent)).headers["location"] == url
    await work(account)
    (submission,) = await submissions_of(account, f)
    assert submission["data"] == {"site": "Harbour", "defects": [{"what": "Crack"}]}


async def test_a_waiting_file_belongs_to_who_uploaded_it_and_to_one_form(account: Account) -> None:
    f, other = await form(account), await form(account)
    owner = Grant(await built_in(account, "Owner"), ResourceType.ACCOUNT, account.id)
    viewer = Grant(await built_in(account, "Data viewer"), ResourceType.ACCOUNT, account.id)
    async with visit(account) as site:
        url = await stage(site, f, csv_file(TABLE))
        sent = inputs((await site.http.get(url)).text)
        assert (await site.http.get(url.replace(f["id"], other["id"]))).status_code == 404
        assert (await site.post(url.replace(f["id"], other["id"]) + "/start", sent)).status_code == 404
        assert (await get(account, f"/customers/{account.id}/submission-imports", formId=f["id"]))["items"] == []
        await enter(account, site.http, (await member(account, owner)).id)
        for response in (await site.http.get(url), await site.post(url + "/start", sent)):
            assert response.status_code == 404
        await enter(account, site.http, (await member(account, viewer)).id)
        page = (await site.http.get(f"/forms/{f['id']}/imports")).text
        assert 'type="file"' not in page
        assert (await upload(site, f, csv_file(TABLE))).status_code == 403


async def test_a_form_published_again_shows_its_preview_before_the_import(account: Account) -> None:
    f = await form(account)
    async with visit(account) as site:
        url = await stage(site, f, csv_file([["Site", "Depth"], ["A", "2"]]))
        sent = inputs((await site.http.get(url)).text)
        await _publish(account, f, [*FIELDS, {"type": "integer", "name": "depth", "label": "Depth"}])
        assert (await site.post(url + "/start", sent)).headers["location"] == url + "?changed=1"
        sent = inputs((await site.http.get(url)).text)
        assert "answers.depth" not in sent.values(), "the mapping that was chosen stays"
        await site.post(f"/forms/{f['id']}/archive")
        response = await site.post(url + "/start", sent)
        assert response.status_code in (409, 422)
        assert "archived" in response.text


async def _publish(account: Account, f: dict[str, Any], fields: list[dict[str, Any]]) -> None:
    path = f"/api/v1.0/forms/customer/{account.id}/forms/{f['id']}/versions"
    response = await account.api.post(path, json={"fields": fields})
    assert response.status_code == 201, response.text
    published = await account.api.post(f"{path}/{response.json()['id']}/publish", json={})
    assert published.is_success, published.text


MARKUP = "<img src=x onerror=\"document.title='run'\">"


@pytest.mark.slow
async def test_a_journey_with_the_keyboard_and_on_a_phone(browser: Browser, person: Person) -> None:
    table = [["Site", MARKUP, "Colour"], [f"Harbour {MARKUP}", "3", "red"], ["Quay", "many", "blue"]]
    async with person.client() as http:
        response = await http.post(
            "/api/v1.0/forms", json={"name": f"Visit {MARKUP}", "fields": FIELDS, "publish": True}
        )
    home = f"/submissions?form={response.json()['id']}"
    async with open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path(home))
        await page.get_by_role("link", name="Import", exact=True).focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Or drop a file here.")).to_be_visible()
        file = {"name": "visits.csv", "mimeType": "text/csv", "buffer": csv_file(table)}
        await page.get_by_label("File", exact=True).set_input_files(file)
        people = page.get_by_label(f"Column {MARKUP} contains")
        await expect(people).to_have_value("")
        await people.focus()
        # The preview waits until a pause, or the next field: a replaced select forgets the letters typed before.
        await page.keyboard.type("People", delay=150)
        await page.keyboard.press("Tab")
        await expect(page.get_by_text("1 of the first 2 is invalid.")).to_be_visible()
        await expect(people).to_have_value("answers.people")
        await expect(page.get_by_role("cell", name=re.compile("is not a number"))).to_be_visible()
        await page.get_by_label("Skip it").check()
        await page.get_by_role("button", name="Import", exact=True).focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("1 row imported. 1 row skipped")).to_be_visible(timeout=30_000)
        async with page.expect_download() as download:
            await page.get_by_role("link", name="Download as CSV").click()
        assert (await download.value).suggested_filename == "Invalid rows of visits.csv"
        result = page.url
        await page.get_by_role("link", name="View submissions").click()
        await expect(page.locator("tr.row-link")).to_have_count(1)
    async with open_page(browser, **PHONE) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        for url in (result, result.rpartition("/")[0]):
            await page.goto(url)
            await expect(page.get_by_text("visits.csv").first).to_be_visible()
