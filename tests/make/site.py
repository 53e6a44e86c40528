"""The pages, as a browser without script uses them, on the stage of a test."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from cast import PASSWORD, Account


@dataclass(slots=True)
class Visit:
    """Somebody who has signed in; every form that is posted carries the page's token."""

    http: httpx.AsyncClient
    token: str = ""

    async def post(self, path: str, form: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        return await self.http.post(path, data={"_csrf_token": self.token} | (form or {}), **more)

    async def send(self, path: str, body: Any) -> httpx.Response:
        """As the modules of a page do it."""
        return await self.http.post(path, json=body, headers={"x-csrftoken": self.token})

    async def sign_in(self, email: str, password: str = PASSWORD) -> httpx.Response:
        self.token = csrf((await self.http.get("/sign-in")).text)
        return await self.post("/sign-in", {"email": email, "password": password})


def csrf(text: str) -> str:
    """The token that a page carries for its forms."""
    found = re.search(r'name="_csrf_token" value="([0-9a-f]+)"', text)
    assert found
    return found[1]


@asynccontextmanager
async def visit(account: Account) -> AsyncIterator[Visit]:
    """The account's owner, signed in."""
    async with account.stage.client() as http:
        made = Visit(http)
        answer = await made.sign_in(account.owner.email)
        assert answer.status_code == 303, answer.text
        yield made
