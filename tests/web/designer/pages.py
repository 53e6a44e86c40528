"""The designer of an account: API calls that prepare forms, and steps that many tests take on its pages."""

import re
from dataclasses import dataclass
from typing import Any

import httpx
from fixtures.accounts import Person
from playwright.async_api import Locator, Page, expect

SAVED = "Saved to draft"


@dataclass(frozen=True, slots=True)
class Designer:
    """The designer's pages and the API of one account."""

    person: Person

    @property
    def url(self) -> str:
        return self.person.server.base_url

    @property
    def customer_id(self) -> str:
        return self.person.customer_id

    def call_api(self, method: str, path: str, body: Any = None) -> Any:
        """Call the API with the account's key, and return the response body."""
        headers = {"x-api-key": self.person.key}
        # The server speaks plain HTTP. Loading certificates would take longer than the call.
        response = httpx.request(method, f"{self.url}/api/v1.0{path}", headers=headers, json=body, verify=False)
        response.raise_for_status()
        return response.json()

    @property
    def forms_path(self) -> str:
        return f"/forms/customer/{self.customer_id}/forms"

    def create_form(
        self, fields: list[dict[str, Any]], name: str = "Visit", *, publish: bool = True, **more: Any
    ) -> Any:
        """Create a form through the API."""
        return self.call_api("POST", self.forms_path, {"name": name, "fields": fields, "publish": publish} | more)

    def newest_version(self, form_id: str) -> Any:
        """Return the form's newest version."""
        return self.call_api("GET", f"{self.forms_path}/{form_id}/versions?limit=1000")["items"][-1]

    def submit(self, form_id: str, data: dict[str, Any]) -> Any:
        """Create a submission of the form."""
        return self.call_api("POST", f"/customers/{self.customer_id}/forms/{form_id}/submissions", {"data": data})

    async def open(self, page: Page, form_id: str) -> None:
        await page.goto(f"{self.url}/forms/{form_id}/design")
        await expect(rows(page).first).to_be_visible()


def rows(page: Page) -> Locator:
    return page.get_by_role("treeitem")


def row(page: Page, name: str) -> Locator:
    return rows(page).filter(has=page.locator(".name", has_text=re.compile(f"^{re.escape(name)}$")))


async def names(page: Page) -> list[str]:
    return await page.locator("[role=treeitem] .name").all_text_contents()


async def choose_from_menu(page: Page, form: str, what: str) -> None:
    """Choose something from the menu of a form in the list."""
    line = page.get_by_role("row").filter(has=page.get_by_role("link", name=form, exact=True))
    await line.locator("summary").click()
    await line.get_by_role("link", name=what).click()


async def wait_until_saved(page: Page) -> None:
    await expect(page.locator("#saving")).to_contain_text(SAVED)


async def add_field(page: Page, kind: str, label: str) -> None:
    """Add a field of a kind, given by its label in the dialog, and fill in its question."""
    await page.get_by_role("button", name="Add field").click()
    await page.get_by_role("dialog").get_by_role("button", name=kind, exact=True).click()
    await page.get_by_label("Question", exact=True).or_(page.get_by_label("Title", exact=True)).fill(label)


def rule_card(page: Page, title: str) -> Locator:
    """Return the card of a rule of the selected field."""
    return page.locator(".rule", has=page.get_by_role("heading", name=title, exact=True))


async def add_rule(page: Page, title: str) -> Locator:
    """Add a rule to the selected field, and return its card."""
    await page.get_by_text("Add a rule…").click()
    await page.locator(".add-rule button", has=page.get_by_text(title, exact=True)).click()
    return rule_card(page, title)


async def open_rule_code(page: Page, title: str) -> Locator:
    """Open a rule of the selected field as code, and return its text area. Adds the rule if it is not in use."""
    card = rule_card(page, title)
    if not await card.count():
        await add_rule(page, title)
    button = card.get_by_role("button", name="Edit as code")
    if await button.count():
        await button.click()
    return card.locator("textarea.code")
