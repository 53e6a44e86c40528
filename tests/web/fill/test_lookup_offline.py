"""The lookup field offline: the rows are on the device, and the submission contains the row as the person saw it."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from fixtures.fill_pages import AccountApi, Form, Phone, PlainServer, send
from fixtures.server_process import eventually
from playwright.async_api import Page, expect

from formwright.web.templating import asset

NAMES = [("Harbour Works", "Kiel"), ("Müller & Söhne", "Ulm"), ("Café Zentral", "Kiel")]
ROWS: list[dict[str, Any]] = [
    {"number": f"C-{i}", "name": f"{name} {i}", "city": city, "street": f"Quay {i}", "staff": i, "secret": "hidden"}
    for i, (name, city) in enumerate(NAMES * 100)
]
CITIES = [{"value": "Kiel", "label": "Kiel"}, {"value": "Ulm", "label": "Ulm"}]
STATE = """async (name) => {
  const opening = indexedDB.open("formwright-rows");
  // Who only looks makes none.
  opening.onupgradeneeded = () => opening.transaction.abort();
  const database = await new Promise((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => resolve(null);
  });
  if (!database) return [];
  const asking = database.transaction(name).objectStore(name).getAll();
  await new Promise((resolve) => (asking.onsuccess = resolve));
  database.close();
  return asking.result;
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def own_server(tmp_path: Any) -> AsyncIterator[PlainServer]:
    """A server that a test may stop."""
    server = PlainServer(tmp_path, INSECURE_HTTP="1")
    await server.start()
    yield server
    server.close()


def fields(of: str) -> list[dict[str, Any]]:
    lookup = {"type": "lookup", "datasourceId": of, "display": ["name", "city"]}
    return [
        {"name": "city", "type": "choice", "options": CITIES},
        lookup | {"name": "customer", "filter": {"city": "city"}, "mapping": {"street": "street", "staff": "people"}},
        {"name": "street", "type": "text"},
        {"name": "people", "type": "integer"},
    ]


async def create_form(api: AccountApi, rows: list[dict[str, Any]] = ROWS) -> tuple[str, Form]:
    table = await api.create_datasource(rows)
    return table, await api.create_form(*fields(table))


async def wait_for_rows(page: Page, count: int = 1) -> list[dict[str, Any]]:
    """Wait until the device stores rows for this many lookups, and return their state."""

    async def look() -> bool:
        return len(await page.evaluate(STATE, "lookups")) >= count

    await eventually(look, 30)
    found: list[dict[str, Any]] = await page.evaluate(STATE, "lookups")
    return found


async def search(page: Page, text: str) -> None:
    if not await page.get_by_placeholder("Type to search").is_visible():
        await page.locator(".sd-dropdown").click()
    await page.get_by_placeholder("Type to search").fill(text)


def options(page: Page) -> Any:
    return page.get_by_role("option").filter(has_text="·")


@pytest.mark.slow
async def test_offline_a_row_is_found_and_fills_the_other_fields(api: AccountApi, phone: Phone) -> None:
    table, form = await create_form(api)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await wait_for_rows(page)
    await phone.context.set_offline(True)
    await page.reload()
    await page.locator("label").get_by_text("Kiel", exact=True).click()
    for typed, found in [
        ("zentr 299", "Café Zentral 299"),
        ("CAFE 8", "Café Zentral 8 "),
        ("c-30", "Harbour Works 30 "),
    ]:
        await search(page, typed)
        await expect(options(page).first).to_contain_text(found)
    await search(page, "uller")
    await expect(page.get_by_role("status").get_by_text("No results")).to_be_visible()
    await search(page, "zentral 299")
    await options(page).filter(has_text="Café Zentral 299").click()
    await expect(page.get_by_label("Street")).to_have_value("Quay 299")
    await expect(page.get_by_label("People")).to_have_value("299")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("It will be submitted when you’re back online.").wait_for()
    await remove(api, table)
    await phone.context.set_offline(False)
    [came] = await form.wait_for_submissions(1)
    assert came["data"] == {"city": "Kiel", "customer": "C-299", "street": "Quay 299", "people": 299}
    data = {"name": "Café Zentral 299", "city": "Kiel", "street": "Quay 299", "staff": 299}
    assert came["lookups"] == [
        {"pointer": "/data/customer", "datasourceId": table, "version": 1, "key": "C-299", "data": data}
    ]
    phone.ignore_errors()


async def remove(api: AccountApi, table: str) -> None:
    """Delete all rows but one, like the account's own system would."""
    path = f"/api/v1.0/customers/{api.customer_id}/datasources/{table}/rows"
    response = await api.http.put(path, json={"rows": [{"number": "C-1", "name": "Last", "city": "Ulm", "staff": 1}]})
    assert response.is_success, response.text


@pytest.mark.slow
@pytest.mark.parametrize("offline", [False, True])
async def test_all_rows_can_be_scrolled_through(api: AccountApi, phone: Phone, offline: bool) -> None:
    _, form = await create_form(api)
    page = await phone.open(form.url)
    await wait_for_rows(page)
    await phone.context.set_offline(offline)
    await page.locator(".sd-dropdown").click()
    await expect(options(page)).to_have_count(50)

    async def scroll_to(count: int) -> bool:
        # Up first: a list that has just been drawn does not notice the first time that its end is scrolled into view.
        await page.get_by_role("option").first.scroll_into_view_if_needed()
        await page.get_by_role("option").last.scroll_into_view_if_needed()
        return await options(page).count() >= count

    for count in (100, 150, 200, 250, 300):
        await eventually(lambda: scroll_to(count))  # noqa: B023 - called at once
    await expect(options(page)).to_have_count(300)
    assert len(set(await options(page).all_inner_texts())) == 300
    phone.ignore_errors()


@pytest.mark.slow
async def test_the_device_searches_if_the_server_is_unreachable(own_server: PlainServer, phone: Phone) -> None:
    account = own_server.demo()
    async with own_server.client(**{"x-api-key": account["apiKey"]}) as http:
        _, form = await create_form(AccountApi(own_server, account["customerId"], http))
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await wait_for_rows(page)
    own_server.kill()
    await search(page, "zentral 299")
    await options(page).filter(has_text="Café Zentral 299").click()
    await expect(page.get_by_label("Street")).to_have_value("Quay 299")
    await page.reload()
    await expect(page.get_by_label("Street")).to_have_value("Quay 299")
    await expect(page.get_by_text("Café Zentral 299 · Kiel")).to_be_visible()
    await page.close()
    phone.ignore_errors()


@pytest.mark.slow
async def test_only_the_needed_columns_are_fetched_and_only_once(api: AccountApi, phone: Phone) -> None:
    _, form = await create_form(api)
    answers: list[tuple[str, int]] = []
    phone.context.on("response", lambda said: answers.append((said.url, said.status)) if "/rows?" in said.url else None)
    page = await phone.open(form.url)
    [about] = await wait_for_rows(page)
    assert (about["whole"], about["version"], about["count"]) == (True, 1, 300)
    assert [column["name"] for column in about["columns"]] == ["name", "city", "street", "staff"]
    [stored] = await page.evaluate(STATE, "rows")
    assert stored["rows"][299] == ["C-299", "Café Zentral 299", "Kiel", "Quay 299", "299"]
    await page.reload()
    await eventually(lambda: _true(len(answers) == 2))
    assert [status for _, status in answers] == [200, 304]


async def _true(value: bool) -> bool:
    return value


@pytest.mark.slow
async def test_changed_rows_are_fetched_when_the_form_is_opened_again(api: AccountApi, phone: Phone) -> None:
    table, form = await create_form(api)
    page = await phone.open(form.url)
    await wait_for_rows(page)
    await remove(api, table)
    await page.reload()

    async def changed() -> bool:
        [about] = await page.evaluate(STATE, "lookups")
        return bool(about["version"] == 2)

    await eventually(changed)
    await phone.context.set_offline(True)
    await search(page, "")
    await expect(options(page)).to_have_count(1)
    phone.ignore_errors()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "name"), [(50_001, "x"), (1700, "x" * 6000)], ids=["more than 50,000 rows", "more than 10 MB"]
)
async def test_too_many_rows_are_not_stored_and_the_page_says_so(
    api: AccountApi, phone: Phone, count: int, name: str
) -> None:
    rows = [{"number": n, "name": f"{name} {n}", "city": "Kiel", "street": "", "staff": 1} for n in range(count)]
    _, form = await create_form(api, rows)
    answers: list[int] = []
    phone.context.on("response", lambda said: answers.append(said.status) if "/rows?" in said.url else None)
    page = await phone.open(form.url)
    [about] = await wait_for_rows(page)
    assert about["whole"] is False
    [stored] = await page.evaluate(STATE, "rows")
    assert stored["rows"] == []
    await search(page, f" {count - 1}")
    await expect(options(page)).to_have_count(1)
    await phone.context.set_offline(True)
    await search(page, "x")
    await expect(page.get_by_role("status").get_by_text("Searching it requires a connection.")).to_be_visible()
    asked = len(answers)
    await phone.context.set_offline(False)
    await eventually(lambda: _true(len(answers) > asked))
    await page.reload()
    await eventually(lambda: _true(len(answers) > asked + 1))
    assert answers[asked:] == [304, 304], "rows that did not fit are not fetched again"
    phone.ignore_errors()


@pytest.mark.slow
async def test_the_limit_applies_to_all_lookups_of_a_form_together(api: AccountApi, phone: Phone) -> None:
    large = [{"number": n, "name": f"x {n}"} for n in range(26_000)]
    lookup = {"type": "lookup", "display": ["name"]}
    first, second, small = [await api.create_datasource(rows) for rows in (large, large, large[:5])]
    form = await api.create_form(
        lookup | {"name": "one", "datasourceId": first},
        lookup | {"name": "two", "datasourceId": second},
        lookup | {"name": "three", "datasourceId": small},
    )
    page = await phone.open(form.url)
    found = await wait_for_rows(page, 3)
    assert {about["id"].rpartition("/")[2]: about["whole"] for about in found} == {
        "one": True,
        "two": False,
        "three": True,
    }


async def test_a_form_without_lookups_loads_nothing_for_them(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "site", "type": "text"})
    asked: list[str] = []
    phone.context.on("request", lambda request: asked.append(request.url))
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    assert not [url for url in asked if "/lookup/" in url or url.endswith(asset("fill/offline_rows.js"))]


@pytest.mark.slow
async def test_online_a_row_deleted_before_submitting_is_submitted_as_seen(api: AccountApi, phone: Phone) -> None:
    table, form = await create_form(api)
    page = await phone.open(form.url)
    await search(page, "zentral 299")
    await options(page).filter(has_text="Café Zentral 299").click()
    await expect(page.get_by_label("Street")).to_have_value("Quay 299")
    await remove(api, table)
    await send(page)
    [came] = await form.submissions()
    assert [(one["version"], one["key"], one["data"]["street"]) for one in came["lookups"]] == [
        (1, "C-299", "Quay 299")
    ]


async def test_an_invalid_row_version_is_rejected(api: AccountApi) -> None:
    _, form = await create_form(api)
    async with httpx.AsyncClient(verify=False) as http:
        path = f"{form.url}/submissions/00000000-0000-4000-8000-000000000000"
        response = await http.post(path, json={"versionId": "x", "data": {}, "seen": {"customer": {"C-1": "new"}}})
    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == "/seen/customer/C-1"
