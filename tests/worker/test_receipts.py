"""Receipts: who gets them, what they contain, their limits, and PDFs that cannot be attached."""

import asyncio
import re
import subprocess
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from email.message import EmailMessage
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.invites import invite, link
from factories.requests import PREFIX
from factories.submissions import started, submission
from factories.web_client import visit
from fixtures import host_programs
from fixtures.server_process import eventually
from fixtures.smtp_server import MailServer, mail_server

from formwright.core.net.email_message import Sender
from formwright.core.net.smtp import SmtpServer, SmtpTransport
from formwright.core.pagination import Window
from formwright.core.pdf import compiler
from formwright.domain.mail import service as mails
from formwright.domain.mail.models import Mail, MailStatus
from formwright.domain.receipts import emails, service
from formwright.domain.receipts.models import PER_ADDRESS, ReceiptMailer
from formwright.worker.mail_delivery import MailWorker
from formwright.worker.receipts import ReceiptWorker

FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site"},
    {
        "type": "section",
        "name": "about",
        "label": "About you",
        "fields": [{"type": "email", "name": "email", "label": "Email"}],
    },
    {"type": "integer", "name": "score", "label": "Score", "hidden": True, "calculate": "42"},
    {
        "type": "repeat",
        "name": "others",
        "label": "Others",
        "fields": [{"type": "email", "name": "address", "label": "Address"}],
    },
]


async def run(account: Account) -> None:
    """Let the account's forms be due, and run the worker."""
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE receipt_settings SET due = 0 WHERE customer_id = $1", account.id)
        await tx.execute("UPDATE due_work SET due = 0 WHERE kind = 'RECEIPT' AND customer_id = $1", account.id)
    worker = ReceiptWorker(account.ctx)
    while await worker.run_batch():
        pass


async def receipts(account: Account) -> list[Mail]:
    """Return the account's emails with receipts, oldest first."""
    async with account.ctx.db.reading() as tx:
        found = (await mails.page(tx, account.actor, Window(100))).items
    return [mail for mail in reversed(found) if mail.purpose == emails.PURPOSE]


@asynccontextmanager
async def sending(account: Account, server: MailServer) -> AsyncIterator[None]:
    """Send the emails of the account through this server until all have ended."""
    transport = SmtpTransport(SmtpServer.parse(server.url), Sender("Forms", "forms@example.org"))
    worker = MailWorker(replace(account.ctx, mail_transport=transport), poll_interval_s=0.02)

    async def is_done() -> bool:
        await worker.run_batch()
        return all(mail.status is not MailStatus.WAITING for mail in await receipts(account))

    yield
    await eventually(is_done)


async def respond(account: Account, form: dict[str, Any], path: str = "", client_id: str = "", **data: Any) -> str:
    """Submit the form on its page, and return the id of the submission."""
    async with account.stage.client() as http:
        body = {"versionId": form["publishedVersionId"], "data": data}
        sent = await http.post(f"{path or form['fillPath']}/submissions/{client_id or uuid.uuid4()}", json=body)
    assert sent.status_code in (200, 201), sent.text
    submission_id: str = sent.json()["id"]
    return submission_id


async def switch(account: Account, form: dict[str, Any], **body: Any) -> tuple[int, Any]:
    path = f"{PREFIX}/forms/customer/{account.id}/forms/{form['id']}/receipts"
    response = await account.api.put(path, json=body)
    assert (await account.api.get(path)).json() == response.json() or response.is_error
    return response.status_code, response.json()


async def read_pdf(mail: EmailMessage) -> str:
    [attached] = mail.iter_attachments()
    assert (attached.get_content_type(), attached.get_filename()) == ("application/pdf", attached.get_filename())
    command = [str(host_programs.pdftotext()), "-layout", "-", "-"]
    pdf = attached.get_content()
    done = await asyncio.to_thread(subprocess.run, command, input=pdf, capture_output=True, check=True)
    return done.stdout.decode()


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body
    text: str = body.get_content()
    return text


async def test_the_address_in_an_answer_gets_one_receipt(account: Account, stranger: Account) -> None:
    new_form = await form(account, name="Visit {account}\n=?utf-8?q?x?=", fields=FIELDS)
    await respond(account, new_form, site="Before", email="early@example.org")
    assert (await switch(account, new_form, recipient="FIELD", field="email"))[0] == 200
    for field in ("score", "address", "gone", None):
        status, problem = await switch(account, new_form, recipient="FIELD", field=field)
        assert (status, problem["errors"][0]["code"]) == (422, "receipt.field")
    draft_id = str(uuid.uuid4())
    await started(account, new_form, draft_id, site="Draft", email="draft@example.org")
    await run(account)
    assert await receipts(account) == []
    # A draft that was looked at before gets its receipt when it is submitted.
    await respond(account, new_form, client_id=draft_id, site="Draft", email="draft@example.org")
    first = await respond(account, new_form, site="Quay 9", email="ann@example.org")
    await respond(account, new_form, site="No address")
    await submission(account, new_form, data={"site": "By key", "email": "key@example.org"})
    await respond(stranger, await form(stranger, fields=FIELDS), email="other@example.org")
    path = f"{PREFIX}/customers/{account.id}/submissions/{first}"
    review = {"status": "REJECTED", "note": "Internal remark"}
    assert (await account.api.put(path, json=review)).is_success
    await run(account)
    async with mail_server() as server:
        async with sending(account, server):
            pass
        sent = {mail["To"]: mail for mail in server.mails if mail["Subject"].startswith("Your response")}
        assert sent.keys() == {"ann@example.org", "draft@example.org"}
        mail = sent["ann@example.org"]
        assert mail["Subject"] == "Your response: Visit {account} = ?utf-8?q?x?="
        assert mail["Auto-Submitted"] == "auto-generated"
        assert "entered this address in the form" in text_of(mail)
        assert "Quay 9" not in text_of(mail) + str(mail["Subject"])
        report = await read_pdf(mail)
        assert ("Quay 9" in report, "Score" in report, "Internal remark" in report) == (True, False, False)
        # Neither a change nor restoring the submission sends another one.
        assert (await account.api.put(path, json={"data": {"site": "Quay 10"}})).is_success
        await run(account)
        assert len(await receipts(account)) == 2
        assert (await switch(account, new_form, recipient=None)) == (200, {"recipient": None, "field": None})
        await respond(account, new_form, site="Late", email="late@example.org")
        await run(account)
        assert len(await receipts(account)) == 2
    assert await receipts(stranger) == []


async def test_a_receipt_has_a_link_to_change_the_answers(account: Account) -> None:
    new_form = await form(account, fields=FIELDS, settings={"editAfterSubmitting": {"hours": 2}})
    await switch(account, new_form, recipient="FIELD", field="email")
    await respond(account, new_form, site="Pier", email="ben@example.org")
    # The operator has not set the public address.
    await run(account)
    shown = await respond(account, new_form, site="Quay", email="ann@example.org")
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE receipt_settings SET due = 0 WHERE customer_id = $1", account.id)
        mailer = ReceiptMailer(account.ctx.secret_box, "https://forms.test")
        await service.run_due(tx, account.id, mailer, account.ctx.clock.now())
    async with mail_server() as server, sending(account, server):
        pass
    texts = {str(mail["To"]): text_of(mail) for mail in server.mails}
    assert "/fill/" not in texts["ben@example.org"]
    assert "unless they are reviewed earlier" in texts["ann@example.org"]
    found = re.search(r"https://forms\.test(/fill/r\w+)", texts["ann@example.org"])
    assert found
    async with account.stage.client() as http:
        assert "Quay" in (await http.get(found[1])).text
        body = {"data": {"site": "Pier", "email": "ann@example.org"}, "revision": 2}
        assert (await http.post(f"{found[1]}/answers", json=body)).json()["id"] == shown


async def test_invited_people_and_limits(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    new_form = await form(account, fields=FIELDS)
    assert (await switch(account, new_form, recipient="RESPONDENT", field="email"))[1]["field"] is None
    asked = await invite(account, new_form, email="guest@example.org")
    await respond(account, new_form, path=await link(account, asked), site="Pier", email="ann@example.org")
    await respond(account, new_form, site="Public link", email="ann@example.org")
    await run(account)
    assert [mail.address for mail in await receipts(account)] == ["guest@example.org"]
    await switch(account, new_form, recipient="FIELD", field="email")
    for place in range(PER_ADDRESS + 2):
        await respond(account, new_form, email=f"Ann+{place}@Example.org")
    await run(account)
    assert len(await receipts(account)) == 1 + PER_ADDRESS
    monkeypatch.setattr(service, "PER_FORM", PER_ADDRESS + 2)
    # Batches continue where the last one ended, also within one transaction's time.
    monkeypatch.setattr(service, "_BATCH", 2)
    for place in range(3):
        await respond(account, new_form, email=f"ben{place}@example.org")
    await run(account)
    assert len(await receipts(account)) == PER_ADDRESS + 2
    async with visit(account) as site:
        page = (await site.http.get(f"/forms/{new_form['id']}/receipts")).text
        assert ("because of the limits: 4" in page, "has no mail server" in page) == (True, True)
        refused = await site.post(f"/forms/{new_form['id']}/receipts", {"recipient": "FIELD", "field": "score"})
        assert (refused.status_code, "Choose a field of the form" in refused.text) == (422, True)
        await site.post(f"/forms/{new_form['id']}/receipts", {"recipient": "anybody"})
    assert await switch(account, new_form, recipient=None) == (200, {"recipient": None, "field": None})


@pytest.mark.slow
async def test_a_pdf_that_cannot_be_attached(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    new_form = await form(account, fields=FIELDS, settings={"language": "de"})
    await switch(account, new_form, recipient="FIELD", field="email")
    async with visit(account) as site:
        await site.post(f"/forms/{new_form['id']}/report-template", {"template": "#panic()", "action": "save"})
    await respond(account, new_form, email="broken@example.org")
    gone = await respond(account, new_form, email="gone@example.org")
    await run(account)
    assert (await account.api.delete(f"{PREFIX}/customers/{account.id}/submissions/{gone}")).is_success
    async with mail_server() as server:
        async with sending(account, server):
            pass
        assert [str(mail["To"]) for mail in server.mails if "Ihre Antwort" in mail["Subject"]] == ["broken@example.org"]
        # Too large, and too demanding.
        async with visit(account) as site:
            await site.post(f"/forms/{new_form['id']}/report-template", {"action": "restore"})
        await respond(account, new_form, email="large@example.org")
        await run(account)
        with monkeypatch.context() as small:
            small.setattr(emails, "MAX_SIZE", 1000)
            async with sending(account, server):
                pass
        await respond(account, new_form, email="demanding@example.org")
        await run(account)
        monkeypatch.setattr(compiler, "MEMORY", 64 << 20)
        async with sending(account, server):
            pass
        sent = {str(mail["To"]): mail for mail in server.mails if "Ihre Antwort" in mail["Subject"]}
    assert sent.keys() == {"broken@example.org", "large@example.org", "demanding@example.org"}
    for mail in sent.values():
        assert not list(mail.iter_attachments())
        assert "konnte nicht angehängt werden" in text_of(mail)
    outcomes = {mail.address: (mail.status, mail.detail) for mail in await receipts(account)}
    assert outcomes["gone@example.org"] == (MailStatus.FAILED, "The submission was deleted.")
