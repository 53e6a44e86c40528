"""Settings, Mail: the emails that were sent, and a test email."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from actors import Account
from factories.mail_worker import mail_worker
from factories.users import built_in, member, user
from factories.web_client import send
from factories.web_client import visit as _visit
from fixtures.server_process import eventually
from fixtures.smtp_server import mail_server

from formwright.core.auth.actor import ResourceType
from formwright.domain.mail import service as mails
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent
from formwright.domain.users.models import Grant

HERE = "/settings/mail"


@asynccontextmanager
async def _signed_in(account: Account, user_id: str = "") -> AsyncIterator[httpx.AsyncClient]:
    async with _visit(account, user_id) as site:
        yield site.http


async def _send(account: Account, subject: str = "<b>Hello</b>") -> str:
    letter = EmailContent(subject, ["<i>Words</i>"], ("Open", "https://forms.test/set-password/word"))
    async with account.ctx.db.writing() as tx:
        post = mails.MailSender(account.id, account.customer.name, account.ctx.secret_box)
        return (await mails.enqueue(tx, post, NewMail("test", "usr", "ann@example.org", "Ann", "en", letter))).id


async def _wait_for_text(http: httpx.AsyncClient, text: str) -> str:
    async def look() -> str:
        page = (await http.get(HERE)).text
        return page if text in page else ""

    found: str = await eventually(look)
    return found


async def test_without_a_mail_server_owners_read_the_emails_on_the_page(account: Account, stranger: Account) -> None:
    async with _signed_in(account) as http, _signed_in(stranger) as other:
        assert "No emails yet" in (await http.get(HERE)).text
        mail_id = await _send(account)
        assert "Queued" in (await http.get(HERE)).text
        async with mail_worker(account.stage):
            shown = await _wait_for_text(http, ">Not sent<")
        assert "&lt;b&gt;Hello&lt;/b&gt;" in shown
        assert "Send test email" not in shown
        letter = (await http.get(f"{HERE}/{mail_id}")).text
        assert '<a href="https://forms.test/set-password/word"' in letter
        assert "&lt;i&gt;Words&lt;/i&gt;" in letter
        file = await http.get(f"{HERE}/{mail_id}/file")
        assert (file.headers["content-type"], file.content[:5]) == ("message/rfc822", b"From:")
        for path in (f"{HERE}/{mail_id}", f"{HERE}/{mail_id}/file", f"{HERE}/mail_%00", f"{HERE}/x"):
            assert (await other.get(path)).status_code == 404
        assert "Hello" not in (await other.get(HERE)).text


async def test_a_test_email_is_sent_and_its_result_shown(account: Account) -> None:
    async with _signed_in(account) as http, mail_server() as it, mail_worker(account.stage, it):
        response = await send(http, f"{HERE}/test")
        assert (response.status_code, response.headers["location"]) == (303, f"{HERE}?tested=1")
        shown = await _wait_for_text(http, ">Sent<")
        # The worker also sends emails left by other tests.
        [mail] = [mail for mail in await it.wait_for(1) if account.owner.email in mail["To"]]
        it.recipient = "550 5.1.1 <nobody>"
        await send(http, f"{HERE}/test")
        assert "550 5.1.1 &lt;nobody&gt;" in await _wait_for_text(http, ">Failed<")
    assert mail["To"] == f"Owner <{account.owner.email}>"
    assert "<code>127.0.0.1</code>" in shown


async def test_the_list_is_paginated(account: Account) -> None:
    for number in range(51):
        await _send(account, f"Mail {number:02}.")
    async with _signed_in(account) as http:
        newest = (await http.get(HERE)).text
        older = newest.partition(f'href="{HERE}?after=')[2].partition('"')[0]
        rest = (await http.get(f"{HERE}?after={older}")).text
        for garbage in ("x", "1", "9" * 400 + ".x", "1.%00", "١.x", "-1.x"):
            assert (await http.get(f"{HERE}?after={garbage}")).status_code in (200, 400)
    assert "Mail 50." in newest
    assert "Mail 00." not in newest
    assert "Mail 00." in rest


async def test_users_who_are_not_owners_cannot_read_the_text_of_emails(account: Account) -> None:
    """Otherwise an administrator could sign in as an owner with a link from an email."""
    grant = Grant(await built_in(account, "Administrator"), ResourceType.ACCOUNT, account.id)
    administrator = await member(account, grant)
    mail_id = await _send(account)
    async with _signed_in(account, administrator.id) as http:
        async with mail_worker(account.stage):
            shown = await _wait_for_text(http, ">Not sent<")
        assert f"{HERE}/{mail_id}" not in shown
        for path in (f"{HERE}/{mail_id}", f"{HERE}/{mail_id}/file"):
            assert (await http.get(path)).status_code == 403


async def test_users_without_the_permission_cannot_list_emails(account: Account) -> None:
    someone = await user(account)
    async with _signed_in(account, someone.id) as http:
        assert (await http.get(HERE)).status_code == 403
        assert (await send(http, f"{HERE}/test")).status_code == 403
    async with account.stage.client() as nobody:
        assert (await nobody.get(HERE)).status_code == 303
