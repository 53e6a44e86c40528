"""The owner of an account, signed in, without a browser: what her pages say is in their text."""

import html
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import pytest_asyncio
from actors import PASSWORD, Account


@dataclass(slots=True)
class Office:
    """Reads pages and presses their buttons, as a browser without script does."""

    account: Account
    http: httpx.AsyncClient

    async def page(self, path: str, status: int = 200) -> str:
        """The page's markup."""
        answer = await self.http.get(path)
        assert answer.status_code == status, answer.text
        return answer.text

    async def press(self, path: str, answers: int = 303, **form: Any) -> httpx.Response:
        """Send a form of the pages."""
        token = _token(await self.page("/sign-in"))
        answer = await self.http.post(path, data={"_csrf_token": token, **form})
        assert answer.status_code == answers, answer.text
        return answer


def _token(text: str) -> str:
    found = re.search(r'name="_csrf_token" value="([0-9a-f]+)"', text)
    assert found
    return found[1]


def cells(text: str) -> list[list[str]]:
    """What stands in the rows of the page's table."""
    rows = re.findall(r'<tr class="opens">(.*?)</tr>', text, re.DOTALL)
    return [[words(cell) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL)] for row in rows]


def opened(text: str) -> list[str]:
    """What the rows of the page's table open."""
    return re.findall(r'class="open" href="([^"]+)"', text)


def link(text: str, rel: str) -> str:
    """Where a link of this kind leads; empty where there is none."""
    found = re.search(rf'href="([^"]+)" rel="{rel}"', text)
    return html.unescape(found[1]) if found else ""


def words(markup: str) -> str:
    """A piece of a page as it is read."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


@pytest_asyncio.fixture
async def office(account: Account) -> AsyncIterator[Office]:
    async with account.stage.client() as http:
        made = Office(account, http)
        await made.press("/sign-in", email=account.owner.email, password=PASSWORD, next="")
        yield made


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files come at once, however slow the machine is."""
    monkeypatch.setattr("formwright.web.background_jobs._INITIAL_WAIT_S", 60)
