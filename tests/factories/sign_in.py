"""The steps of signing in: links in emails, codes, and the passing of time for those who guess."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import msgspec
from actors import PASSWORD, Account

from factories.web_client import send, visit
from formwright.core import crypto
from formwright.domain.mail.templates import RenderedEmail

NEW = "a new and longer one"
HERE = "/settings/account"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0"


@asynccontextmanager
async def inside(account: Account, user_id: str = "") -> AsyncIterator[httpx.AsyncClient]:
    async with visit(account, user_id) as site:
        yield site.http


async def sign_in(
    http: httpx.AsyncClient, email: str, password: str = PASSWORD, next_: str = "", **headers: str
) -> httpx.Response:
    http.headers.update(headers)
    return await send(http, "/sign-in", email=email, password=password, next=next_)


async def mailed(account: Account, user_id: str) -> str:
    """Return the path of the link in the only email that waits for a user."""
    async with account.ctx.db.reading() as tx:
        sql = "SELECT body FROM mails WHERE customer_id = $1 AND subject_id = $2 AND status = 'WAITING' AND until > 0"
        [row] = await tx.fetch(sql, account.id, user_id)
    text = msgspec.json.decode(account.ctx.secret_box.open(row[0]), type=RenderedEmail).text
    found = re.search(r"https://forms\.test(/set-password/\w+)", text)
    assert found
    return found[1]


async def mails(account: Account, purpose: str) -> int:
    async with account.ctx.db.reading() as tx:
        sql = "SELECT count(*) FROM mails WHERE customer_id = $1 AND purpose = $2"
        [row] = await tx.fetch(sql, account.id, purpose)
    return int(row[0])


async def after(account: Account, ms: int) -> None:
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE throttles SET last = last - $1, until = until - $1", ms)


def code(account: Account, secret: str, steps: int = 0) -> str:
    return crypto.totp_code(secret, account.ctx.clock.now() // 1000 // crypto.STEP_S + steps)


async def factor(account: Account, http: httpx.AsyncClient) -> tuple[str, list[str]]:
    """Enable two-factor authentication; return the secret and the recovery codes."""
    await send(http, f"{HERE}/second-factor")
    shown = (await http.get(f"{HERE}/second-factor")).text
    found = re.search(r'id="secret" value="([A-Z2-7 ]+)"', shown)
    assert found
    secret = found[1].replace(" ", "")
    # Uses the previous code, which leaves this one and the next for signing in. It may expire on the way.
    for _ in range(2):
        response = await send(http, f"{HERE}/second-factor/confirm", code=code(account, secret, -1))
        if response.status_code != 422:
            break
    codes = re.findall(r"\b(?:[a-z2-9]{4}-){3}[a-z2-9]{4}\b", (await http.get(f"{HERE}/second-factor")).text)
    assert len(codes) == 10
    return secret, codes
