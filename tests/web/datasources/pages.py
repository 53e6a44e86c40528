"""Steps that many tests of data sources take: API calls that prepare them, and actions on their pages."""

from typing import Any

from fixtures.accounts import Person
from playwright.async_api import Locator, Page, expect

MARKUP = "<img src=x onerror=\"document.title='run'\">"
PLACES = "/datasources"


async def call_api(person: Person, method: str, path: str, body: Any = None) -> Any:
    """Call the API with the account's key, and return the response body. `{c}` in the path becomes the account's id."""
    async with person.client() as http:
        response = await http.request(method, "/api/v1.0" + path.format(c=person.customer_id), json=body)
    response.raise_for_status()
    return response.json()


async def create_datasource(person: Person, rows: list[dict[str, Any]], name: str = "Customers", **more: Any) -> Any:
    """Create a data source through the API. Its key column is the first column."""
    body = {"name": name, "keyColumn": next(iter(rows[0])), "rows": rows} | more
    return await call_api(person, "POST", "/customers/{c}/datasources", body)


async def list_rows(person: Person, datasource_id: str) -> list[dict[str, Any]]:
    found = await call_api(person, "GET", f"/customers/{{c}}/datasources/{datasource_id}/rows?limit=1000")
    return [row["data"] for row in found["items"]]


async def upload(page: Page, name: str, content: bytes) -> None:
    """Choose a file. JavaScript, which is ready once it has hidden the button, uploads it immediately."""
    await page.locator("form[data-sends] > button[hidden]").wait_for(state="attached")
    await choose_file(page, name, content)


async def choose_file(page: Page, name: str, content: bytes) -> None:
    """Choose a file without waiting for JavaScript."""
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    await page.get_by_label("File", exact=True).set_input_files(file)


async def open_preview(page: Page, person: Person, name: str, content: bytes) -> None:
    """Go from the list to the preview of a file for a new data source."""
    await page.goto(person.path(PLACES))
    await page.get_by_role("link", name="Add data source").click()
    await upload(page, name, content)
    await page.wait_for_url("**/datasources/uploads/*")
    # While the file is read, the same URL shows the progress.
    await expect(page.get_by_role("button", name="Discard")).to_be_visible()


async def change_preview(page: Page, field: Locator, choice: str) -> None:
    """Select another option in the preview, and wait until the preview is updated."""
    await field.focus()
    await field.select_option(choice)
    await expect(page.locator("#announcement")).to_have_text("Preview updated")


def table(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


async def cells(rows: Locator) -> list[list[str]]:
    """Return the cells that the body of the table shows."""
    found: list[list[str]] = await rows.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return found
