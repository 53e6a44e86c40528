"""The pages of submissions for the signed-in owner of an account, read without a browser."""

import html
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import pytest_asyncio
from actors import PASSWORD, Account
from factories.exports import run_download_worker


@dataclass(slots=True)
class SubmissionPages:
    """Reads pages and posts their forms, like a browser without JavaScript."""

    account: Account
    http: httpx.AsyncClient

    async def page(self, path: str, status: int = 200) -> str:
        """Return the HTML of a page."""
        response = await self.http.get(path)
        assert response.status_code == status, response.text
        return response.text

    async def press(self, path: str, answers: int = 303, **form: Any) -> httpx.Response:
        """Post a form of a page."""
        token = _token(await self.page("/sign-in"))
        response = await self.http.post(path, data={"_csrf_token": token, **form})
        assert response.status_code == answers, response.text
        return response


def _token(text: str) -> str:
    found = re.search(r'name="_csrf_token" value="([0-9a-f]+)"', text)
    assert found
    return found[1]


def cells(text: str) -> list[list[str]]:
    """Return the texts of the cells in the table of the page, without those of the ticks."""
    rows = re.findall(
        r'<tr class="row-link">(.*?)</tr>', re.sub(r'<td class="tick-cell">.*?</td>', "", text), re.DOTALL
    )
    return [[words(cell) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL)] for row in rows]


def row_links(text: str) -> list[str]:
    """Return the paths of the submissions to which the rows of the table link."""
    return re.findall(r'class="open" href="([^"?]+)', text)


def link(text: str, rel: str) -> str:
    """Return the address of the link with this relation; empty if there is none."""
    found = re.search(rf'href="([^"]+)" rel="{rel}"', text)
    return html.unescape(found[1]) if found else ""


def words(markup: str) -> str:
    """Return the text of some HTML, without markup and repeated spaces."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


@pytest_asyncio.fixture
async def pages(account: Account) -> AsyncIterator[SubmissionPages]:
    async with account.stage.client() as http, run_download_worker(account):
        signed_in = SubmissionPages(account, http)
        await signed_in.press("/sign-in", email=account.owner.email, password=PASSWORD, next="")
        yield signed_in


@pytest.fixture(autouse=True)
def wait_for_small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for small files instead of showing their progress, however slow the machine is."""
    monkeypatch.setattr("formwright.web.views.submissions.export.file_download._INITIAL_WAIT_S", 60)
    monkeypatch.setattr("formwright.web.background_tasks._INITIAL_WAIT_S", 60)
