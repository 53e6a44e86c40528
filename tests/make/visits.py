"""People with a browser, signed in without the page."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from cast import Account

from formwright.domain.people import service as people
from formwright.domain.people.model import SignIn
from formwright.web.session import cookie_name


@asynccontextmanager
async def visit(account: Account, user_id: str = "") -> AsyncIterator[httpx.AsyncClient]:
    """Somebody of the account, the owner if nobody else is named, who has signed in."""
    who = SignIn(account.id, user_id or account.owner.id, "")
    async with account.house.db.writing() as tx:
        token = await people.begin_session(tx, who)
    async with account.stage.client() as http:
        http.cookies.set(cookie_name(account.house.settings), token)
        yield http


async def send(http: httpx.AsyncClient, address: str, **form: str) -> httpx.Response:
    """Post a form of a page, with the token that the page carries."""
    shown = await http.get("/sign-in")
    token = re.search(r'name="_csrf_token" value="([0-9a-f]+)"', shown.text)
    assert token, shown.text
    return await http.post(address, data={"_csrf_token": token[1], **form})
