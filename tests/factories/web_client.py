"""The pages as a browser without JavaScript uses them."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from actors import PASSWORD, Account

from formwright.domain.users.auth import sessions
from formwright.domain.users.models import PasswordCredentials
from formwright.web.session import cookie_name


@dataclass(slots=True)
class Visit:
    """A signed-in browser; every posted form carries the CSRF token."""

    http: httpx.AsyncClient
    token: str = ""

    async def post(self, path: str, form: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        return await self.http.post(path, data={"_csrf_token": self.token} | (form or {}), **more)

    async def send(self, path: str, body: Any) -> httpx.Response:
        """Send JSON like the scripts of a page do."""
        return await self.http.post(path, json=body, headers={"x-csrftoken": self.token})

    async def sign_in(self, email: str, password: str = PASSWORD) -> httpx.Response:
        self.token = csrf((await self.http.get("/sign-in")).text)
        return await self.post("/sign-in", {"email": email, "password": password})


def csrf(text: str) -> str:
    """Return the CSRF token of a page."""
    found = re.search(r'name="_csrf_token" value="([0-9a-f]+)"', text)
    assert found
    return found[1]


async def send(http: httpx.AsyncClient, path: str, **form: str) -> httpx.Response:
    """Post a form of a page."""
    return await Visit(http, csrf((await http.get("/sign-in")).text)).post(path, form)


@asynccontextmanager
async def visit(account: Account, user_id: str = "") -> AsyncIterator[Visit]:
    """A signed-in user of the account, by default the owner; the sign-in page is skipped."""
    async with account.stage.client() as http:
        await enter(account, http, user_id or account.owner.id)
        yield Visit(http, csrf((await http.get("/sign-in")).text))


async def enter(account: Account, http: httpx.AsyncClient, user_id: str) -> None:
    """Sign another user in, in this browser."""
    async with account.ctx.db.writing() as tx:
        token = await sessions.create(tx, PasswordCredentials(account.id, user_id, "-"))
    http.cookies.set(cookie_name(account.ctx.settings), token, domain="forms.test")
