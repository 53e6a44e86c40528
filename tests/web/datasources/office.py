"""Somebody in an office who keeps data sources: what she does over and over, in one word each."""

from typing import Any

from fixtures.accounts import Person
from playwright.async_api import Locator, Page, expect

MARKUP = "<img src=x onerror=\"document.title='run'\">"
PLACES = "/datasources"


async def call(person: Person, method: str, path: str, body: Any = None) -> Any:
    """A call of the API, as another system makes it; `{c}` is the account."""
    async with person.client() as http:
        answer = await http.request(method, "/api/v1.0" + path.format(c=person.customer_id), json=body)
    answer.raise_for_status()
    return answer.json()


async def made(person: Person, rows: list[dict[str, Any]], name: str = "Customers", **more: Any) -> Any:
    """A data source that is there already; its key column is the first."""
    body = {"name": name, "keyColumn": next(iter(rows[0])), "rows": rows} | more
    return await call(person, "POST", "/customers/{c}/datasources", body)


async def rows_of(person: Person, datasource_id: str) -> list[dict[str, Any]]:
    found = await call(person, "GET", f"/customers/{{c}}/datasources/{datasource_id}/rows?limit=1000")
    return [row["data"] for row in found["items"]]


async def choose(page: Page, name: str, content: bytes) -> None:
    """Choose a file; with script, which is ready once it hides the button, it is sent at once."""
    await page.locator("form[data-sends] > button[hidden]").wait_for(state="attached")
    await pick(page, name, content)


async def pick(page: Page, name: str, content: bytes) -> None:
    """Choose a file, and no more."""
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    await page.get_by_label("File", exact=True).set_input_files(file)


async def add(page: Page, person: Person, name: str, content: bytes) -> None:
    """From the list to the preview of a file that becomes a new data source."""
    await page.goto(person.path(PLACES))
    await page.get_by_role("link", name="Add data source").click()
    await choose(page, name, content)
    await page.wait_for_url("**/datasources/uploads/*")


async def look_again(page: Page, field: Locator, choice: str) -> None:
    """Choose something else in the preview, and wait until the file was read again."""
    await field.focus()
    await field.select_option(choice)
    await expect(page.locator("#said")).to_have_text("Preview updated")


def table(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


async def cells(rows: Locator) -> list[list[str]]:
    """What a table's body shows."""
    found: list[list[str]] = await rows.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return found
